import type { ReplicatedJob } from "@jobset-ts/api";
import type { Condition } from "@jobset-ts/api/kubernetes";
import { MAX_INT32 } from "@jobset-ts/api/typed";
import { createContext, createSnapshot } from "@jobset-ts/core";
import { type AJobSet, aClaim, aJobSet, aReplicatedJob } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import {
  contextWithoutQuirk,
  emptyCluster,
  getDenial,
  likeUpstream,
  updateErrors,
  validateUpdate,
  withGates,
} from "./testing/denials.ts";
import { validateJobSet } from "./validate-jobset.ts";

// biome-ignore lint/suspicious/noExplicitAny: the test needs members of the wrong type
type AnyObject = any;

/** A ReplicatedJob with other members in the spec of its Job. */
function replicatedJob(name: string, jobSpec: AnyObject = {}, rest: AnyObject = {}): ReplicatedJob {
  const { template } = aReplicatedJob(name);
  return aReplicatedJob(name, {
    template: { ...template, spec: { ...template.spec, ...jobSpec } },
    ...rest,
  });
}

function createJobSet(...replicatedJobs: readonly ReplicatedJob[]): AJobSet {
  return aJobSet("js").withSpec({ replicatedJobs: [...replicatedJobs] });
}

/** A JobSet whose Jobs have these members in their Pod template. */
function withPodTemplate(template: AnyObject): AJobSet {
  return createJobSet(replicatedJob("w", { template }));
}

const container = { name: "main", image: "img" };
const immutable = (field: string, shown: string) =>
  `${field}: Invalid value: ${shown}: field is immutable`;
const replicatedJobsAreImmutable = expect.stringMatching(
  /^spec\.replicatedJobs: Invalid value: .*: field is immutable$/,
);

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

describe("the size of Indexed Jobs", () => {
  const on = withGates("ElasticJobSet");
  const createSizedJobSet = (
    parallelism?: number,
    completions = parallelism,
    completionMode = "Indexed",
  ) => createJobSet(replicatedJob("w", { parallelism, completions, completionMode }));
  const field = "spec.replicatedJobs[0].template.spec";
  const tooSmall = (member: string, value: number) =>
    `${field}.${member}: Invalid value: ${value}: ${member} must be >= 1`;
  const notInTandem = (value: number) =>
    `${field}.completions: Invalid value: ${value}: completions must be equal to parallelism for Elastic Indexed Jobs`;

  it("the size of Indexed Jobs may change with its gate, suspended or not", () => {
    expect(updateErrors(createSizedJobSet(2), createSizedJobSet(8), on)).toEqual([]);
    expect(
      updateErrors(createSizedJobSet(2).suspended(), createSizedJobSet(8).suspended(), on),
    ).toEqual([]);
    expect(updateErrors(createSizedJobSet(2), createSizedJobSet(8))).toEqual([
      replicatedJobsAreImmutable,
    ]);
  });

  it("the size of NonIndexed Jobs is immutable", () => {
    for (const size of [8, 0]) {
      const next = createSizedJobSet(size, size, "NonIndexed");
      expect(updateErrors(createSizedJobSet(2, 2, "NonIndexed"), next, on)).toEqual([
        replicatedJobsAreImmutable,
      ]);
    }
  });

  it("a change to Indexed is reported beside a change of size", () => {
    expect(
      updateErrors(createSizedJobSet(2, 2, "NonIndexed"), createSizedJobSet(8, 8), on),
    ).toEqual([replicatedJobsAreImmutable]);
  });

  it.each<[string, AJobSet, AJobSet, readonly string[]]>([
    [
      "0 and 0",
      createSizedJobSet(2),
      createSizedJobSet(0),
      [tooSmall("parallelism", 0), tooSmall("completions", 0)],
    ],
    ["2 and 3", createSizedJobSet(2), createSizedJobSet(2, 3), [notInTandem(3)]],
    [
      "0 and 3",
      createSizedJobSet(2),
      createSizedJobSet(0, 3),
      [tooSmall("parallelism", 0), notInTandem(3)],
    ],
    [
      "both absent",
      createSizedJobSet(2),
      createJobSet(replicatedJob("w", { parallelism: undefined, completions: undefined })),
      [],
    ],
    [
      "absent completions",
      createSizedJobSet(2),
      createJobSet(replicatedJob("w", { parallelism: 2, completions: undefined })),
      [],
    ],
    [
      "parallelism alone",
      createJobSet(replicatedJob("w", { completions: undefined })),
      createJobSet(replicatedJob("w", { completions: undefined, parallelism: 4 })),
      [],
    ],
    ["values that were invalid before", createSizedJobSet(0, 3), createSizedJobSet(0, 3), []],
    [
      "a parallelism that stays 0",
      createSizedJobSet(0, 3),
      createSizedJobSet(0, 2),
      [notInTandem(2)],
    ],
    ["completions that stay 0", createSizedJobSet(3, 0), createSizedJobSet(2, 0), [notInTandem(0)]],
  ])("the size of Indexed Jobs becomes %s", (_, old, next, errors) => {
    expect(updateErrors(old, next, on)).toEqual(errors);
  });

  it.each(["Completed", "Failed"])(
    "the size of Indexed Jobs is immutable once the JobSet has %s",
    (type) => {
      const createEndedCondition = (status: Condition["status"]) =>
        createSizedJobSet(2).withStatus({
          conditions: [
            { type, status, reason: "R", message: "", lastTransitionTime: "2026-02-07T06:56:19Z" },
          ],
        });
      expect(updateErrors(createEndedCondition("True"), createSizedJobSet(0), on)).toEqual([
        `${field}: Forbidden: Cannot mutate parallelism or completions when JobSet is in a terminal state (Completed or Failed)`,
      ]);
      expect(updateErrors(createEndedCondition("False"), createSizedJobSet(8), on)).toEqual([]);
      expect(updateErrors(createEndedCondition("True"), createSizedJobSet(2), on)).toEqual([]);
    },
  );
});

describe("creation rules on update", () => {
  const ours = contextWithoutQuirk("UpdateSkipsCreateChecks");
  const elastic = createContext({ now: 0, features: { ElasticJobSet: true } });
  const createSizedJobSet = (size: number, name = "js") =>
    aJobSet(name).withSpec({
      replicatedJobs: [replicatedJob("w", { parallelism: size, completions: size })],
    });
  const withCoordinator = (replicatedJob: string, podIndex = 0) =>
    createJobSet(aReplicatedJob("w")).withSpec({ coordinator: { replicatedJob, podIndex } });
  const nowhere = "<nil>: Internal error: coordinator replicatedJob x does not exist";

  it("an update is checked against creation rules by default, but not by upstream", () => {
    const old = createJobSet(aReplicatedJob("w"));
    expect(updateErrors(old, withCoordinator("x"))).toEqual([]);
    expect(updateErrors(old, withCoordinator("x"), ours)).toEqual([nowhere]);
    expect(updateErrors(old, withCoordinator("w"), ours)).toEqual([]);
  });

  it("old violations of creation rules are not reported", () => {
    const old = withCoordinator("x");
    expect(updateErrors(old, old.suspended().withLabels({ a: "1" }), ours)).toEqual([]);
    expect(updateErrors(old, withCoordinator("x", 1), ours)).toEqual([nowhere].slice(1));
    expect(updateErrors(old, withCoordinator("y"), ours)).toEqual([nowhere.replace(" x ", " y ")]);
  });

  it("an update must not introduce names that servers reject, and may keep them", () => {
    const key = "alpha.jobset.sigs.k8s.io/exclusive-topology";
    const byDefault = createContext({ now: 0 });
    const dashed = createJobSet(aReplicatedJob("-w"));
    const withPlacement = (topologyKey: string) => dashed.withAnnotations({ [key]: topologyKey });
    expect(updateErrors(dashed, dashed.suspended(), byDefault)).toEqual([]);
    expect(updateErrors(dashed, withPlacement("rack"), byDefault)).toEqual([]);
    expect(updateErrors(dashed, withPlacement("a b"), byDefault)).toEqual([
      expect.stringContaining("cannot be a topology key: name part must consist"),
    ]);
    expect(updateErrors(withPlacement("a b"), withPlacement("a b").suspended(), byDefault)).toEqual(
      [],
    );
  });

  it("Jobs must not grow until a Pod's name is too long, and may shrink", () => {
    const name = "a".repeat(50); // With the suffix -w-0-9-abcde, the name has 62 bytes.
    const pods =
      /JobSet name is too long, pod names generated for this JobSet will exceed 63 characters$/;
    const errors = (from: number, to: number) =>
      updateErrors(createSizedJobSet(from, name), createSizedJobSet(to, name), elastic);
    expect(errors(9, 100)).toEqual([]);
    expect(errors(9, 101)).toEqual([expect.stringMatching(pods)]);
    expect(errors(101, 999)).toEqual([]);
    expect(errors(5000, 200)).toEqual([]);
    expect(errors(200, 5000)).toEqual([expect.stringMatching(pods)]);
  });

  it("an update may scale Jobs whose Pods already had names that are not labels", () => {
    expect(updateErrors(createSizedJobSet(9, "1"), createSizedJobSet(100, "1"), elastic)).toEqual(
      [],
    );
  });

  it("the number of Pods must not become uncountable or grow further beyond", () => {
    const many = (size: number) =>
      createJobSet(replicatedJob("w", { parallelism: size, completions: size }, { replicas: 2 }));
    const half = 2 ** 30;
    expect(updateErrors(many(1), many(half), elastic)).toHaveLength(1);
    expect(updateErrors(many(half), many(half + 1), elastic)).toHaveLength(1);
    expect(updateErrors(many(half + 1), many(half), elastic)).toEqual([]);
    expect(updateErrors(many(1), many(MAX_INT32 - half - 1), elastic)).toEqual([]);
  });

  it("the coordinator's Pod must not be scaled away", () => {
    const coordinator = { replicatedJob: "w", podIndex: 3 };
    const errors = updateErrors(
      createSizedJobSet(4).withSpec({ coordinator }),
      createSizedJobSet(3).withSpec({ coordinator }),
      elastic,
    );
    expect(errors).toEqual([
      "spec.coordinator.podIndex: Invalid value: 3: coordinator pod index 3 is invalid for replicatedJob w job index 0",
    ]);
  });

  it("an update may not request exclusive placement for Jobs that cannot have it", () => {
    const old = createJobSet(replicatedJob("w", { completionMode: "NonIndexed" }));
    const next = old.withAnnotations({ "alpha.jobset.sigs.k8s.io/exclusive-topology": "rack" });
    const context = createContext({ now: 0 });
    expect(updateErrors(old, next, context)).toHaveLength(1);
    expect(updateErrors(next, next.suspended(), context)).toEqual([]);
  });

  it("existing claims are checked for a policy that an update adds", () => {
    const old = createJobSet(aReplicatedJob("w"));
    const rules = [{ name: "1", action: "FailJobSet" as const }];
    expect(updateErrors(old, old.withSpec({ failurePolicy: { rules } }), ours)).toHaveLength(1);
  });

  it("consequences of a denied change are not reported", () => {
    const old = createJobSet(aReplicatedJob("w"), aReplicatedJob("v")).withSpec({
      coordinator: { replicatedJob: "v" },
    });
    const next = old.withSpec({ replicatedJobs: [aReplicatedJob("w")] });
    expect(updateErrors(old, next, ours)).toEqual([replicatedJobsAreImmutable]);
  });

  it("violations beside a denied change are reported", () => {
    const old = createJobSet(aReplicatedJob("w"), aReplicatedJob("v"));
    const next = withCoordinator("x");
    expect(updateErrors(old, next, ours)).toEqual([replicatedJobsAreImmutable, nowhere]);
  });

  it("existing claims are checked only if their policies are added", () => {
    const mounts = [{ name: "data", mountPath: "/data" }];
    const pod = { spec: { containers: [{ ...container, volumeMounts: mounts }] } };
    const old = withPodTemplate(pod);
    const next = old.withSpec({
      volumeClaimPolicies: [
        {
          templates: [{ metadata: { name: "data" }, spec: {} }],
          retentionPolicy: { whenDeleted: "Delete" },
        },
      ],
    });
    const cluster = createSnapshot([aClaim("data-js")]);
    expect(updateErrors(old, next, ours, cluster)).toEqual([
      'spec.volumeClaimPolicies[0].retentionPolicy.whenDeleted: Invalid value: "Delete": retentionPolicy must be retain when PVC exists',
    ]);
    expect(updateErrors(next, next.suspended(), ours, cluster)).toEqual([]);
    expect(updateErrors(next, next.suspended(), ours, createSnapshot([]))).toEqual([]);
    expect(updateErrors(old, old.suspended(), ours, createSnapshot([]))).toEqual([]);
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
