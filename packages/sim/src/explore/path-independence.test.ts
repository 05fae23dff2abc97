import type { JobSet } from "@jobset-ts/api";
import { asArray, type Job } from "@jobset-ts/api/kubernetes";
import { type Quirk, UPSTREAM_QUIRKS } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import type { Scenario, UserAction } from "../scenario/scenario.ts";
import { simulate } from "../scenario/simulate.ts";
import { typicalScenarios } from "../testing/typical-scenarios.ts";
import {
  createPatch,
  type DraftJobSet,
  getJobSet,
  withEach,
  withJobSet,
  withJobSpec,
  withPodSpec,
  withSpec,
} from "./scenario-edits.ts";
import { createSeededRandom, type SeededRandom } from "./seeded-random.ts";

/** The changes that queues make to the templates of suspended JobSets. */
const TEMPLATES = [
  {},
  { nodeSelector: { zone: "a" } },
  { nodeSelector: { zone: "b" }, tolerations: [{ key: "spot", operator: "Exists" }] },
  { schedulingGates: [{ name: "example.com/gate" }] },
];

/**
 * Returns the JobSet with templates as a queue writes them. They include the defaults of the creation, because an
 * update gets no defaults.
 */
function withTemplate(jobSet: DraftJobSet, template: object): DraftJobSet {
  return withEach(jobSet, (one) =>
    withPodSpec(
      withJobSpec({ ...one, groupName: "default" }, { completionMode: "Indexed" }),
      template,
    ),
  );
}

/**
 * Creates two scenarios with the same final spec: a user reaches it directly or by several steps. The JobSet does not
 * finish.
 */
function createPaths({
  below,
  pick,
}: SeededRandom): readonly [direct: Scenario, winding: Scenario] {
  const plain: Scenario = { ...(typicalScenarios.deletion as Scenario), actions: [] };
  const last = pick(TEMPLATES, "last");
  const jobSet = getJobSet(plain);
  const edits = 1 + below(3, "edits");
  const actions: UserAction[] = Array.from({ length: edits }, (_, at) => {
    const template = pick(TEMPLATES, "template", at);
    const { replicatedJobs } = withTemplate(jobSet, template).spec;
    const from = at * 20_000 + below(8_000, "suspended", at);
    return [
      createPatch(from, plain, { suspend: true }),
      createPatch(from + 4_000, plain, { replicatedJobs }),
      createPatch(from + 5_000 + below(6_000, "resumed", at), plain, { suspend: false }),
    ];
  }).flat();
  const { replicatedJobs } = withTemplate(jobSet, last).spec;
  const end = edits * 20_000;
  actions.push(
    createPatch(end, plain, { suspend: true }),
    createPatch(end + 5_000, plain, { replicatedJobs, suspend: false }),
  );
  const first = pick(TEMPLATES, "first");
  return [
    withJobSet(plain, () => withTemplate(jobSet, last)),
    {
      ...withJobSet(plain, () => withSpec(withTemplate(jobSet, first), { suspend: false })),
      actions,
    },
  ];
}

/** Returns the final Jobs of a JobSet and its status counters. */
function getEnd(scenario: Scenario, quirks: ReadonlySet<Quirk>) {
  const { end, isIdle, violations } = simulate(scenario, {
    quirks,
    safetyLaws: [],
    steadyStateLaws: [],
  });
  expect([isIdle, violations]).toEqual([true, []]);
  const jobs = end.objects.ofKind<Job>("Job").map(({ metadata, spec, status }) => {
    const { nodeSelector = {}, tolerations, schedulingGates } = spec.template.spec ?? {};
    const directives = [nodeSelector, asArray(tolerations), asArray(schedulingGates)];
    return { name: metadata.name, suspend: spec.suspend, active: status?.active, directives };
  });
  const [jobSet] = end.objects.ofKind<JobSet>("JobSet");
  return { jobs, restarts: jobSet?.status?.restarts, counts: jobSet?.status?.replicatedJobsStatus };
}

const SEEDS = Array.from({ length: 8 }, (_, at) => at + 1);

describe("the path to a JobSet's spec", () => {
  it("the final Jobs do not depend on how often the JobSet was suspended and edited", () => {
    for (const seed of SEEDS) {
      const [direct, winding] = createPaths(createSeededRandom(seed));
      expect(getEnd(winding, new Set()), `seed ${seed}`).toEqual(getEnd(direct, new Set()));
    }
  });

  it("the final Jobs depend on earlier edits if templates are merged as in upstream", () => {
    const differs = SEEDS.filter((seed) => {
      const [direct, winding] = createPaths(createSeededRandom(seed));
      const [one, other] = [direct, winding].map((way) => getEnd(way, UPSTREAM_QUIRKS));
      return JSON.stringify(one) !== JSON.stringify(other);
    });
    expect(differs.length).toBeGreaterThan(2);
  });
});
