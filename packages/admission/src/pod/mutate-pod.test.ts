import type { Unvalidated } from "@jobset-ts/api";
import {
  EXCLUSIVE_TOPOLOGY_KEY,
  JOB_COMPLETION_INDEX_KEY,
  JOB_INDEX_KEY,
  JOB_KEY_KEY,
  JOBSET_NAME_KEY,
  NODE_SELECTOR_STRATEGY_KEY,
  PRIORITY_KEY,
} from "@jobset-ts/api/keys";
import type { Pod } from "@jobset-ts/api/kubernetes";
import { createSnapshot, type Quirk, UPSTREAM_QUIRKS } from "@jobset-ts/core";
import { aNode, aPod } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { deepFreeze } from "../../../testing/src/testing/freezing.ts";
import type { Operation, WebhookOptions } from "../webhook-shape.ts";
import { mutatePod } from "./mutate-pod.ts";
import {
  aFollower,
  aJobSetPod,
  aLeader,
  aWarning,
  contextWithQuirks,
  createCluster,
  createCreationRequest,
  nodeA,
  zone,
} from "./testdata/zone-pods.ts";

const required = "requiredDuringSchedulingIgnoredDuringExecution";

function mutateLeader(
  pod: Unvalidated<Pod>,
  snapshot = createCluster(),
  context = contextWithQuirks(),
  operation: Operation = "CREATE",
) {
  const result = mutatePod({ operation, object: deepFreeze(pod) }, snapshot, context);
  if (!result.allowed) throw new Error(`refused: ${result.denial.status.message}`);
  return result;
}

function getDenial(
  pod: Unvalidated<Pod>,
  snapshot = createCluster(),
  options: WebhookOptions = {},
) {
  const result = mutatePod(
    createCreationRequest(deepFreeze(pod)),
    snapshot,
    contextWithQuirks(),
    options,
  );
  if (result.allowed) throw new Error("allowed");
  return result.denial;
}

const listRules = ({ decisions }: ReturnType<typeof mutateLeader>) =>
  decisions.map(({ rule }) => rule);

describe("a Pod that the webhook does not change", () => {
  it.each([
    [
      "has no annotations",
      "NotOfJobSet",
      aPod("js-rjob-0-1-x").withAnnotations({ [JOB_COMPLETION_INDEX_KEY]: undefined }),
    ],
    ["has only the label of a JobSet", "NotOfJobSet", aPod("js-rjob-0-1-x").exclusive(zone)],
    [
      "is placed by node labels",
      "NodeSelectorStrategy",
      aFollower()
        .withAnnotations({ [NODE_SELECTOR_STRATEGY_KEY]: "" })
        .withSpec({ priority: 100 }),
    ],
    [
      "is placed by node labels without a topology key",
      "NodeSelectorStrategy",
      aJobSetPod("js-rjob-0-1-x")
        .withAnnotations({ [NODE_SELECTOR_STRATEGY_KEY]: "false" })
        .withSpec({ priority: 100 }),
    ],
    ["has no priority and shares its domain", "NotExclusive", aJobSetPod("js-rjob-0-1-x")],
  ])("mutatePod does not change a Pod that %s", (_, rule, pod) => {
    const result = mutateLeader(pod);
    expect(result).toMatchObject({ changed: false });
    expect(result.object).toBe(pod);
    expect(listRules(result)).toEqual([rule]);
  });

  it("mutatePod does not change a Pod that belongs to no JobSet", () => {
    const pod = aLeader().withSpec({ priority: 100 });
    expect(mutateLeader(pod, createCluster(), contextWithQuirks(), "DELETE").object).toBe(pod);
  });

  it("mutatePod does not change a Pod on update, like upstream", () => {
    const pod = aLeader().withSpec({ priority: 100 });
    expect(mutateLeader(pod, createCluster(), contextWithQuirks(), "UPDATE").changed).toBe(true);
  });
});

describe("the priority label", () => {
  const getPriorityLabel = (pod: Unvalidated<Pod>, ...quirks: readonly Quirk[]) =>
    mutateLeader(pod, createCluster(), contextWithQuirks(...quirks)).object.metadata?.labels?.[
      PRIORITY_KEY
    ];

  it("the priority label contains the priority of each Pod of a JobSet, exclusive or not", () => {
    expect(getPriorityLabel(aJobSetPod("js-rjob-0-1-x").withSpec({ priority: 100 }))).toBe("100");
    expect(getPriorityLabel(aFollower().withSpec({ priority: 0 }))).toBe("0");
  });

  it("mutatePod replaces a priority label that a user set, and keeps it on a Pod without priority", () => {
    const pod = aJobSetPod("js-rjob-0-1-x").withLabels({ [PRIORITY_KEY]: "7" });
    expect(getPriorityLabel(pod.withSpec({ priority: 100 }))).toBe("100");
    expect(getPriorityLabel(pod)).toBe("7");
  });

  it("the label of a negative priority is valid, except with the upstream quirk", () => {
    const pod = aJobSetPod("js-rjob-0-1-x").withSpec({ priority: -5 });
    expect(getPriorityLabel(pod)).toBe("n5");
    expect(getPriorityLabel(pod.withSpec({ priority: -2_147_483_648 }))).toBe("n2147483648");
    expect(getPriorityLabel(pod, "NegativePriorityLabel")).toBe("-5");
  });

  it("the priority label has the same format as the value in the leader's affinity term", () => {
    const leader = aLeader().withSpec({ priority: -5 });
    const values = (...quirks: readonly Quirk[]) =>
      mutateLeader(leader, createCluster(), contextWithQuirks(...quirks)).object.spec?.affinity
        ?.podAntiAffinity?.[required]?.[0]?.labelSelector?.matchExpressions?.[2]?.values;
    expect(values()).toEqual(["n5"]);
    expect(values("NegativePriorityLabel")).toEqual(["-5"]);
  });

  it("mutatePod with a priority label shares all other parts with the request's Pod", () => {
    const pod = aJobSetPod("js-rjob-0-1-x").withSpec({ priority: 100 });
    const { object } = mutateLeader(pod);
    expect(object.spec).toBe(pod.spec);
    expect(object.metadata?.annotations).toBe(pod.metadata.annotations);
    expect(pod.metadata.labels).not.toHaveProperty(PRIORITY_KEY);
  });
});

describe("a leader", () => {
  const leader = aLeader()
    .withLabels({ [JOB_KEY_KEY]: "js-rjob-0" })
    .withSpec({ priority: 100 });
  const attraction = {
    labelSelector: {
      matchExpressions: [{ key: JOB_KEY_KEY, operator: "In", values: ["js-rjob-0"] }],
    },
    topologyKey: zone,
    namespaceSelector: {},
  };
  const repulsion = {
    labelSelector: {
      matchExpressions: [
        { key: JOB_KEY_KEY, operator: "Exists" },
        { key: JOB_KEY_KEY, operator: "NotIn", values: ["js-rjob-0"] },
        { key: PRIORITY_KEY, operator: "In", values: ["100"] },
      ],
    },
    topologyKey: zone,
    namespaceSelector: {},
  };

  it("a leader gets an affinity term for its Job and an anti-affinity term against other Jobs of its priority", () => {
    const { object, decisions } = mutateLeader(leader);
    expect(object.spec?.affinity).toEqual({
      podAffinity: { [required]: [attraction] },
      podAntiAffinity: { [required]: [repulsion] },
    });
    expect(object.metadata?.labels?.[PRIORITY_KEY]).toBe("100");
    expect(decisions).toEqual([
      {
        rule: "PriorityLabelled",
        message: `label ${PRIORITY_KEY} becomes "100" for the Pod's priority`,
      },
      {
        rule: "DomainReserved",
        message: `the leader gets affinity terms that reserve its ${zone} for its Job`,
      },
    ]);
  });

  it("a leader keeps the terms of its template before the added ones", () => {
    const own = { topologyKey: "rack", labelSelector: { matchLabels: { app: "x" } } };
    const preferred = { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1 }] };
    const nodeAffinity = { [required]: { nodeSelectorTerms: [] } };
    const affinity = {
      nodeAffinity,
      podAffinity: { ...preferred, [required]: [own] },
      podAntiAffinity: { [required]: [own, own] },
    };
    expect(mutateLeader(leader.withSpec({ affinity })).object.spec?.affinity).toEqual({
      nodeAffinity,
      podAffinity: { ...preferred, [required]: [own, attraction] },
      podAntiAffinity: { [required]: [own, own, repulsion] },
    });
  });

  it("the affinity terms of a leader have an empty value if the job key or the priority is absent", () => {
    const { object } = mutateLeader(aLeader().withLabels({ [JOB_KEY_KEY]: undefined }));
    const terms = JSON.stringify(object.spec?.affinity);
    expect(terms).toContain(`{"key":"${JOB_KEY_KEY}","operator":"In","values":[""]}`);
    expect(terms).toContain(`{"key":"${PRIORITY_KEY}","operator":"In","values":[""]}`);
  });

  it("a leader with an empty topology key gets terms with an empty key", () => {
    const { object } = mutateLeader(aLeader().exclusive(""));
    expect(object.spec?.affinity?.podAffinity?.[required]?.[0]?.topologyKey).toBe("");
  });

  it("mutatePod does not add a term twice, except with the upstream quirk", () => {
    const { object: once } = mutateLeader(leader);
    const twice = mutateLeader(once);
    expect(twice.object).toBe(once);
    expect(listRules(twice)).toEqual(["DomainReserved"]);
    const second = mutateLeader(
      once,
      createCluster(),
      contextWithQuirks("LeaderTermsAppendedAgain"),
    );
    expect(second.object.spec?.affinity).toEqual({
      podAffinity: { [required]: [attraction, attraction] },
      podAntiAffinity: { [required]: [repulsion, repulsion] },
    });
  });

  it("a leader gets only the term that is missing", () => {
    const affinity = {
      podAffinity: { [required]: [{ ...attraction, namespaces: null }] },
    } as object;
    expect(mutateLeader(leader.withSpec({ affinity })).object.spec?.affinity).toEqual({
      ...affinity,
      podAntiAffinity: { [required]: [repulsion] },
    });
  });

  it.each([
    ["with another topology key", { ...attraction, topologyKey: "rack" }],
    [
      "of another Job",
      {
        ...attraction,
        labelSelector: {
          matchExpressions: [{ key: JOB_KEY_KEY, operator: "In", values: ["other"] }],
        },
      },
    ],
    ["with more expressions", { ...attraction, namespaces: ["ml"] }],
    ["without namespaces", { labelSelector: attraction.labelSelector, topologyKey: zone }],
  ])("a leader does not treat a term %s as its own", (_, term) => {
    const spec = { affinity: { podAffinity: { [required]: [term] } } } as object;
    const { object } = mutateLeader(leader.withSpec(spec));
    expect(object.spec?.affinity?.podAffinity?.[required]).toEqual([term, attraction]);
  });

  it("a leader does not treat a term against Jobs of another priority as its own", () => {
    const [exists, others] = repulsion.labelSelector.matchExpressions;
    const priority = { key: PRIORITY_KEY, operator: "In", values: ["7"] };
    const labelSelector = { matchExpressions: [exists, others, priority] };
    const term = { ...repulsion, labelSelector };
    const spec = { affinity: { podAntiAffinity: { [required]: [term] } } } as object;
    const { object } = mutateLeader(leader.withSpec(spec));
    expect(object.spec?.affinity?.podAntiAffinity?.[required]).toEqual([term, repulsion]);
  });

  it("a leader is admitted without a read of the cluster", () => {
    expect(mutateLeader(leader, createSnapshot([])).changed).toBe(true);
  });

  it("a Pod is a leader only if its index annotation is exactly 0", () => {
    const pod = aFollower().withAnnotations({ [JOB_COMPLETION_INDEX_KEY]: "00" });
    expect(mutateLeader(pod).object.spec?.affinity).toBeUndefined();
    const labelled = aFollower().withLabels({ [JOB_COMPLETION_INDEX_KEY]: "0" });
    expect(mutateLeader(labelled).object.spec?.affinity).toBeUndefined();
  });
});

describe("a follower", () => {
  const follower = aFollower().withSpec({ priority: 100 });

  it("a follower gets the domain of its leader's node", () => {
    const { object, decisions } = mutateLeader(
      follower,
      createCluster(aLeader().onNode("node-a"), nodeA),
    );
    expect(object.spec?.nodeSelector).toEqual({ [zone]: "zone-a" });
    expect(object.metadata?.labels?.[PRIORITY_KEY]).toBe("100");
    expect(decisions.map(({ message }) => message)).toEqual([
      `label ${PRIORITY_KEY} becomes "100" for the Pod's priority`,
      `the follower gets the node selector of its leader's domain, ${zone}=zone-a`,
    ]);
  });

  it("a follower keeps its other selectors, and its domain is replaced", () => {
    const nodeSelector = { pool: "p", [zone]: "zone-b" };
    const { object } = mutateLeader(
      follower.withSpec({ nodeSelector }),
      createCluster(aLeader().onNode("node-a"), nodeA),
    );
    expect(object.spec?.nodeSelector).toEqual({ pool: "p", [zone]: "zone-a" });
  });

  it("a follower gets an empty domain if the node's label is empty", () => {
    const node = aNode("node-a").withLabels({ [zone]: "" });
    const { object } = mutateLeader(follower, createCluster(aLeader().onNode("node-a"), node));
    expect(object.spec?.nodeSelector).toEqual({ [zone]: "" });
  });

  it("a follower gets its domain for any topology key", () => {
    const node = {
      ...aNode("node-a"),
      metadata: { name: "node-a", labels: JSON.parse('{"__proto__":"d"}') },
    };
    const { object } = mutateLeader(
      aFollower().exclusive("__proto__"),
      createCluster(aLeader().onNode("node-a"), node),
    );
    expect(JSON.stringify(object.spec?.nodeSelector)).toBe('{"__proto__":"d"}');
  });

  it("a follower gets only its priority label while the leader is pending, and the decision states the reason", () => {
    const result = mutateLeader(follower, createCluster(aLeader(), nodeA));
    expect(result.object.spec).toBe(follower.spec);
    expect(result.object.metadata?.labels?.[PRIORITY_KEY]).toBe("100");
    expect(listRules(result)).toEqual(["PriorityLabelled", "LeaderNotScheduled"]);
    const findings = result.decisions[1]?.findings ?? [];
    expect(findings.map(({ id }) => id)).toEqual(["leader-scheduled"]);
  });

  it.each([
    ["there is no leader", createCluster(nodeA), "one-active-leader"],
    [
      "there are two leaders",
      createCluster(aLeader().onNode("node-a"), aLeader("ccccc").onNode("node-a"), nodeA),
      "one-active-leader",
    ],
    [
      "the leader is of an earlier Job",
      createCluster(aLeader().onNode("node-a").withoutOwner(), nodeA),
      "same-owner",
    ],
    [
      "Pods cannot be read",
      createSnapshot([nodeA], { readErrors: { Pod: "no" } }),
      "one-active-leader",
    ],
    ["Pods were not read", createSnapshot([nodeA]), "one-active-leader"],
  ])("mutatePod does not change a follower if %s", (_, snapshot, id) => {
    const result = mutateLeader(follower, snapshot);
    expect(result.object.spec).toBe(follower.spec);
    expect(listRules(result)).toEqual(["PriorityLabelled", "LeaderNotFound"]);
    expect(result.decisions[1]?.findings?.map((finding) => finding.id)).toContain(id);
  });

  it("mutatePod does not change a follower without the labels that identify its leader", () => {
    const result = mutateLeader(follower.withLabels({ [JOB_INDEX_KEY]: undefined }));
    expect(result.decisions[1]?.findings?.map(({ message }) => message)).toEqual([
      "pod missing label: jobset.sigs.k8s.io/job-index",
    ]);
  });
});

describe("a follower whose leader is on an invalid node", () => {
  const cluster = createCluster(aLeader().onNode("node-a"));

  it("a follower is denied by the first webhook if its leader's node is missing", () => {
    const { status, roots, symptoms, transient } = getDenial(aFollower(), cluster);
    expect(status).toEqual({
      status: "Failure",
      message: 'nodes "node-a" not found',
      reason: "NotFound",
      details: { name: "node-a", kind: "nodes" },
      code: 404,
    });
    expect(roots.map(({ id }) => id)).toEqual(["node-unknown"]);
    expect(symptoms.map(({ id }) => id)).toEqual(["node-known"]);
    expect(transient).toBe(true);
  });

  it("a follower is denied with the message of a cache if that option is set", () => {
    expect(getDenial(aFollower(), cluster, { notFoundStyle: "cache" }).status).toMatchObject({
      message: 'Node "node-a" not found',
      details: { name: "node-a", kind: "Node" },
    });
  });

  it("a follower is denied if its leader's node does not have the label", () => {
    const { status, roots, transient } = getDenial(
      aFollower(),
      createCluster(aLeader().onNode("node-a"), aNode("node-a")),
    );
    expect(status).toEqual({
      message: `node does not have topology label: ${zone}`,
      reason: "Forbidden",
      code: 403,
    });
    expect(roots.map(({ id }) => id)).toEqual(["topology-label-missing"]);
    expect(transient).toBe(false);
  });

  const bound = aLeader().onNode("node-a");

  it("a follower is denied with the server's error if a read failed", () => {
    const busy = { message: "too busy", reason: "ServiceUnavailable", code: 503 };
    const read = (error: string | typeof busy) =>
      getDenial(aFollower(), createSnapshot([bound], { readErrors: { Node: error } }));
    expect(read(busy).status).toEqual({ status: "Failure", ...busy });
    expect(read("no route").status).toEqual({
      message: "no route",
      reason: "Forbidden",
      code: 403,
    });
    expect(read("no route").unknown.map(({ id }) => id)).toEqual(["node-known"]);
  });

  it("mutatePod denies with an internal error if nodes were not read", () => {
    const { status, roots, unknown } = getDenial(aFollower(), createSnapshot([bound]));
    expect(status).toEqual({
      message: "objects of kind Node were not read",
      reason: "InternalError",
      code: 500,
    });
    expect(roots).toEqual([]);
    expect(unknown.map(({ id }) => id)).toEqual(["node-known"]);
  });
});

describe("any Pod", () => {
  it("mutatePod returns a result for any Pod, also with upstream's quirks", () => {
    const result = mutateLeader(aLeader(), createCluster(), contextWithQuirks(...UPSTREAM_QUIRKS));
    expect(result.changed).toBe(true);
  });

  it.each([
    ["null", null],
    ["text", "pod"],
    ["one whose annotations are a list", { metadata: { annotations: [EXCLUSIVE_TOPOLOGY_KEY] } }],
    [
      "one whose topology key is a number",
      { metadata: { annotations: { [JOBSET_NAME_KEY]: "js", [EXCLUSIVE_TOPOLOGY_KEY]: 5 } } },
    ],
  ])("mutatePod accepts any Pod: %s", (_, pod) => {
    expect(
      mutatePod(createCreationRequest(pod), createCluster(), contextWithQuirks()),
    ).toMatchObject({
      allowed: true,
      object: pod,
    });
  });

  it("mutatePod repairs the malformed spec of a leader", () => {
    const { metadata } = aLeader();
    const result = mutatePod(
      createCreationRequest({ metadata, spec: "x" }),
      createCluster(),
      contextWithQuirks(),
    );
    expect(result).toMatchObject({ allowed: true, object: { spec: { affinity: {} } } });
  });

  it("mutatePod ignores unrelated Events", () => {
    const event = aWarning(aLeader(), "BackOff", "no image");
    const result = mutateLeader(aFollower(), createCluster(aLeader(), event, nodeA));
    expect(result.decisions[0]?.findings?.map(({ id }) => id)).toEqual(["leader-scheduled"]);
  });
});
