import type { Unvalidated } from "@jobset-ts/api";
import {
  EXCLUSIVE_TOPOLOGY_KEY,
  JOB_COMPLETION_INDEX_KEY,
  JOB_INDEX_KEY,
  JOBSET_NAME_KEY,
  NODE_SELECTOR_STRATEGY_KEY,
  PRIORITY_KEY,
} from "@jobset-ts/api/keys";
import type { Pod } from "@jobset-ts/api/kubernetes";
import { createSnapshot, type Quirk, UPSTREAM_QUIRKS } from "@jobset-ts/core";
import { aNode, aPod } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { deepFreeze } from "../../../testing/src/testing/freezing.ts";
import type { WebhookOptions } from "../webhook-shape.ts";
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
import { listRules, mutateAllowed } from "./testing/mutate-allowed.ts";

const required = "requiredDuringSchedulingIgnoredDuringExecution";

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
    const result = mutateAllowed(pod);
    expect(result).toMatchObject({ changed: false });
    expect(result.object).toBe(pod);
    expect(listRules(result)).toEqual([rule]);
  });

  it("mutatePod does not change a Pod that belongs to no JobSet", () => {
    const pod = aLeader().withSpec({ priority: 100 });
    expect(mutateAllowed(pod, createCluster(), contextWithQuirks(), "DELETE").object).toBe(pod);
  });

  it("mutatePod does not change a Pod on update, like upstream", () => {
    const pod = aLeader().withSpec({ priority: 100 });
    expect(mutateAllowed(pod, createCluster(), contextWithQuirks(), "UPDATE").changed).toBe(true);
  });
});

describe("the priority label", () => {
  const getPriorityLabel = (pod: Unvalidated<Pod>, ...quirks: readonly Quirk[]) =>
    mutateAllowed(pod, createCluster(), contextWithQuirks(...quirks)).object.metadata?.labels?.[
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
      mutateAllowed(leader, createCluster(), contextWithQuirks(...quirks)).object.spec?.affinity
        ?.podAntiAffinity?.[required]?.[0]?.labelSelector?.matchExpressions?.[2]?.values;
    expect(values()).toEqual(["n5"]);
    expect(values("NegativePriorityLabel")).toEqual(["-5"]);
  });

  it("mutatePod with a priority label shares all other parts with the request's Pod", () => {
    const pod = aJobSetPod("js-rjob-0-1-x").withSpec({ priority: 100 });
    const { object } = mutateAllowed(pod);
    expect(object.spec).toBe(pod.spec);
    expect(object.metadata?.annotations).toBe(pod.metadata.annotations);
    expect(pod.metadata.labels).not.toHaveProperty(PRIORITY_KEY);
  });
});

describe("a follower", () => {
  const follower = aFollower().withSpec({ priority: 100 });

  it("a follower gets the domain of its leader's node", () => {
    const { object, decisions } = mutateAllowed(
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
    const { object } = mutateAllowed(
      follower.withSpec({ nodeSelector }),
      createCluster(aLeader().onNode("node-a"), nodeA),
    );
    expect(object.spec?.nodeSelector).toEqual({ pool: "p", [zone]: "zone-a" });
  });

  it("a follower gets an empty domain if the node's label is empty", () => {
    const node = aNode("node-a").withLabels({ [zone]: "" });
    const { object } = mutateAllowed(follower, createCluster(aLeader().onNode("node-a"), node));
    expect(object.spec?.nodeSelector).toEqual({ [zone]: "" });
  });

  it("a follower gets its domain for any topology key", () => {
    const node = {
      ...aNode("node-a"),
      metadata: { name: "node-a", labels: JSON.parse('{"__proto__":"d"}') },
    };
    const { object } = mutateAllowed(
      aFollower().exclusive("__proto__"),
      createCluster(aLeader().onNode("node-a"), node),
    );
    expect(JSON.stringify(object.spec?.nodeSelector)).toBe('{"__proto__":"d"}');
  });

  it("a follower gets only its priority label while the leader is pending, and the decision states the reason", () => {
    const result = mutateAllowed(follower, createCluster(aLeader(), nodeA));
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
    const result = mutateAllowed(follower, snapshot);
    expect(result.object.spec).toBe(follower.spec);
    expect(listRules(result)).toEqual(["PriorityLabelled", "LeaderNotFound"]);
    expect(result.decisions[1]?.findings?.map((finding) => finding.id)).toContain(id);
  });

  it("mutatePod does not change a follower without the labels that identify its leader", () => {
    const result = mutateAllowed(follower.withLabels({ [JOB_INDEX_KEY]: undefined }));
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
    const result = mutateAllowed(aLeader(), createCluster(), contextWithQuirks(...UPSTREAM_QUIRKS));
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
    const result = mutateAllowed(aFollower(), createCluster(aLeader(), event, nodeA));
    expect(result.decisions[0]?.findings?.map(({ id }) => id)).toEqual(["leader-scheduled"]);
  });
});
