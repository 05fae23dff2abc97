import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { NAMESPACED_JOB_KEY, NO_SCHEDULE_TAINT_KEY } from "@jobset-ts/api/keys";
import type { Node, Taint } from "@jobset-ts/api/kubernetes";
import { aJobSet, aNode } from "@jobset-ts/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { corrupted } from "../../../testing/src/arbitraries/hostile-values.ts";
import { deepFreeze } from "../../../testing/src/testing/freezing.ts";
import { runs } from "../../../testing/src/testing/runs.ts";
import { type NodeLabelsPlan, type NodePatch, planNodeLabels } from "./plan-node-labels.ts";

const poolKey = "cloud.google.com/gke-nodepool";
const inPool = (name: string, pool: string, taints?: Taint[]): Node => ({
  ...aNode(name).withLabels({ [poolKey]: pool }),
  ...(taints !== undefined && { spec: { taints } }),
});
const NO_SCHEDULE_TAINT = {
  key: NO_SCHEDULE_TAINT_KEY,
  value: "true",
  effect: "NoSchedule",
} as const;
const jobSet = aJobSet("js")
  .withReplicatedJob("driver")
  .withReplicatedJob("workers", { replicas: 2 });

function planLabels(
  question: Parameters<typeof planNodeLabels>[0],
): Extract<NodeLabelsPlan, { ok: true }> {
  const plan = planNodeLabels(question);
  if (!plan.ok) throw new Error(plan.error.message);
  return plan;
}

const listPairs = (question: Parameters<typeof planNodeLabels>[0]) =>
  planLabels(question).assignments.map(({ pool, namespacedJob }) => `${pool}: ${namespacedJob}`);

describe("which Job gets which pool", () => {
  it("planNodeLabels assigns the last Job to the first pool, and so on", () => {
    expect(listPairs({ jobSet, pools: ["a", "b", "c"], nodes: [] })).toEqual([
      "a: default_js-workers-1",
      "b: default_js-workers-0",
      "c: default_js-driver-0",
    ]);
  });

  it("planNodeLabels names the ReplicatedJob, the index and the nodes of each Job", () => {
    const nodes = [inPool("n1", "b"), inPool("n2", "a"), inPool("n3", "b")];
    expect(planLabels({ jobSet, pools: ["a", "b", "c"], nodes }).assignments[1]).toEqual({
      pool: "b",
      namespacedJob: "default_js-workers-0",
      replicatedJob: "workers",
      jobIndex: 0,
      nodes: ["n1", "n3"],
    });
  });

  it("planNodeLabels treats absent replicas as one Job, and 0 as none", () => {
    const some = aJobSet("js")
      .withReplicatedJob("one", { replicas: undefined })
      .withReplicatedJob("none", { replicas: 0 });
    expect(listPairs({ jobSet: some, pools: "a", nodes: [] })).toEqual(["a: default_js-one-0"]);
  });

  it("planNodeLabels uses the JobSet's namespace, or `default` without one", () => {
    const { namespace: _, ...metadata } = jobSet.metadata;
    const pools = "a,b,c";
    expect(listPairs({ jobSet: jobSet.inNamespace("ml"), pools, nodes: [] })[0]).toBe(
      "a: ml_js-workers-1",
    );
    expect(listPairs({ jobSet: { ...jobSet, metadata }, pools, nodes: [] })[0]).toBe(
      "a: default_js-workers-1",
    );
  });
});

describe("the pools", () => {
  it("planNodeLabels accepts pools as text with commas, with significant blanks and without repetitions", () => {
    expect(listPairs({ jobSet, pools: "b,a, a,b", nodes: [] })).toEqual([
      "b: default_js-workers-1",
      "a: default_js-workers-0",
      " a: default_js-driver-0",
    ]);
  });

  it("planNodeLabels reads empty text as one pool without a name", () => {
    const single = aJobSet("js").withReplicatedJob("w");
    expect(listPairs({ jobSet: single, pools: "", nodes: [] })).toEqual([": default_js-w-0"]);
    expect(planNodeLabels({ jobSet: single, pools: [], nodes: [] }).ok).toBe(false);
  });
});

describe("the patch of a node", () => {
  const single = aJobSet("js").withReplicatedJob("w");
  const listPatches = (nodes: readonly Node[], taints?: "merge" | "replace") =>
    planLabels({ jobSet: single, pools: "a", nodes, taints }).patches;

  it("planNodeLabels labels and taints a node of a target pool for its Job", () => {
    expect(listPatches([inPool("n1", "a"), inPool("n2", "b"), inPool("n3", "a")])).toEqual([
      {
        node: "n1",
        labels: { [NAMESPACED_JOB_KEY]: "default_js-w-0" },
        taints: [NO_SCHEDULE_TAINT],
      },
      {
        node: "n3",
        labels: { [NAMESPACED_JOB_KEY]: "default_js-w-0" },
        taints: [NO_SCHEDULE_TAINT],
      },
    ]);
  });

  it("planNodeLabels skips a node without a name", () => {
    expect(listPatches([inPool("", "a"), { ...inPool("n1", "a"), metadata: {} }])).toEqual([]);
  });

  const gpu: Taint = { key: "gpu", effect: "NoSchedule" };
  const evicting: Taint = { key: NO_SCHEDULE_TAINT_KEY, value: "true", effect: "NoExecute" };
  const stale: Taint = { key: NO_SCHEDULE_TAINT_KEY, value: "false", effect: "NoSchedule" };

  it("the patch of a node keeps its other taints and replaces one with the same key and effect", () => {
    const [patch] = listPatches([inPool("n1", "a", [stale, gpu, evicting])]);
    expect(patch?.taints).toEqual([gpu, evicting, NO_SCHEDULE_TAINT]);
  });

  it("the patch of a node can replace all its taints, as upstream does", () => {
    const [patch] = listPatches([inPool("n1", "a", [gpu, evicting])], "replace");
    expect(patch?.taints).toEqual([NO_SCHEDULE_TAINT]);
  });
});

describe("rejected input", () => {
  it("planNodeLabels rejects a JobSet with a generated name", () => {
    const unnamed = { ...jobSet, metadata: { generateName: "js-" } };
    expect(planNodeLabels({ jobSet: unnamed, pools: "a,b,c", nodes: [] })).toMatchObject({
      ok: false,
      error: { kind: "NameRequired" },
    });
  });

  it("planNodeLabels rejects a number of pools that differs from the number of Jobs", () => {
    expect(planNodeLabels({ jobSet, pools: "a,a,b", nodes: [] })).toEqual({
      ok: false,
      error: {
        kind: "CountMismatch",
        poolCount: 2,
        jobCount: 3,
        message: "number of node pools (2) does not match number of child jobs (3)",
      },
    });
  });

  it("planNodeLabels counts Jobs that are too many to list", () => {
    const huge = aJobSet("js").withReplicatedJob("w", { replicas: 2 ** 31 - 1 });
    expect(planNodeLabels({ jobSet: huge, pools: "a", nodes: [] })).toMatchObject({
      error: { jobCount: 2 ** 31 - 1 },
    });
  });

  it("planNodeLabels rejects a node without a pool in strict mode", () => {
    const nodes = [inPool("n1", "a"), aNode("n2")];
    expect(planNodeLabels({ jobSet, pools: "a,b,c", nodes, strict: true })).toEqual({
      ok: false,
      error: {
        kind: "NodeWithoutPool",
        node: "n2",
        message: "node n2 has no label cloud.google.com/gke-nodepool",
      },
    });
  });
});

describe("warnings", () => {
  const single = aJobSet("js").withReplicatedJob("w");

  it("planNodeLabels warns about a node without a pool", () => {
    const plan = planLabels({
      jobSet: single,
      pools: "a",
      nodes: [aNode("n2"), inPool("n1", "a")],
    });
    expect(plan.patches.map(({ node }) => node)).toEqual(["n1"]);
    expect(plan.warnings).toEqual([
      "node n2 has no label cloud.google.com/gke-nodepool; it is not changed",
    ]);
  });

  it("planNodeLabels warns about a target pool without nodes", () => {
    const { warnings } = planLabels({ jobSet: single, pools: "a", nodes: [inPool("n1", "b")] });
    expect(warnings).toEqual(["node pool a has no nodes"]);
  });

  it("planNodeLabels warns about a Job whose name is too long for a label", () => {
    const nodes = [inPool("n1", "a")];
    const fits = aJobSet("j".repeat(51)).withReplicatedJob("w");
    expect(planLabels({ jobSet: fits, pools: "a", nodes }).warnings).toEqual([]);
    const long = aJobSet("j".repeat(52)).withReplicatedJob("w");
    expect(planLabels({ jobSet: long, pools: "a", nodes }).warnings).toEqual([
      `default_${"j".repeat(52)}-w-0 has 64 characters, and a label value at most 63`,
    ]);
  });
});

const taintLists = fc.array(
  fc.record({
    key: fc.constantFrom("gpu", NO_SCHEDULE_TAINT_KEY),
    value: fc.constantFrom("true", "false"),
    effect: fc.constantFrom("NoSchedule" as const, "NoExecute" as const),
  }),
  { maxLength: 3 },
);

/** Valid parameters, with as many pools as Jobs. */
const questions = fc
  .record({
    replicas: fc.array(fc.nat(3), { minLength: 1, maxLength: 3 }),
    nodes: fc.array(fc.record({ pool: fc.option(fc.nat(10)), taints: taintLists }), {
      maxLength: 8,
    }),
    taints: fc.constantFrom("merge" as const, "replace" as const),
  })
  .map(({ replicas, nodes, taints }) => ({
    jobSet: replicas.reduce(
      (all, count, index) => all.withReplicatedJob(`w${index}`, { replicas: count }),
      aJobSet("js"),
    ),
    pools: Array.from({ length: replicas.reduce((sum, one) => sum + one, 0) }, (_, i) => `p${i}`),
    nodes: nodes.map(({ pool, taints: own }, index) =>
      pool === null ? (aNode(`n${index}`) as Node) : inPool(`n${index}`, `p${pool}`, own),
    ),
    taints,
  }));

/** Applies a merge patch to a node as the API server does. */
function applyNodePatch(node: Node, { labels, taints }: NodePatch): Node {
  return {
    ...node,
    metadata: { ...node.metadata, labels: { ...node.metadata.labels, ...labels } },
    spec: { ...node.spec, taints: [...taints] },
  };
}

describe("the plan", () => {
  it("planNodeLabels pairs Jobs and pools one to one", () => {
    fc.assert(
      fc.property(questions, (question) => {
        const { assignments } = planLabels(question);
        expect(assignments.map(({ pool }) => pool)).toEqual(question.pools);
        const jobs = new Set(assignments.map(({ namespacedJob }) => namespacedJob));
        expect(jobs.size).toBe(question.pools.length);
      }),
    );
  });

  it("planNodeLabels patches the nodes of one pool for one Job, and no nodes of other pools", () => {
    fc.assert(
      fc.property(questions, (question) => {
        const { assignments, patches } = planLabels(question);
        const written = Object.fromEntries(
          patches.map(({ node, labels }) => [node, labels[NAMESPACED_JOB_KEY]]),
        );
        for (const { metadata } of question.nodes) {
          const its = assignments.find(({ pool }) => pool === metadata.labels?.[poolKey]);
          expect(written[metadata.name ?? ""]).toBe(its?.namespacedJob);
        }
      }),
    );
  });

  it("planNodeLabels returns the same plan for the same input, also for frozen input", () => {
    fc.assert(
      fc.property(questions, (question) => {
        const frozen = deepFreeze(JSON.parse(JSON.stringify(question)));
        expect(planNodeLabels(frozen)).toEqual(planNodeLabels(question));
      }),
    );
  });

  it("planNodeLabels plans nothing after its plan was applied", () => {
    fc.assert(
      fc.property(questions, (question) => {
        const apply = (nodes: readonly Node[]) => {
          const { patches } = planLabels({ ...question, nodes });
          const byName = new Map(patches.map((patch) => [patch.node, patch]));
          return nodes.map((node) => {
            const patch = byName.get(node.metadata.name ?? "");
            return patch === undefined ? node : applyNodePatch(node, patch);
          });
        };
        const once = apply(question.nodes);
        expect(apply(once)).toEqual(once);
      }),
    );
  });

  it("planNodeLabels returns a plan or an error for any input", () => {
    fc.assert(
      fc.property(corrupted(questions), (value) => {
        const { jobSet: it, pools, nodes, taints } = Object(value);
        const result = planNodeLabels({
          jobSet: it as Unvalidated<JobSet>,
          pools: pools as string,
          nodes: nodes as readonly Unvalidated<Node>[],
          taints: taints as "merge",
        });
        expect(result.ok ? result.assignments : result.error.message).toBeDefined();
      }),
      { numRuns: runs(150) },
    );
  });
});
