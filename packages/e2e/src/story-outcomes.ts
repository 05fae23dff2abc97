import { setTimeout } from "node:timers/promises";
import { type Cluster, MAX_WAIT_MS } from "./cluster.ts";
import { CreationLog } from "./creation-log.ts";
import { isBeingDeleted, readFinalState, reportedEvents } from "./final-state.ts";

/** The outcome of each story, by name. */
export type RecordedOutcomes = Readonly<Record<string, readonly string[]>>;

/**
 * Compares the outcomes of stories with the recorded ones, or with those of the first run. Every run of a story must
 * have the same outcome, despite disturbances.
 */
export class StoryOutcomes {
  readonly #cluster: Cluster;
  readonly #endings: Map<string, readonly string[]>;
  #births: CreationLog | undefined;

  constructor(cluster: Cluster, recorded: RecordedOutcomes) {
    this.#cluster = cluster;
    this.#endings = new Map(Object.entries(recorded));
  }

  /** All known outcomes, by name. */
  get recorded(): RecordedOutcomes {
    return Object.fromEntries([...this.#endings].sort());
  }

  /** Starts recording the creation of objects. */
  watch(): void {
    this.#births = CreationLog.watch(this.#cluster);
  }

  stopWatching(): void {
    this.#births?.stop();
  }

  /**
   * The last effects of a story may still be in progress. The first run counts when nothing has changed for some
   * time.
   *
   * @param events - the expected Events, if they are compared
   * @throws Error if the outcome or the Events differ, or if an object was created twice
   */
  async compare(namespace: string, story: string, events?: readonly string[]): Promise<void> {
    const expectedEvents = events && [...events].sort();
    let lines: readonly string[] = [];
    let reported: readonly string[] | undefined;
    let quiet = 0;
    for (const deadline = Date.now() + MAX_WAIT_MS; Date.now() < deadline; ) {
      const before = lines;
      lines = await readFinalState(this.#cluster, namespace);
      reported = events && (await reportedEvents(this.#cluster, namespace));
      const isSettled = !lines.some(isBeingDeleted);
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
        "the outcome differs from the recorded one, the expected one or the undisturbed one:",
        ...differences(expected, lines),
        ...differences(expectedEvents ?? [], reported ?? []),
      ].join("\n"),
    );
  }
}

/** Lists missing and unexpected lines. Equal lines are counted. */
function differences(expected: readonly string[], actual: readonly string[]): readonly string[] {
  const surplus = [...actual];
  const missing = expected.filter((line) => {
    const at = surplus.indexOf(line);
    if (at >= 0) surplus.splice(at, 1);
    return at < 0;
  });
  return [...missing.map((line) => `- ${line}`), ...surplus.map((line) => `+ ${line}`)];
}
