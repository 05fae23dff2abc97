import type { ReplicatedJob } from "@jobset-ts/api";
import { aJobSet, aReplicatedJob } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { type AnyObject, replicatedJob } from "./testing/created-jobsets.ts";
import {
  contextWithoutQuirk,
  emptyCluster,
  getDenial,
  likeUpstream,
  updateErrors,
  validateUpdate,
  withGates,
} from "./testing/denials.ts";
import {
  container,
  createJobSet,
  immutable,
  replicatedJobsAreImmutable,
  withPodTemplate,
} from "./testing/updated-jobsets.ts";
import { validateJobSet } from "./validate-jobset.ts";

describe("the response to an update of a JobSet", () => {
  it("the denial of two immutable changes equals upstream's to the byte", () => {
    const old = aJobSet("js").withSpec({
      managedBy: "acme.io/me",
      replicatedJobs: [
        {
          name: "workers",
          groupName: "default",
          replicas: 2,
          template: {
            spec: {
              completionMode: "Indexed",
              template: {
                spec: { containers: [{ name: "c", image: "busybox" }], restartPolicy: "OnFailure" },
              },
            },
          },
        },
      ],
    });
    const next = JSON.parse(JSON.stringify(old));
    delete next.spec.managedBy;
    next.spec.replicatedJobs[0].template.spec.template.spec.nodeSelector = { pool: "a" };
    const denial = getDenial(validateUpdate(old, next, emptyCluster, likeUpstream));
    expect(denial.status.message).toBe(
      'JobSet.jobset.x-k8s.io "js" is invalid: [spec.replicatedJobs: Invalid value: [{"name":"workers","groupName":"default","template":{"metadata":{},"spec":{"template":{"metadata":{},"spec":{"containers":[{"name":"c","image":"busybox","resources":{}}],"restartPolicy":"OnFailure","nodeSelector":{"pool":"a"}}},"completionMode":"Indexed"}},"replicas":2}]: field is immutable, spec.managedBy: Invalid value: null: field is immutable]',
    );
    expect(denial.roots.map(({ id }) => id)).toEqual([
      "replicated-jobs-immutable",
      "managed-by-immutable",
    ]);
  });

  it.each<[string, AnyObject]>([
    ["suspend", { suspend: true }],
    ["the coordinator, even to a missing Pod", { coordinator: { replicatedJob: "x" } }],
    ["the time to live", { ttlSecondsAfterFinished: 5 }],
    ["a removed policy", { successPolicy: undefined, network: undefined }],
  ])("an update may change %s, as in upstream", (_, spec) => {
    const old = createJobSet(aReplicatedJob("w"));
    expect(updateErrors(old, old.withSpec(spec))).toEqual([]);
  });

  it("an update may change labels and annotations of the JobSet", () => {
    const old = createJobSet(aReplicatedJob("w"));
    expect(updateErrors(old, old.withLabels({ a: "1" }).withAnnotations({ b: "2" }))).toEqual([]);
  });

  it.each<[string, AnyObject, AnyObject]>([
    ["empty metadata", { metadata: {} }, {}],
    ["an empty list", { dependsOn: [] }, {}],
    ["a quantity", resources("1Gi"), resources("1024Mi")],
  ])("another notation of %s is not a change", (_, before, after) => {
    const [old, next] = [aReplicatedJob("w", before), aReplicatedJob("w", after)];
    expect(updateErrors(createJobSet(old), createJobSet(next))).toEqual([]);
  });

  it.each<[string, AnyObject, AnyObject]>([
    ["a security context", { securityContext: {} }, {}],
    [
      "a toleration at another position",
      { tolerations: [{ key: "a" }, { key: "b" }] },
      { tolerations: [{ key: "b" }, { key: "a" }] },
    ],
  ])("%s is a change", (_, before, after) => {
    const [old, next] = [before, after].map((spec) =>
      withPodTemplate({ spec: { containers: [container], ...spec } }),
    );
    expect(updateErrors(old, next)).toEqual([replicatedJobsAreImmutable]);
  });

  it("suspend: false inside a Job template is a change", () => {
    const next = createJobSet(replicatedJob("w", { suspend: false }));
    expect(updateErrors(createJobSet(replicatedJob("w")), next)).toEqual([
      replicatedJobsAreImmutable,
    ]);
  });

  it.each<[string, readonly ReplicatedJob[]]>([
    ["added", [aReplicatedJob("a"), aReplicatedJob("b"), aReplicatedJob("c")]],
    ["removed", [aReplicatedJob("a")]],
    ["renamed", [aReplicatedJob("a"), aReplicatedJob("c")]],
    ["moved to the front", [aReplicatedJob("b"), aReplicatedJob("a")]],
    ["resized", [aReplicatedJob("a"), aReplicatedJob("b", { replicas: 2 })]],
  ])("a ReplicatedJob must not be %s, suspended or not, with any gates", (_, jobs) => {
    const old = createJobSet(aReplicatedJob("a"), aReplicatedJob("b"));
    for (const [one, other] of [
      [old, createJobSet(...jobs)],
      [old.suspended(), createJobSet(...jobs).suspended()],
    ]) {
      expect(updateErrors(one, other)).toEqual([replicatedJobsAreImmutable]);
      expect(updateErrors(one, other, withGates("ElasticJobSet"))).toEqual([
        replicatedJobsAreImmutable,
      ]);
    }
  });

  it("the denial shows null if all ReplicatedJobs are gone, and a list if one remains", () => {
    const old = createJobSet(aReplicatedJob("w"));
    const none = old.withSpec({ replicatedJobs: undefined });
    expect(updateErrors(old, none)).toEqual([immutable("spec.replicatedJobs", "null")]);
    expect(updateErrors(old, createJobSet())).toEqual([immutable("spec.replicatedJobs", "[]")]);
    expect(updateErrors(createJobSet(), none)).toEqual([]);
  });

  it("ReplicatedJobs are paired with the last one of their name", () => {
    const [first, last] = [
      replicatedJob("w"),
      replicatedJob("w", { parallelism: 5, completions: 5 }),
    ];
    const old = createJobSet(first, last);
    const on = withGates("ElasticJobSet");
    // The first ReplicatedJob counts as the second one after scaling.
    expect(updateErrors(old, createJobSet(first, first), on)).toEqual([replicatedJobsAreImmutable]);
  });

  it.each<[AnyObject, AnyObject, string]>([
    ["a.io/a", "a.io/b", '"a.io/b"'],
    ["a.io/a", undefined, "null"],
    [undefined, "a.io/a", '"a.io/a"'],
    [undefined, "", '""'],
  ])("managedBy must not change from %j to %j", (before, after, shown) => {
    const [old, next] = [before, after].map((managedBy) => aJobSet("js").withSpec({ managedBy }));
    expect(updateErrors(old, next)).toEqual([immutable("spec.managedBy", shown)]);
  });

  it("an update is denied with 400 if either JobSet cannot be decoded, the new one first", () => {
    const bad = { ...aJobSet("js"), spec: { suspend: 1 } };
    const worse = { ...aJobSet("js"), spec: [] };
    expect(getDenial(validateUpdate(bad, worse, emptyCluster, likeUpstream)).status).toEqual({
      message: 'spec: Invalid value: "array": must be an object',
      code: 400,
    });
    const denial = getDenial(validateUpdate(bad, aJobSet("js"), emptyCluster, likeUpstream));
    expect(denial.status.code).toBe(400);
  });
});

describe("the Pod template of a JobSet", () => {
  const full = (value: string) => ({
    metadata: { annotations: { a: value }, labels: { l: value } },
    spec: {
      containers: [container],
      nodeSelector: { pool: value },
      tolerations: [{ key: value }],
      schedulingGates: [{ name: value }],
    },
  });
  const bare = { spec: { containers: [container] } };

  it.each<[string, AnyObject, AnyObject]>([
    ["change", full("x"), full("y")],
    ["come", bare, full("y")],
    ["go", full("x"), bare],
  ])(
    "members of the Pod template %s while suspended, and when suspended or resumed",
    (_, before, after) => {
      const [old, next] = [withPodTemplate(before), withPodTemplate(after)];
      expect(updateErrors(old, next)).toEqual([replicatedJobsAreImmutable]);
      expect(updateErrors(old.suspended(), next.suspended())).toEqual([]);
      expect(updateErrors(old.suspended(), next)).toEqual([]);
      expect(updateErrors(old, next.suspended())).toEqual([]);
    },
  );

  it("other members of the Pod template are immutable", () => {
    const next = { spec: { containers: [container], hostNetwork: true } };
    expect(
      updateErrors(withPodTemplate(bare).suspended(), withPodTemplate(next).suspended()),
    ).toEqual([replicatedJobsAreImmutable]);
  });

  it("the denial shows old values for members that may change", () => {
    const next = { ...full("y"), spec: { ...full("y").spec, hostNetwork: true } };
    const [error] = updateErrors(
      withPodTemplate(full("x")).suspended(),
      withPodTemplate(next).suspended(),
    );
    expect(error).toContain('"nodeSelector":{"pool":"x"},"hostNetwork":true');
  });

  it("a change in a removed ReplicatedJob is not reported beside the removal", () => {
    const old = createJobSet(
      replicatedJob("a", { template: full("x") }),
      aReplicatedJob("b"),
    ).suspended();
    const next = createJobSet(
      replicatedJob("a", { template: full("y") }),
      aReplicatedJob("c"),
    ).suspended();
    expect(updateErrors(old, next)).toEqual([replicatedJobsAreImmutable]);
  });

  it("container resources may change while suspended only with the gate of KEP-1150", () => {
    const [old, next] = ["1", "2"].map((cpu) =>
      withPodTemplate({
        spec: { containers: [{ ...container, resources: { requests: { cpu } } }] },
      }).suspended(),
    );
    const on = withGates("MutablePodResourcesForSuspendedJobSets");
    expect(updateErrors(old, next)).toEqual([replicatedJobsAreImmutable]);
    expect(updateErrors(old, next, on)).toEqual([]);
    const running = old?.withSpec({ suspend: false });
    expect(updateErrors(running, next?.withSpec({ suspend: false }), on)).toEqual([
      replicatedJobsAreImmutable,
    ]);
  });
});

describe("a removed policy", () => {
  const old = createJobSet(aReplicatedJob("w")).withSpec({
    failurePolicy: { maxRestarts: 3 },
    startupPolicy: { startupPolicyOrder: "AnyOrder" },
    volumeClaimPolicies: [{ templates: [] }],
  });
  const ours = contextWithoutQuirk("PolicyRemovable");

  it.each(["network", "successPolicy", "failurePolicy", "startupPolicy", "volumeClaimPolicies"])(
    "a removed policy is denied by default and admitted by upstream: %s",
    (policy) => {
      const next = old.withSpec({ [policy]: undefined });
      expect(updateErrors(old, next)).toEqual([]);
      expect(updateErrors(old, next, ours)).toEqual([immutable(`spec.${policy}`, "null")]);
      const nothing = old.withSpec({ [policy]: null });
      expect(updateErrors(old, nothing, ours)).toHaveLength(1);
      expect(updateErrors(next, next, ours)).toEqual([]);
      expect(updateErrors(next, old, ours)).toEqual([]);
    },
  );

  it("an empty list of policies counts as absent", () => {
    const empty = old.withSpec({ volumeClaimPolicies: [] });
    const none = old.withSpec({ volumeClaimPolicies: undefined });
    expect(updateErrors(empty, none, ours)).toEqual([]);
    expect(updateErrors(old, empty, ours)).toHaveLength(1);
  });
});

describe("a request", () => {
  const old = createJobSet(aReplicatedJob("w"));
  const next = createJobSet(aReplicatedJob("x"));

  it("validateJobSet handles creations, updates and deletions", () => {
    const call = (operation: "CREATE" | "UPDATE" | "DELETE") =>
      validateJobSet({ operation, object: next, oldObject: old }, emptyCluster, likeUpstream);
    expect(call("CREATE")).toEqual({ allowed: true });
    expect(call("UPDATE").allowed).toBe(false);
    expect(call("DELETE")).toEqual({ allowed: true });
  });

  it("validateJobSet allows the deletion of any object", () => {
    for (const oldObject of [old, null, undefined, 5, []]) {
      const request = { operation: "DELETE", oldObject } as const;
      expect(validateJobSet(request, emptyCluster, likeUpstream)).toEqual({ allowed: true });
    }
  });
});

function resources(memory: string): AnyObject {
  const requests = { requests: { memory } };
  return {
    template: {
      spec: { template: { spec: { containers: [{ ...container, resources: requests }] } } },
    },
  };
}
