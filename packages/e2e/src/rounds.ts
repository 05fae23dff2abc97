import { setTimeout } from "node:timers/promises";
import { freePorts } from "./control-plane.ts";
import { finalState } from "./final-state.ts";
import { type Scenario, Stage } from "./scenario.ts";
import { scenarios } from "./scenarios/index.ts";
import type { TestBed } from "./test-bed.ts";

/** How one story ended. */
export interface Played {
  readonly name: string;
  readonly seconds: number;
  /** What went wrong. */
  readonly error?: string;
}

/** What happens to the programs while the stories are told. */
interface Round {
  readonly name: string;
  /** Whether stories that need no gate are told without any. */
  readonly switchesGates?: true;
  /** Starts controllers and disturbs them until the signal is given; then leaves one running undisturbed. */
  direct(bed: TestBed, gates: string, signal: AbortSignal): Promise<() => Promise<void>>;
}

/** Long enough for back-offs of the Job controller, which wait up to a minute. */
const STORY_MS = 240_000;

/**
 * Tells all stories without disturbance, then again with each kind of disturbance, and compares how they end.
 *
 * @param only - words of the names of rounds or stories; all without any
 */
export async function* playAll(bed: TestBed, only: readonly string[]): AsyncGenerator<Played> {
  const endings = new Map<string, string>();
  const isMeant = ({ name }: { readonly name: string }) => only.some((word) => name.includes(word));
  const stories = scenarios.some(isMeant) ? scenarios.filter(isMeant) : scenarios;
  const isGated = ({ gates = [] }: Scenario) => gates.length > 0;
  for (const [index, round] of rounds.entries()) {
    if (rounds.some(isMeant) && !isMeant(round)) continue;
    // Undisturbed, gates are switched on between the stories; otherwise they are on for all of them at once.
    const groups = round.switchesGates
      ? [stories.filter((story) => !isGated(story)), stories.filter(isGated)]
      : [stories];
    for (const group of groups) {
      if (group.length > 0) yield* playRound(bed, round, `r${index}`, group, endings);
    }
  }
}

async function* playRound(
  bed: TestBed,
  round: Round,
  prefix: string,
  stories: readonly Scenario[],
  endings: Map<string, string>,
): AsyncGenerator<Played> {
  const gates = [...new Set(stories.flatMap(({ gates = [] }) => gates))];
  const over = new AbortController();
  const calm = await round.direct(bed, gates.map((gate) => `${gate}=true`).join(","), over.signal);
  const underWay = stories.map(async (story): Promise<Played> => {
    const namespace = `${prefix}-${scenarios.indexOf(story)}`;
    const name = `${round.name}: ${story.name}`;
    const start = performance.now();
    try {
      await bed.cluster.create({
        apiVersion: "v1",
        kind: "Namespace",
        metadata: { name: namespace },
      });
      const late = setTimeout(STORY_MS, undefined, { ref: false }).then(() => {
        throw new Error(`the story has not ended within ${STORY_MS / 1000} s`);
      });
      await Promise.race([story.play(new Stage(bed.cluster, namespace)), late]);
      await compareEnding(bed, namespace, story.name, endings);
      return { name, seconds: secondsSince(start) };
    } catch (error) {
      const scene = await sceneOf(bed, namespace).catch(textOf);
      return { name, seconds: secondsSince(start), error: `${textOf(error)}\n${scene}` };
    }
  });
  const waiting = new Map(
    underWay.map((played, index) => [index, played.then((result) => ({ index, result }))]),
  );
  while (waiting.size > 0) {
    const { index, result } = await Promise.race(waiting.values());
    waiting.delete(index);
    yield result;
  }
  over.abort();
  await calm();
}

/** What is in a namespace, for whoever asks why a story did not go on. */
async function sceneOf({ cluster }: TestBed, namespace: string): Promise<string> {
  const events = await cluster.list("Event", namespace);
  const warnings = events
    .filter(({ type }) => type === "Warning")
    .map(({ regarding, reason, note }) => `Event ${regarding.name} ${reason}: ${note}`);
  return [...(await finalState(cluster, namespace)), ...new Set(warnings)].join("\n");
}

/** Two runs of one story end alike, whatever happened on the way; the last ripples may still be under way. */
async function compareEnding(
  bed: TestBed,
  namespace: string,
  story: string,
  endings: Map<string, string>,
): Promise<void> {
  let ending = "";
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const next = (await finalState(bed.cluster, namespace)).join("\n");
    const expected = endings.get(story);
    if (next === (expected ?? ending)) {
      endings.set(story, next);
      return;
    }
    ending = next;
    await setTimeout(300);
  }
  const [lines, expected] = [ending, endings.get(story) ?? ""].map((text) => text.split("\n"));
  const only = (one = [""], other = [""], sign = "") =>
    one.filter((line) => !other.includes(line)).map((line) => `${sign} ${line}`);
  const differences = [...only(expected, lines, "-"), ...only(lines, expected, "+")];
  throw new Error(`ends otherwise than without disturbance:\n${differences.join("\n")}`);
}

const rounds: readonly Round[] = [
  {
    name: "undisturbed",
    switchesGates: true,
    async direct(bed, gates) {
      const controller = bed.startController();
      await controller.ready();
      // Gates are switched while the controller runs.
      if (gates !== "")
        await controller.switchGates(
          Object.fromEntries(gates.split(",").map((gate) => [gate.split("=")[0], true])),
        );
      return () => controller.stop();
    },
  },
  {
    name: "the controller is killed again and again",
    async direct(bed, gates, signal) {
      let controller = bed.startController(["--feature-gates", gates]);
      const random = pseudoRandom(1);
      const killing = (async () => {
        for (let kills = 0; kills < 12 && !signal.aborted; kills += 1) {
          await setTimeout(400 + random() * 3_000, undefined, { signal }).catch(() => {});
          await controller.kill();
          controller = bed.startController(["--feature-gates", gates]);
        }
      })();
      return async () => {
        await killing;
        await controller.stop();
      };
    },
  },
  {
    name: "the API server is killed and started again",
    async direct(bed, gates, signal) {
      const controller = bed.startController(["--feature-gates", gates]);
      await controller.ready();
      const killing = (async () => {
        for (const pauseMs of [2_000, 8_000]) {
          await setTimeout(pauseMs, undefined, { signal }).catch(() => {});
          await bed.plane.restartApiServer(1_000);
        }
      })();
      return async () => {
        await killing;
        await controller.stop();
      };
    },
  },
  {
    name: "two controllers fight for the lease",
    async direct(bed, gates, signal) {
      const [otherPort = 0] = await freePorts(1);
      const args = (name: string) => [
        ...["--feature-gates", gates, "--leader-elect"],
        ...["--leader-elect-namespace", "jobset-system", "--leader-elect-identity", name],
      ];
      let first = bed.startController(args("first"));
      await first.ready();
      const second = bed.startController(args("second"), otherPort);
      const killing = (async () => {
        await setTimeout(2_500, undefined, { signal }).catch(() => {});
        await first.kill();
        first = bed.startController(args("first"));
      })();
      return async () => {
        await killing;
        await Promise.all([first.stop(), second.stop()]);
      };
    },
  },
];

/** Numbers from 0 to 1 that look random and are the same in every run (mulberry32). */
function pseudoRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function secondsSince(start: number): number {
  return (performance.now() - start) / 1000;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
