import type { TestApiClient } from "./controller.ts";

// A pass may await anything, so only a timeout detects a hanging pass. This is the only use of real time in this
// package, and no result depends on it otherwise. All runtimes have these two functions. They are stored before a test
// can replace them with fakes.
declare const setTimeout: (run: () => void, millis: number) => unknown;
declare const clearTimeout: (timer: unknown) => void;
const [wakeAfter, forget] = [setTimeout, clearTimeout];

/** The maximum seconds of a pass without a request. */
export const HANG_SECONDS = 10;

/** If the machine was paused, other code gets this many turns before a pass counts as hanging. */
const TURNS = 100;

/**
 * Waits for a promise. Returns true if it has not settled and nothing has moved within the time. A promise that settles
 * without the event loop costs no turn.
 *
 * @param movesOf - returns a count that grows with every move
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
    await waitForTurn(noted, (seconds * 1_000) / TURNS);
    if (isThere) return false;
    if (movesOf() === moves) continue;
    moves = movesOf();
    left = TURNS + 1;
  }
  return true;
}

async function waitForTurn(noted: Promise<unknown>, millis: number): Promise<void> {
  let timer: unknown;
  const over = new Promise<void>((resolve) => {
    timer = wakeAfter(resolve, millis);
  });
  await Promise.race([noted, over]);
  forget(timer);
}

/** Returns the message about a hanging pass. */
export function formatHang(about: string, seconds: number): string {
  return `a pass over ${about} hangs: for ${seconds} s it has sent no request, and it waits for no response. A pass may await anything if it then sends a request or ends`;
}

/** The maximum number of requests of a pass. */
export const MAX_REQUESTS = 5_000;

/** The client of a pass with a request limit. */
export interface BoundedClient {
  readonly client: TestApiClient;
  /** Whether the limit was exceeded. */
  readonly isExhausted: () => boolean;
  /** Resolves when the limit is exceeded. */
  readonly exhausted: Promise<void>;
}

/**
 * Returns a client that stops responding after a number of requests. A pass that sends requests forever would block all
 * other code.
 */
export function limitRequests(client: TestApiClient): BoundedClient {
  let requestCount = 0;
  let exhaust = () => {};
  const exhausted = new Promise<void>((resolve) => {
    exhaust = resolve;
  });
  const limitCalls =
    <Question extends readonly unknown[], Result>(
      call: (...question: Question) => Promise<Result>,
    ) =>
    (...question: Question): Promise<Result> => {
      requestCount += 1;
      if (requestCount <= MAX_REQUESTS) return call(...question);
      exhaust();
      return new Promise(() => {});
    };
  return {
    client: {
      get: limitCalls(client.get),
      list: limitCalls(client.list),
      create: limitCalls(client.create),
      update: limitCalls(client.update),
      updateStatus: limitCalls(client.updateStatus),
      patch: limitCalls(client.patch),
      patchStatus: limitCalls(client.patchStatus),
      apply: limitCalls(client.apply),
      applyStatus: limitCalls(client.applyStatus),
      delete: limitCalls(client.delete),
      send: limitCalls(client.send),
    },
    isExhausted: () => requestCount > MAX_REQUESTS,
    exhausted,
  };
}

/** Returns the message about a pass that sends requests forever. */
export function formatEndlessPass(about: string): string {
  return `a pass over ${about} hangs: it has sent ${MAX_REQUESTS} requests`;
}
