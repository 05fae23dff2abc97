import { setTimeout } from "node:timers/promises";
import { Births } from "./births.ts";
import { type Cluster, LONGEST_WAIT_MS } from "./cluster.ts";
import { finalState, isComingToRest, reportedEvents } from "./final-state.ts";

/** How stories end, by their names. */
export type RecordedEndings = Readonly<Record<string, readonly string[]>>;

/**
 * How stories end: as is recorded, or else as they did when they were first told. Two runs of one end alike, whatever happened
 * on the way.
 */
export class Endings {
  readonly #cluster: Cluster;
  readonly #endings: Map<string, readonly string[]>;
  #births: Births | undefined;

  constructor(cluster: Cluster, recorded: RecordedEndings) {
    this.#cluster = cluster;
    this.#endings = new Map(Object.entries(recorded));
  }

  /** All that is known by now, by name. */
  get recorded(): RecordedEndings {
    return Object.fromEntries([...this.#endings].sort());
  }

  /** Notes from now on what comes into being. */
  watch(): void {
    this.#births = Births.watch(this.#cluster);
  }

  stopWatching(): void {
    this.#births?.stop();
  }

  /**
   * The last ripples of a story may still be under way; the first run is the measure once nothing has moved for a
   * while.
   *
   * @param events - the expected Events, if they are compared
   * @throws Error when it ends otherwise than the first time, or something was created twice, or there are other Events
   */
  async compare(namespace: string, story: string, events?: readonly string[]): Promise<void> {
    const expectedEvents = events && [...events].sort();
    let lines: readonly string[] = [];
    let reported: readonly string[] | undefined;
    let quiet = 0;
    for (const deadline = Date.now() + LONGEST_WAIT_MS; Date.now() < deadline; ) {
      const before = lines;
      lines = await finalState(this.#cluster, namespace);
      reported = events && (await reportedEvents(this.#cluster, namespace));
      const isSettled = !lines.some(isComingToRest);
      quiet = isSettled && lines.join() === before.join() ? quiet + 1 : 0;
      if (quiet === 4 && !this.#endings.has(story)) this.#endings.set(story, lines);
      const hasEnded = this.#endings.get(story)?.join("\n") === lines.join("\n");
      if (hasEnded && reported?.join("\n") === expectedEvents?.join("\n")) {
        await this.#births?.check(namespace);
        return;
      }
      await setTimeout(300);
    }
    const expected = this.#endings.get(story) ?? [];
    throw new Error(
      [
        "ends otherwise than is recorded or expected, or than without disturbance:",
        ...differences(expected, lines),
        ...differences(expectedEvents ?? [], reported ?? []),
      ].join("\n"),
    );
  }
}

/** What is missing and what is surplus; of equal lines each counts. */
function differences(expected: readonly string[], actual: readonly string[]): readonly string[] {
  const surplus = [...actual];
  const missing = expected.filter((line) => {
    const at = surplus.indexOf(line);
    if (at >= 0) surplus.splice(at, 1);
    return at < 0;
  });
  return [...missing.map((line) => `- ${line}`), ...surplus.map((line) => `+ ${line}`)];
}
