import { JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { createContext, createSnapshot } from "@jobset-ts/core";
import { aClaim, aJob, aJobSet, aNode, aPod } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import {
  createReadRequest,
  matchesRequiredObject,
  type RequiredObject,
} from "./required-object.ts";
import { requiredObjects } from "./required-objects.ts";
import { review } from "./review.ts";

const context = createContext({ now: "2026-11-21T12:00:00Z" });
const leader = aPod("train-w-0-0-abcde").exclusive("rack");
const follower = aPod("train-w-0-1-fghij")
  .withAnnotations({ [JOBSET_NAME_KEY]: "train" })
  .exclusive("rack");
const node = { ...aNode("n1"), metadata: { name: "n1", labels: { rack: "r-7" } } };
const scheduling = {
  apiVersion: "v1",
  kind: "Event",
  metadata: { name: "e1", namespace: "default" },
  involvedObject: { uid: leader.metadata.uid },
  reason: "FailedScheduling",
  message: "0/1 nodes are available: 1 Insufficient cpu.",
};
const leaders = { apiVersion: "v1", kind: "Pod", namespace: "default", namePrefix: "train-w-0-0-" };

describe("requirements of a follower", () => {
  it("requiredObjects of a follower starts with the Pods that may be its leader", () => {
    const snapshot = createSnapshot([]);
    for (const stage of ["mutate", "validate"] as const) {
      expect(requiredObjects(createReview(follower), snapshot, context, { stage })).toEqual([
        leaders,
      ]);
    }
  });

  it("requiredObjects of a follower then contains the node of its leader", () => {
    const snapshot = createSnapshot([leader.onNode("n1")], { kinds: ["Pod"] });
    expect(requiredObjects(createReview(follower), snapshot, context, { stage: "mutate" })).toEqual(
      [{ apiVersion: "v1", kind: "Node", name: "n1" }],
    );
  });

  it("requiredObjects of a follower then contains the Events about a leader without a node", () => {
    const snapshot = createSnapshot([leader], { kinds: ["Pod"] });
    expect(
      requiredObjects(createReview(follower), snapshot, context, { stage: "validate" }),
    ).toEqual([
      {
        apiVersion: "v1",
        kind: "Event",
        namespace: "default",
        involvedObjectUid: "train-w-0-0-abcde-uid",
      },
    ]);
  });

  it("requiredObjects needs the Events about the follower's Job if it has no leader", () => {
    const snapshot = createSnapshot([], { kinds: ["Pod"] });
    expect(
      requiredObjects(createReview(follower), snapshot, context, { stage: "validate" }),
    ).toMatchObject([{ kind: "Event", involvedObjectUid: "train-w-0-uid" }]);
  });

  it("requiredObjects of a follower becomes empty, and then the required part of the cluster gives the same response as the whole", () => {
    const others = [aPod("train-w-1-0-abcde").exclusive("rack"), aNode("n2"), aJob("train-w-0")];
    for (const placed of [leader, leader.onNode("n1"), leader.onNode("n3")]) {
      const cluster = [placed, node, scheduling, ...others];
      const whole = createSnapshot(cluster, { kinds: ["Pod", "Node", "Event"] });
      for (const stage of ["mutate", "validate"] as const) {
        const { snapshot, read } = fetchRequiredObjects(cluster, stage);
        expect(review(createReview(follower), snapshot, context, { stage })).toEqual(
          review(createReview(follower), whole, context, { stage }),
        );
        expect(read.length).toBeLessThan(3);
      }
    }
  });

  it("requiredObjects omits a kind that could not be read", () => {
    const snapshot = createSnapshot([], { kinds: ["Pod"], readErrors: { Event: "forbidden" } });
    expect(
      requiredObjects(createReview(follower), snapshot, context, { stage: "validate" }),
    ).toEqual([]);
  });
});

describe("requirements of others", () => {
  it("requiredObjects is empty for a leader, and for a request that is denied anyway", () => {
    const options = { stage: "mutate" } as const;
    const [pod, nothing] = [leader.withAnnotations({ [JOBSET_NAME_KEY]: "train" }), { uid: "" }];
    expect(requiredObjects(createReview(pod), createSnapshot([]), context, options)).toEqual([]);
    expect(requiredObjects({ request: nothing }, createSnapshot([]), context, options)).toEqual([]);
    expect(requiredObjects(undefined, createSnapshot([]), context, options)).toEqual([]);
  });

  it("requiredObjects of a JobSet contains all its claims at once", () => {
    const templates = ["data", "logs"].map((name) => ({ metadata: { name }, spec: {} }));
    const jobSet = aJobSet("train").withSpec({ volumeClaimPolicies: [{ templates }] });
    const claim = { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace: "default" };
    const expected = [
      { ...claim, name: "data-train" },
      { ...claim, name: "logs-train" },
    ];
    const options = { stage: "validate" } as const;
    expect(requiredObjects(createReview(jobSet), createSnapshot([]), context, options)).toEqual(
      expected,
    );
    const read = createSnapshot([aClaim("data-train")]);
    expect(requiredObjects(createReview(jobSet), read, context, options)).toEqual([]);
  });
});

describe("requirements of an object with the namespace of the request", () => {
  const { namespace: _, ...metadata } = follower.metadata;

  it.each([
    ["without a namespace", { ...follower, metadata }],
    ["with another namespace", follower.inNamespace("kube-system")],
  ])("requiredObjects uses the namespace of the request for a Pod %s", (_what, object) => {
    const sent = createReview(object as KubernetesObject);
    const request = { ...sent.request, namespace: "default" };
    for (const stage of ["mutate", "validate"] as const) {
      const required = requiredObjects({ ...sent, request }, createSnapshot([]), context, {
        stage,
      });
      expect(required).toEqual([leaders]);
    }
  });

  it("requiredObjects needs nothing for a Pod without a namespace", () => {
    const sent = createReview({ ...follower, metadata } as KubernetesObject);
    const [required] = requiredObjects(sent, createSnapshot([]), context, { stage: "mutate" });
    expect(required).toEqual({ ...leaders, namespace: "" });
    expect(createReadRequest(required as RequiredObject)).toEqual({ action: "None" });
  });
});

describe("createReadRequest", () => {
  it.each<[RequiredObject, string]>([
    [leaders, "/api/v1/namespaces/default/pods"],
    [{ apiVersion: "v1", kind: "Pod", allNamespaces: true }, "/api/v1/pods"],
    [{ apiVersion: "v1", kind: "Node" }, "/api/v1/nodes"],
    [
      { apiVersion: "batch/v1", kind: "Job", namespace: "ml", name: "a b" },
      "/apis/batch/v1/namespaces/ml/jobs/a%20b",
    ],
    [
      { apiVersion: "v1", kind: "Pod", namespace: "ml", labels: { "a/b": "c", d: "" } },
      "/api/v1/namespaces/ml/pods?labelSelector=a%2Fb%3Dc%2Cd%3D",
    ],
    [
      { apiVersion: "v1", kind: "Event", namespace: "ml", involvedObjectUid: "a,b=c\\&d#" },
      "/api/v1/namespaces/ml/events?fieldSelector=involvedObject.uid%3Da%5C%2Cb%5C%3Dc%5C%5C%26d%23",
    ],
    [
      { apiVersion: "v1", kind: "Event", namespace: "ml", involvedObjectUid: "\ud800" },
      "/api/v1/namespaces/ml/events?fieldSelector=involvedObject.uid%3D%EF%BF%BD",
    ],
  ])("createReadRequest %j returns %j", (requirement, path) => {
    expect(createReadRequest(requirement)).toEqual({ action: "Get", path });
  });

  it.each<readonly [string, Omit<RequiredObject, "apiVersion" | "kind">]>([
    ...["", ".", "..", "a/b", "%2e%2e", "\ud800"].flatMap((hostile) => [
      [`the namespace ${JSON.stringify(hostile)}`, { namespace: hostile }] as const,
      [`the name ${JSON.stringify(hostile)}`, { namespace: "ml", name: hostile }] as const,
    ]),
    ["a name, and no namespace", { name: "a" }],
    ["no namespace, and not all of them", {}],
    ...["a,b", "a=b", "a&b", "a b", "a)", "-a", "a".repeat(64), "\ud800"].map(
      (value) => [`the label ${value}`, { namespace: "ml", labels: { a: value } }] as const,
    ),
  ])("createReadRequest returns None for Pods with %s", (_what, which) => {
    expect(createReadRequest({ apiVersion: "v1", kind: "Pod", ...which })).toEqual({
      action: "None",
    });
  });

  it.each<RequiredObject>([
    { apiVersion: "v1", kind: "Secret", namespace: "ml", name: "s" },
    { apiVersion: "batch.volcano.sh/v1", kind: "Job", namespace: "ml" },
    { apiVersion: "v1", kind: "__proto__" },
  ])("createReadRequest returns Unknown for %j", (requirement) => {
    expect(createReadRequest(requirement)).toEqual({ action: "Unknown" });
  });
});

describe("matchesRequiredObject", () => {
  it("matchesRequiredObject distinguishes Events about the object from Events about others or about none", () => {
    const event = { apiVersion: "v1", kind: "Event", metadata: { name: "e1", namespace: "ml" } };
    const requirement = { apiVersion: "v1", kind: "Event", namespace: "ml" };
    const about = (uid: string) => ({ ...event, involvedObject: { uid } });
    const isMet = (object: KubernetesObject) =>
      matchesRequiredObject(object, { ...requirement, involvedObjectUid: "u-1" });
    expect([about("u-1"), about("u-2"), event].map(isMet)).toEqual([true, false, false]);
    expect(matchesRequiredObject(about("u-2"), requirement)).toBe(true);
  });
});

function fetchRequiredObjects(cluster: readonly KubernetesObject[], stage: "mutate" | "validate") {
  const kinds: string[] = [];
  const read: KubernetesObject[] = [];
  for (;;) {
    const snapshot = createSnapshot(read, { kinds });
    const missing = requiredObjects(createReview(follower), snapshot, context, { stage });
    if (missing.length === 0) return { snapshot, read };
    for (const requirement of missing) {
      expect(kinds).not.toContain(requirement.kind);
      read.push(...cluster.filter((object) => matchesRequiredObject(object, requirement)));
    }
    kinds.push(...missing.map(({ kind }) => kind));
  }
}

function createReview(object: KubernetesObject) {
  const [group, version] = object.apiVersion.includes("/")
    ? object.apiVersion.split("/")
    : ["", object.apiVersion];
  return {
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: {
      uid: "u-1",
      kind: { group, version, kind: object.kind },
      operation: "CREATE",
      object,
    },
  };
}
