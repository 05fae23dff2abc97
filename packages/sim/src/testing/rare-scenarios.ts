import { randomScenario } from "../explore/random-scenario.ts";
import { situations } from "../explore/rare-situations.ts";
import {
  createPatch,
  EXCLUSIVE,
  getJobSet,
  withAnnotations,
  withEach,
  withJobSet,
  withJobSpec,
  withSpec,
} from "../explore/scenario-edits.ts";
import { createSeededRandom } from "../explore/seeded-random.ts";
import type { Fault } from "../scenario/fault.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { getTypicalScenario } from "./typical-scenarios.ts";

/** A suspended JobSet gets another Pod label and annotation, and is resumed. */
export function createResumeAfterEdit(): Scenario {
  const scenario = getTypicalScenario("resumption");
  const { replicatedJobs } = withEach(getJobSet(scenario), (one) => {
    const { template } = one.template.spec;
    const metadata = { labels: { team: "ml" }, annotations: { cost: "7" } };
    // An update gets no defaults, so the spec includes those of the creation.
    const spec = { completionMode: "Indexed", template: { ...template, metadata } };
    return withJobSpec({ ...one, groupName: "default" }, spec);
  }).spec;
  return {
    ...scenario,
    actions: [createPatch(3_000, scenario, { replicatedJobs }), ...scenario.actions],
  };
}

/** A user scales Jobs and omits the empty resource requests of the containers. */
export function createScalingScenario(): Scenario {
  const scenario = getTypicalScenario("deletion");
  const { replicatedJobs } = withEach(getJobSet(scenario), (one) =>
    withJobSpec(
      { ...one, groupName: "default" },
      { completionMode: "Indexed", parallelism: 3, completions: 3 },
    ),
  ).spec;
  return {
    ...scenario,
    features: { ElasticJobSet: true },
    actions: [createPatch(10_000, scenario, { replicatedJobs })],
  };
}

/** Some Jobs restart individually and others with all Jobs, as in the random scenario of a seed. */
export function createMixedRestartScenario(seed: number): Scenario {
  return situations.singleRestarts(randomScenario(seed), createSeededRandom(seed));
}

/** The API server rejects a Job for a while, and nothing finishes. */
export function scenarioWithRejections(name: string): Scenario {
  const rejected = { kind: "Job", name, from: 0, until: 60_000 };
  const scenario = getTypicalScenario("deletion");
  return { ...scenario, actions: [], faults: [{ fault: "RefuseObject", ...rejected }] };
}

/** Three Jobs with a rack each. */
export function inRacks(faults: readonly Fault[]): Scenario {
  const { objects, ...scenario } = getTypicalScenario("deletion");
  const [node] = objects;
  const nodes = ["r0", "r1", "r2"].map((rack, at) => ({
    ...node,
    metadata: { name: `node-${at}`, labels: { rack } },
  }));
  const jobSet = withAnnotations(getJobSet({ objects, ...scenario }), EXCLUSIVE);
  return {
    ...scenario,
    objects: [...nodes, jobSet] as Scenario["objects"],
    actions: [],
    faults,
  };
}

/** A Job fails twice and is restarted alone each time. */
export function createSingleRestartScenario(): Scenario {
  const rules = [{ name: "alone", action: "RestartJob" }];
  return {
    ...withJobSet(getTypicalScenario("limit"), (jobSet) =>
      withSpec(jobSet, { failurePolicy: { maxRestarts: 3, rules } }),
    ),
    features: { RestartJob: true },
  };
}

/** A user sets the TTL after the JobSet has finished. */
export function createTtlScenario(): Scenario {
  const failure = getTypicalScenario("failure");
  return { ...failure, actions: [createPatch(60_000, failure, { ttlSecondsAfterFinished: 60 })] };
}

/** A user suspends a JobSet, and for a while the API server rejects changes of one of its Jobs. */
export function createSuspensionScenario(name: string): Scenario {
  const scenario = getTypicalScenario("deletion");
  const rejected = { kind: "Job", name, from: 9_000, until: 70_000 };
  return {
    ...scenario,
    actions: [createPatch(10_000, scenario, { suspend: true })],
    faults: [{ fault: "RefuseObject", ...rejected }],
  };
}

/** For a while, the API server rejects the deletion of a JobSet whose TTL has passed. */
export function createRaisedTtlScenario(): Scenario {
  const scenario = withJobSet(getTypicalScenario("failure"), (jobSet) =>
    withSpec(jobSet, { ttlSecondsAfterFinished: 60 }),
  );
  const rejected = { kind: "JobSet", name: "train", from: 50_000, until: 80_000 };
  return { ...scenario, faults: [{ fault: "RefuseObject", ...rejected }] };
}
