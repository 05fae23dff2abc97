import type { TestApiClient } from "./controller.ts";

// A pass may await whatever it likes, so only time tells that one hangs. This is the one place of the package that asks for time: the
// real one, of which nothing is seen but that it goes by. Every runtime has these two; they are taken before somebody fakes them.
declare const setTimeout: (run: () => void, millis: number) => unknown;
declare const clearTimeout: (timer: unknown) => void;
const [wakeAfter, forget] = [setTimeout, clearTimeout];

/** How long a pass may neither ask for anything nor come to an end. */
export const HANG_SECONDS = 10;

/** A machine that was held up for long lets everybody else have so many turns before anything counts as a hang. */
const TURNS = 100;

/**
 * Waits for something; `true` when it has not come, and nothing has moved, for so long. Where it comes without the event loop's doing,
 * no turn of that is waited for.
 *
 * @param movesOf - a count that grows when something moves
 */
export async function isHung(
  awaited: Promise<unknown>,
  movesOf: () => number,
  seconds: number,
): Promise<boolean> {
  let isThere = false;
  const note = () => {
    isThere = true;
  };
  const noted = awaited.then(note, note);
  let moves = movesOf();
  for (let left = TURNS; left > 0; left -= 1) {
    await turn(noted, (seconds * 1_000) / TURNS);
    if (isThere) return false;
    if (movesOf() === moves) continue;
    moves = movesOf();
    left = TURNS + 1;
  }
  return true;
}

async function turn(noted: Promise<unknown>, millis: number): Promise<void> {
  let timer: unknown;
  const over = new Promise<void>((resolve) => {
    timer = wakeAfter(resolve, millis);
  });
  await Promise.race([noted, over]);
  forget(timer);
}

/** What is said of a pass that hangs. */
export function hangText(about: string, seconds: number): string {
  return `a pass over ${about} hangs: for ${seconds} s it has sent no request, and it waits for no response. A pass may await anything if it then sends a request or ends`;
}

/** How often a pass may ask for something. */
export const MOST_ASKED = 5_000;

/** What a pass is given to ask by, and whether it asks for ever. */
export interface BoundedClient {
  readonly client: TestApiClient;
  /** Whether it has been asked more often than it answers. */
  readonly isExhausted: () => boolean;
  /** Resolves when it is. */
  readonly exhausted: Promise<void>;
}

/** A client that answers so often, and then no more: whoever asks for ever might let nobody else have a turn. */
export function boundedClient(client: TestApiClient): BoundedClient {
  let asked = 0;
  let exhaust = () => {};
  const exhausted = new Promise<void>((resolve) => {
    exhaust = resolve;
  });
  const bounded =
    <Question extends readonly unknown[], Answer>(
      ask: (...question: Question) => Promise<Answer>,
    ) =>
    (...question: Question): Promise<Answer> => {
      asked += 1;
      if (asked <= MOST_ASKED) return ask(...question);
      exhaust();
      return new Promise(() => {});
    };
  return {
    client: {
      get: bounded(client.get),
      list: bounded(client.list),
      create: bounded(client.create),
      update: bounded(client.update),
      updateStatus: bounded(client.updateStatus),
      patch: bounded(client.patch),
      patchStatus: bounded(client.patchStatus),
      apply: bounded(client.apply),
      applyStatus: bounded(client.applyStatus),
      delete: bounded(client.delete),
      send: bounded(client.send),
    },
    isExhausted: () => asked > MOST_ASKED,
    exhausted,
  };
}

/** What is said of a pass that asks for ever. */
export function endlessText(about: string): string {
  return `a pass over ${about} hangs: it has sent ${MOST_ASKED} requests`;
}
