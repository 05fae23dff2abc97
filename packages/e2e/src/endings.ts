import { setTimeout } from "node:timers/promises";
import { Births } from "./births.ts";
import type { Cluster } from "./cluster.ts";
import { finalState, isComingToRest } from "./final-state.ts";

/** How stories ended when they were first told: two runs of one end alike, whatever happened on the way. */
export class Endings {
  readonly #cluster: Cluster;
  readonly #endings = new Map<string, string>();
  #births: Births | undefined;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
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
   * @throws Error when it ends otherwise than the first time, or something was created twice
   */
  async compare(namespace: string, story: string): Promise<void> {
    let lines: readonly string[] = [];
    let quiet = 0;
    for (let attempt = 0; attempt < 200; attempt += 1) {
      const before = lines;
      lines = await finalState(this.#cluster, namespace);
      const isSettled = !lines.some(isComingToRest);
      quiet = isSettled && lines.join() === before.join() ? quiet + 1 : 0;
      const expected = this.#endings.get(story);
      if (expected === undefined ? quiet === 4 : expected === lines.join("\n")) {
        this.#endings.set(story, lines.join("\n"));
        this.#births?.check(namespace);
        return;
      }
      await setTimeout(300);
    }
    const expected = this.#endings.get(story)?.split("\n") ?? [];
    const missing = expected.filter((line) => !lines.includes(line)).map((line) => `- ${line}`);
    const surplus = lines.filter((line) => !expected.includes(line)).map((line) => `+ ${line}`);
    throw new Error(
      `ends otherwise than without disturbance:\n${[...missing, ...surplus].join("\n")}`,
    );
  }
}
