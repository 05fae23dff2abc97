import { validateLabelValue, validateQualifiedName } from "@jobset-ts/api/kubernetes";
import { MAX_INT32, MIN_INT32 } from "@jobset-ts/api/typed";
import { createContext, type Quirk } from "@jobset-ts/core";
import { aJobSet, aReplicatedJob } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import {
  type AnyObject,
  invalid,
  JOB_NAME,
  jobSet,
  jobSetWithOne,
  LABEL,
  plain,
  replicatedJob,
} from "./testing/created-jobsets.ts";
import {
  contextWithoutQuirk,
  createErrors,
  emptyCluster,
  getDenial,
  validateCreation,
} from "./testing/denials.ts";

const POD_NAME =
  "JobSet name is too long, pod names generated for this JobSet will exceed 63 characters";

describe("the rules of each ReplicatedJob", () => {
  const product = (name: string) =>
    plain(
      `the product of replicas and parallelism must not exceed 2147483647 for replicatedJob '${name}'`,
    );

  it.each([
    [MAX_INT32, MAX_INT32, true],
    [MIN_INT32, MIN_INT32, true],
    [65536, 32768, true],
    [MAX_INT32, 1, false],
    [MIN_INT32, MAX_INT32, false],
  ])(
    "a ReplicatedJob with more Pods than 32 bits can count is denied: %i times %i",
    (replicas, parallelism, isRejected) => {
      const job = replicatedJob("w", { parallelism, completions: undefined }, { replicas });
      expect(createErrors(jobSet({ replicatedJobs: [job] })).includes(product("w"))).toBe(
        isRejected,
      );
    },
  );

  it("absent parallelism counts as 1, absent replicas as 0", () => {
    const job = replicatedJob("w", { parallelism: undefined }, { replicas: MAX_INT32 });
    expect(createErrors(jobSet({ replicatedJobs: [job] }))).toEqual([]);
    const none = replicatedJob(`${"w".repeat(57)}`, { completions: 1 }, { replicas: undefined });
    // The Job name js-w…w--1 has 63 bytes. With -0-abcde, the Pod name is longer.
    expect(createErrors(jobSet({ replicatedJobs: [none] }))).toEqual([
      invalid("spec.replicatedJobs[0].name", `"js-${"w".repeat(57)}--1"`, POD_NAME),
    ]);
  });

  it("a group name must be a label, and an empty one counts as absent", () => {
    const field = "spec.replicatedJobs[0].groupName";
    const tooLong = ".spec.replicatedJob[].groupName is too long, must be less than 63 characters";
    expect(createErrors(jobSetWithOne({ groupName: "" }))).toEqual([invalid(field, '""', LABEL)]);
    const long = "g".repeat(64);
    expect(createErrors(jobSetWithOne({ groupName: long }))).toEqual([
      invalid(field, `"${long}"`, tooLong),
    ]);
  });

  it("a ReplicatedJob may have an empty name, or a name that starts or ends with a dash", () => {
    for (const name of ["", "-w", "w-"]) {
      expect(createErrors(jobSet({ replicatedJobs: [aReplicatedJob(name)] }))).toEqual([]);
    }
  });

  it("validateJobSet does not check for duplicate names", () => {
    const replicatedJobs = [aReplicatedJob("w"), aReplicatedJob("w", { replicas: 5 })];
    const coordinator = { replicatedJob: "w", jobIndex: 1 };
    expect(createErrors(jobSet({ replicatedJobs }))).toEqual([]);
    // The coordinator is a Pod of the first ReplicatedJob.
    expect(createErrors(jobSet({ replicatedJobs, coordinator }))).toEqual([
      plain("coordinator job index 1 is invalid for replicatedJob w"),
    ]);
  });

  it("the name of the last Job, the longest one, is checked", () => {
    const long = aJobSet("a".repeat(58)).withReplicatedJob("rj", { replicas: 11 });
    const name = `"${"a".repeat(58)}-rj-10"`;
    expect(createErrors(long)).toEqual([
      invalid("spec.replicatedJobs[0].name", name, JOB_NAME),
      invalid("spec.replicatedJobs[0].name", name, POD_NAME),
    ]);
    const nonIndexed = replicatedJob("rj", { completionMode: "NonIndexed" }, { replicas: 11 });
    expect(createErrors(jobSet({ replicatedJobs: [nonIndexed] }, "a".repeat(57)))).toEqual([]);
  });

  it("a Pod name that is too long is reported with the Job's name", () => {
    const name = "a".repeat(56);
    const rejected = invalid("spec.replicatedJobs[0].name", `"${name}-rj-0"`, POD_NAME);
    expect(createErrors(aJobSet(name).withReplicatedJob("rj"))).toEqual([rejected]);
    const unlimited = replicatedJob("rj", { completions: undefined });
    expect(createErrors(jobSet({ replicatedJobs: [unlimited] }, name))).toEqual([]);
  });

  it("Pod indexes wrap at 32 bits", () => {
    const replicatedJobsWith = (completions: number) => [replicatedJob("w", { completions })];
    expect(createErrors(jobSet({ replicatedJobs: replicatedJobsWith(0) }, "a".repeat(50)))).toEqual(
      [],
    );
    // With the suffix -w-0-2147483647-abcde, the name has 63 bytes.
    const name = "a".repeat(42);
    expect(createErrors(jobSet({ replicatedJobs: replicatedJobsWith(MIN_INT32) }, name))).toEqual(
      [],
    );
    expect(
      createErrors(jobSet({ replicatedJobs: replicatedJobsWith(MIN_INT32) }, `${name}a`)),
    ).toEqual([invalid("spec.replicatedJobs[0].name", `"${name}a-w-0"`, POD_NAME)]);
    const wrapped = aReplicatedJob("w", { replicas: MIN_INT32 });
    expect(createErrors(jobSet({ replicatedJobs: [wrapped] }, "1"))).toEqual([
      invalid("spec.replicatedJobs[0].name", '"1-w-2147483647"', LABEL),
      invalid("spec.replicatedJobs[0].name", '"1-w-2147483647"', LABEL),
    ]);
  });
});

describe("names that an API server rejects later", () => {
  const jobSetWith = (
    replicatedJobs: AnyObject,
    metadata: AnyObject = {},
    spec: AnyObject = {},
  ) => {
    const { metadata: named, ...rest } = jobSet({ replicatedJobs, ...spec });
    return { ...rest, metadata: { ...named, namespace: "ml", ...metadata } };
  };
  const topology = "alpha.jobset.sigs.k8s.io/exclusive-topology";
  const byNodeLabels = { [topology]: "rack", "alpha.jobset.sigs.k8s.io/node-selector": "true" };
  const createJobWithMounts = (...names: readonly string[]) => {
    const volumeMounts = names.map((name) => ({ name, mountPath: `/${name}` }));
    return replicatedJob("w", {
      template: { spec: { containers: [{ name: "c", volumeMounts }] } },
    });
  };
  const claims = (...names: readonly string[]) => ({
    volumeClaimPolicies: [{ templates: names.map((name) => ({ metadata: { name } })) }],
  });
  const dns = (network: AnyObject = {}) => ({ network: { enableDNSHostnames: true, ...network } });
  const namedJob = (name: string, annotations: AnyObject = {}) => {
    const one = aReplicatedJob(name);
    return { ...one, template: { ...one.template, metadata: { annotations } } };
  };
  const long = "a".repeat(64);
  const deep = "n".repeat(56);
  const longValue = "must be no more than 63 bytes";
  const [noLabel = ""] = validateLabelValue("-");

  it.each<[string, Quirk, unknown, readonly string[]]>([
    [
      "labels of Jobs",
      "DashedReplicatedJobAdmitted",
      jobSetWith(["-w", "w-", "w"].map((name) => aReplicatedJob(name))),
      ["-w", "w-"].map((name, index) =>
        invalid(
          `spec.replicatedJobs[${index}].name`,
          `"${name}"`,
          `cannot be the label jobset.sigs.k8s.io/replicatedjob-name: ${noLabel}`,
        ),
      ),
    ],
    [
      "a Service whose name has dots",
      "ServiceNameUnchecked",
      jobSetWith([], { name: "a.b" }, dns()),
      [
        invalid(
          "metadata.name",
          '"a.b"',
          "cannot be the name of its Service: must not contain dots",
        ),
      ],
    ],
    [
      "a Service whose name is long",
      "ServiceNameUnchecked",
      jobSetWith(undefined, { name: long }, dns()),
      [
        invalid(
          "metadata.name",
          `"${long}"`,
          "cannot be the name of its Service: must be no more than 63 characters",
        ),
      ],
    ],
    [
      "the selector of a Service",
      "ServiceNameUnchecked",
      jobSetWith([], { name: long }, dns({ subdomain: "net" })),
      [
        invalid(
          "metadata.name",
          `"${long}"`,
          `cannot be the label jobset.sigs.k8s.io/jobset-name: ${longValue}`,
        ),
      ],
    ],
    [
      "the node selector of Pods",
      "LongNodeSelectorAdmitted",
      jobSetWith([aReplicatedJob("w", { replicas: 11 })], {
        namespace: deep,
        annotations: byNodeLabels,
      }),
      [
        invalid(
          "spec.replicatedJobs[0].name",
          `"${deep}_js-w-10"`,
          `cannot be the node selector alpha.jobset.sigs.k8s.io/namespaced-job: ${longValue}`,
        ),
      ],
    ],
    [
      "the volume of Pods",
      "DottedClaimAdmitted",
      jobSetWith([createJobWithMounts("a.b", "1")], {}, claims("a.b", "1")),
      [
        invalid(
          "spec.volumeClaimPolicies[0].template[0].name",
          '"a.b"',
          "cannot be the name of the Pods' volume: must not contain dots",
        ),
      ],
    ],
    [
      "a topology key, reported once",
      "TopologyKeyUnchecked",
      jobSetWith([aReplicatedJob("a"), aReplicatedJob("b")], { annotations: { [topology]: "" } }),
      validateQualifiedName("").map((message) =>
        invalid(`metadata.annotations[${topology}]`, '""', `cannot be a topology key: ${message}`),
      ),
    ],
    [
      "the topology key of one ReplicatedJob",
      "TopologyKeyUnchecked",
      jobSetWith([aReplicatedJob("a"), namedJob("b", { [topology]: "/a" })], {
        annotations: { [topology]: "rack" },
      }),
      [
        invalid(
          `spec.replicatedJobs[1].template.metadata.annotations[${topology}]`,
          '"/a"',
          "cannot be a topology key: prefix part must be non-empty",
        ),
      ],
    ],
  ])(
    "names that an API server rejects later are denied for %s, except by %s",
    (_, quirk, object, errors) => {
      expect(createErrors(object)).toEqual([]);
      expect(createErrors(object, contextWithoutQuirk(quirk))).toEqual(errors);
    },
  );

  it.each<[string, unknown]>([
    ["newer API servers accept their names", jobSetWith([], { name: "1a" }, dns())],
    ["the JobSet has no name, which the API server requires", jobSetWith([], { name: "" }, dns())],
    ["without a Service", jobSetWith([], { name: "a.b" }, dns({ enableDNSHostnames: false }))],
    ["a selector has dots", jobSetWith([], { name: "a.b" }, dns({ subdomain: "net" }))],
    ["a label is empty", jobSetWith([aReplicatedJob("")])],
    [
      "a node selector just fits",
      jobSetWith([aReplicatedJob("w")], { namespace: deep, annotations: byNodeLabels }),
    ],
    ["nodes are not labelled", jobSetWith([aReplicatedJob("w")], { namespace: deep })],
    [
      "without a Job",
      jobSetWith([aReplicatedJob("w", { replicas: 0 })], {
        namespace: `${deep}${deep}`,
        annotations: byNodeLabels,
      }),
    ],
    [
      "labelled nodes need no topology key",
      jobSetWith([aReplicatedJob("w")], { annotations: { ...byNodeLabels, [topology]: "a b" } }),
    ],
  ])("ReplicatedJobs are admitted if %s", (_, object) => {
    expect(createErrors(object, createContext({ now: 0 }))).toEqual([]);
  });

  it("a consequence of an invalid Job name is not a root", () => {
    const object = jobSetWith([aReplicatedJob(`-${"w".repeat(70)}.`)]);
    const { roots, symptoms } = getDenial(
      validateCreation(object, emptyCluster, createContext({ now: 0 })),
    );
    expect(new Set(roots.map(({ id }) => id))).toEqual(new Set(["job-name-valid"]));
    expect(symptoms.map(({ id }) => id)).toContain("replicated-job-label-valid");
  });
});
