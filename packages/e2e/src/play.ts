import { setTimeout } from "node:timers/promises";
import { MAX_WAIT_MS } from "./cluster.ts";
import { readFinalState } from "./final-state.ts";
import type { Round } from "./rounds.ts";
import { type Scenario, Stage } from "./scenario.ts";
import type { StoryOutcomes } from "./story-outcomes.ts";
import type { Suite } from "./suites.ts";
import type { TestBed } from "./test-bed.ts";

/** The result of one story. */
export interface StoryResult {
  readonly name: string;
  readonly seconds: number;
  /** The error message. */
  readonly error?: string;
}

/** Long enough for the longest wait of a story and all its other waits. */
const STORY_MS = 2 * MAX_WAIT_MS;

/**
 * Plays stories without disturbance, then with each kind of disturbance, and compares their outcomes.
 *
 * @param endings - undefined for stories that check their own outcome
 */
export async function* playAll(
  bed: TestBed,
  suite: Suite,
  endings: StoryOutcomes | undefined,
): AsyncGenerator<StoryResult> {
  for (const [index, round] of suite.rounds.entries()) {
    for (const group of listGroups(round, suite.scenarios)) {
      const getNamespace = (story: Scenario) => `r${index}-${suite.scenarios.indexOf(story)}`;
      if (group.length > 0) yield* playRound(bed, round, group, { endings, getNamespace });
    }
  }
}

/**
 * Returns groups of stories that may run in parallel. In an undisturbed round gates are switched between stories;
 * otherwise they are on for all stories.
 */
function listGroups(round: Round, stories: readonly Scenario[]): readonly (readonly Scenario[])[] {
  if (!round.isUndisturbed) return [stories];
  const solitary = stories.filter(({ alone }) => alone);
  const others = stories.filter(({ alone }) => !alone);
  const isGated = ({ gates = [] }: Scenario) => gates.length > 0;
  return [
    others.filter((story) => !isGated(story)),
    others.filter(isGated),
    ...solitary.map((story) => [story]),
  ];
}

async function* playRound(
  bed: TestBed,
  round: Round,
  stories: readonly Scenario[],
  {
    endings,
    getNamespace,
  }: { endings: StoryOutcomes | undefined; getNamespace(story: Scenario): string },
): AsyncGenerator<StoryResult> {
  const gates = [...new Set(stories.flatMap(({ gates = [] }) => gates))];
  endings?.watch();
  const disturbance = await round.start(bed, gates);
  const results = stories.map(async (story): Promise<StoryResult> => {
    const namespace = getNamespace(story);
    const name = `${round.name}: ${story.name}`;
    const start = performance.now();
    const seconds = () => (performance.now() - start) / 1000;
    try {
      await bed.cluster.create({
        apiVersion: "v1",
        kind: "Namespace",
        metadata: { name: namespace },
      });
      const stage = new Stage(bed, namespace, disturbance.switchGates);
      await waitWithin(STORY_MS, story.play(stage));
      const events = round.isUndisturbed ? (story.events ?? []) : undefined;
      await endings?.compare(namespace, story.name, events);
      return { name, seconds: seconds() };
    } catch (error) {
      const scene = await createScene(bed, namespace).catch(formatMessage);
      return { name, seconds: seconds(), error: `${formatMessage(error)}\n${scene}` };
    }
  });
  yield* yieldAsSettled(results);
  await disturbance.over;
  await disturbance.stop();
  endings?.stopWatching();
}

async function* yieldAsSettled<Value>(promises: readonly Promise<Value>[]): AsyncGenerator<Value> {
  const waiting = new Map(
    promises.map((promise, index) => [index, promise.then((value) => ({ index, value }))]),
  );
  while (waiting.size > 0) {
    const { index, value } = await Promise.race(waiting.values());
    waiting.delete(index);
    yield value;
  }
}

async function waitWithin(ms: number, ends: Promise<void>): Promise<void> {
  const late = setTimeout(ms, undefined, { ref: false }).then(() => {
    throw new Error(`the story did not finish within ${ms / 1000} s`);
  });
  await Promise.race([ends, late]);
}

/** Returns the objects of a namespace, to explain why a story did not continue. */
async function createScene({ cluster }: TestBed, namespace: string): Promise<string> {
  const events = await cluster.list("Event", namespace);
  const warnings = events
    .filter(({ type }) => type === "Warning")
    .map(({ regarding, reason, note }) => `Event ${regarding.name} ${reason}: ${note}`);
  return [...(await readFinalState(cluster, namespace)), ...new Set(warnings)].join("\n");
}

function formatMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
