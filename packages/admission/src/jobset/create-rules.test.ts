import type { JobSetSpec } from "@jobset-ts/api";
import { byteLength } from "@jobset-ts/api/text";
import { aReplicatedJob } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { deepFreeze } from "../../../testing/src/testing/freezing.ts";
import {
  type AnyObject,
  invalid,
  JOB_NAME,
  jobSet,
  jobSetWithOne,
  LABEL,
  plain,
  replicatedJob,
  SUBDOMAIN,
} from "./testing/created-jobsets.ts";
import {
  contextWithoutQuirk,
  createErrors,
  emptyCluster,
  getDenial,
  likeUpstream,
  validateCreation,
} from "./testing/denials.ts";

describe("the response to the creation of a JobSet", () => {
  it("validateJobSet admits a valid JobSet, and one without ReplicatedJobs", () => {
    expect(validateCreation(jobSetWithOne(), emptyCluster, likeUpstream)).toEqual({
      allowed: true,
    });
    expect(createErrors(jobSet({ replicatedJobs: undefined }, "1.not.a.label"))).toEqual([]);
    expect(createErrors(jobSet({ replicatedJobs: [] }))).toEqual([]);
  });

  it("the denial of an unknown target equals upstream's to the byte", () => {
    const targets = { successPolicy: { operator: "All", targetReplicatedJobs: ["nope"] } };
    const result = validateCreation(jobSet(targets), emptyCluster, likeUpstream);
    expect(JSON.stringify(getDenial(result).status)).toBe(
      '{"status":"Failure","message":"JobSet.jobset.x-k8s.io \\"js\\" is invalid: <nil>: Internal error: invalid replicatedJob name \'nope\' does not appear in .spec.ReplicatedJobs","reason":"Invalid","details":{"name":"js","group":"jobset.x-k8s.io","kind":"JobSet","causes":[{"reason":"InternalError","message":"Internal error: invalid replicatedJob name \'nope\' does not appear in .spec.ReplicatedJobs","field":"<nil>"}]},"code":422}',
    );
  });

  it("errors of all rules are listed in brackets, in rule order", () => {
    const result = validateCreation(
      jobSet({
        network: { subdomain: "My_Net" },
        managedBy: `acme.io/${"a".repeat(62)}`,
        replicatedJobs: [aReplicatedJob("workers", { replicas: 2 })],
        coordinator: { replicatedJob: "workers", jobIndex: 2 },
      }),
      emptyCluster,
      likeUpstream,
    );
    const { message, details } = getDenial(result).status;
    expect(details?.causes?.map(({ reason }) => reason)).toEqual([
      "FieldValueInvalid",
      "FieldValueInvalid",
      "FieldValueTooLong",
      "InternalError",
    ]);
    expect(message).toBe(
      `JobSet.jobset.x-k8s.io "js" is invalid: [spec.network.subdomain: Invalid value: "My_Net": ${SUBDOMAIN}, spec.network.subdomain: Invalid value: "My_Net": ${LABEL}, spec.managedBy: Too long: may not be more than 63 bytes, <nil>: Internal error: coordinator job index 2 is invalid for replicatedJob workers]`,
    );
  });

  it("a repeated text is once in the message and twice among the causes", () => {
    const result = validateCreation(
      jobSet({ replicatedJobs: [aReplicatedJob("a.b")] }),
      emptyCluster,
      likeUpstream,
    );
    const denial = getDenial(result);
    const text = invalid("spec.replicatedJobs[0].name", '"js-a.b-0"', LABEL);
    expect(denial.status.message).toBe(`JobSet.jobset.x-k8s.io "js" is invalid: ${text}`);
    expect(denial.status.details?.causes).toHaveLength(2);
    expect(denial.roots.map(({ id }) => id)).toEqual(["job-name-valid"]);
    expect(denial.symptoms.map(({ id, causedBy }) => [id, causedBy])).toEqual([
      ["pod-name-valid", ["job-name-valid"]],
    ]);
  });

  it("each error has its rule, field and object", () => {
    const result = validateCreation(jobSetWithOne({ groupName: "" }), emptyCluster, likeUpstream);
    const denial = getDenial(result);
    const object = {
      apiVersion: "jobset.x-k8s.io/v1alpha2",
      kind: "JobSet",
      namespace: "default",
      name: "js",
    };
    const field = "spec.replicatedJobs[0].groupName";
    expect(denial).toMatchObject({ symptoms: [], unknown: [], transient: false });
    expect(denial.roots).toEqual([
      {
        id: "group-name-valid",
        outcome: "Fail",
        message: invalid(field, '""', LABEL),
        objects: [object],
        evidence: [{ kind: "Field", object, at: field, text: `Invalid value: "": ${LABEL}` }],
        transient: false,
        causedBy: [],
        fieldError: expect.objectContaining({ type: "FieldValueInvalid", field, badValue: "" }),
      },
    ]);
  });

  it("a JobSet that cannot be decoded is denied with 400, regardless of other errors", () => {
    const result = validateCreation(
      { ...jobSet({ suspend: "yes", managedBy: "", ttlSecondsAfterFinished: 1.5 }) },
      emptyCluster,
      likeUpstream,
    );
    const denial = getDenial(result);
    expect(denial.status).toEqual({
      message: 'spec.suspend: Invalid value: "yes": must be true or false',
      code: 400,
    });
    expect(denial.roots.map(({ id, fieldError }) => [id, fieldError?.field])).toEqual([
      ["jobset-decodable", "spec.suspend"],
      ["jobset-decodable", "spec.ttlSecondsAfterFinished"],
    ]);
  });

  it.each([null, undefined, 5, "js", [], [{}], { kind: "Job" }])(
    "validateJobSet responds with 400 to %j, which is not a JobSet",
    (value) => {
      const result = validateCreation(value, emptyCluster, likeUpstream);
      expect(getDenial(result).status.code).toBe(400);
    },
  );

  it("null counts as absent, and a null element as one without members", () => {
    const none = { network: null, coordinator: null, failurePolicy: null, replicatedJobs: null };
    expect(createErrors(jobSet(none))).toEqual([]);
    expect(createErrors(jobSet({ replicatedJobs: [null] }))).toEqual([
      invalid("spec.replicatedJobs[0].groupName", '""', LABEL),
    ]);
  });

  it("many errors are truncated and counted", () => {
    const targetReplicatedJobs = Array.from({ length: 30_000 }, (_, index) => `no-${index}`);
    const many = jobSet({ successPolicy: { operator: "All", targetReplicatedJobs } });
    const {
      status,
      roots,
      omitted = 0,
    } = getDenial(validateCreation(many, emptyCluster, likeUpstream));
    expect(status.details?.causes).toHaveLength(roots.length);
    expect(roots.length + omitted).toBe(1000);
    expect(status.message).toMatch(new RegExp(`, … \\(${omitted} more\\)]$`));
    expect(byteLength(status.message)).toBeLessThan(32 * 1024);
  });

  it("a long list is shown once, and its type with the other errors", () => {
    const image = "i".repeat(2 ** 20);
    const templates = Array.from({ length: 100 }, (_, index) => ({
      metadata: { name: `c${index}` },
    }));
    const pod = { spec: { containers: [{ name: "main", image }] } };
    const long = jobSet({
      replicatedJobs: [replicatedJob("w", { template: pod })],
      volumeClaimPolicies: [{ templates }],
    });
    const { status } = getDenial(validateCreation(long, emptyCluster, likeUpstream));
    const [first, ...others] = (status.details?.causes ?? []).map(({ message }) => message);
    expect(first).toContain("iii… (1 more): replicatedJob containers don't");
    expect(others.length).toBeGreaterThan(50);
    for (const other of others) expect(other).toContain('Invalid value: "array": replicatedJob');
    expect(byteLength(status.message)).toBeLessThan(32 * 1024);
  });

  it("validateJobSet does not change a frozen JobSet, and decides the same", () => {
    const bad = JSON.parse(JSON.stringify(jobSet({ managedBy: "", coordinator: {} })));
    const result = validateCreation(bad, emptyCluster, likeUpstream);
    expect(validateCreation(deepFreeze(bad), emptyCluster, likeUpstream)).toEqual(result);
  });
});

describe("a JobSet with generateName", () => {
  const createGeneratedName = (generateName: string, spec: Partial<JobSetSpec> = {}) => ({
    ...jobSet({ replicatedJobs: [aReplicatedJob("worker")], ...spec }),
    metadata: { generateName },
  });

  it("a generated name counts with its random suffix", () => {
    const named = createGeneratedName(`${"a".repeat(49)}-`, {
      volumeClaimPolicies: [{ templates: [{ metadata: { name: "datasets" }, spec: {} }] }],
    });
    const name = `${"a".repeat(49)}-xxxxx-worker-0`;
    expect(createErrors(named)).toEqual(
      expect.arrayContaining([
        invalid("spec.replicatedJobs[0].name", `"${name}"`, JOB_NAME),
        invalid(
          "spec.volumeClaimPolicies[0].template[0].name",
          '"datasets"',
          "VolumeClaimPolicies template name is too long",
        ),
      ]),
    );
  });

  it("a generated name is truncated at 58 bytes, accepts a suffix, and is not the object's name in the denial", () => {
    const suffix = { generatedNameSuffix: "bcdfg" };
    const result = validateCreation(
      createGeneratedName("a".repeat(60)),
      emptyCluster,
      likeUpstream,
      suffix,
    );
    const { status } = getDenial(result);
    expect(status.message).toContain(`"${"a".repeat(58)}bcdfg-worker-0"`);
    expect(status.message).toContain('JobSet.jobset.x-k8s.io "" is invalid: ');
    expect(status.details).not.toHaveProperty("name");
  });

  it("a generated name is empty without generateName", () => {
    const { metadata: _, ...nameless } = jobSetWithOne();
    expect(createErrors(nameless)).toEqual([
      invalid("spec.replicatedJobs[0].name", '"-w-0"', LABEL),
      invalid("spec.replicatedJobs[0].name", '"-w-0"', LABEL),
    ]);
  });
});

describe("the subdomain", () => {
  const field = "spec.network.subdomain";
  const tooLong = ".spec.network.subdomain is too long, must be less than 63 characters";
  it.each<[string, string, readonly string[]]>([
    ["is the JobSet's name if it is empty", "", []],
    ["may have 63 bytes", "a".repeat(63), []],
    ["must be one DNS label", "a.b", [LABEL]],
    ["is reported as too long between 64 and 253 bytes", "a".repeat(253), [tooLong]],
    [
      "has two errors beyond 253 bytes",
      "a".repeat(254),
      ["must be no more than 253 characters", tooLong],
    ],
    ["is counted in bytes", "é".repeat(32), [SUBDOMAIN, tooLong, LABEL]],
    ["is quoted unescaped if it is printable", "<&>", [SUBDOMAIN, LABEL]],
  ])("the subdomain %s: %s", (_, subdomain, messages) => {
    expect(createErrors(jobSet({ network: { subdomain } }))).toEqual(
      messages.map((message) => invalid(field, `"${subdomain}"`, message)),
    );
  });
});

describe("managedBy", () => {
  const field = "spec.managedBy";
  const prefixed = 'must be a domain-prefixed path (such as "acme.io/foo")';
  const tooLong = `${field}: Too long: may not be more than 63 bytes`;
  const path = "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')";
  const long = "a".repeat(63);
  it.each<[string, unknown, readonly string[]]>([
    ["may name JobSet's own controller", "jobset.sigs.k8s.io/jobset-controller", []],
    ["may be absent", undefined, []],
    ["may have slashes in the path", "a.b/c/d", []],
    ["must not be empty", "", [`${field}: Required value`]],
    [
      "must have a path",
      "notDomainPrefixedPathControllerName",
      [invalid(field, '"notDomainPrefixedPathControllerName"', prefixed)],
    ],
    ["must have a path that is not empty", "foo.bar/", [invalid(field, '"foo.bar/"', prefixed)]],
    ["must have a host", "/foo", [invalid(field, '"/foo"', prefixed)]],
    [
      "must have a host that is a domain",
      "A/b c",
      [invalid(field, '"A"', SUBDOMAIN), invalid(field, '"b c"', path)],
    ],
    ["must have at most 63 bytes", `foo.bar/${long}`, [tooLong]],
    [
      "can be both invalid and too long",
      `${long}a`,
      [invalid(field, `"${long}a"`, prefixed), tooLong],
    ],
  ])("managedBy %s: %j", (_, managedBy, errors) => {
    expect(createErrors(jobSet({ managedBy }))).toEqual(errors);
  });
});

describe("the success policy", () => {
  it("each unknown ReplicatedJob of the success policy is reported", () => {
    const nope = plain("invalid replicatedJob name 'nope' does not appear in .spec.ReplicatedJobs");
    const targets = { operator: "All", targetReplicatedJobs: ["nope", "w", "nope"] };
    const result = validateCreation(
      jobSetWithOne().withSpec({ successPolicy: targets as AnyObject }),
      emptyCluster,
      likeUpstream,
    );
    const { status } = getDenial(result);
    expect(status.details?.causes).toHaveLength(2);
    expect(status.message).toBe(`JobSet.jobset.x-k8s.io "js" is invalid: ${nope}`);
  });

  it("success policy names are compared as Go reads text, with replacement characters", () => {
    const targets = (name: string) => ({
      replicatedJobs: [aReplicatedJob("\ud800")],
      successPolicy: { operator: "All", targetReplicatedJobs: [name] },
    });
    const jobSetWithPolicy = (name: string) =>
      createErrors(jobSet(targets(name))).filter((error) => error.includes("does not appear"));
    expect(jobSetWithPolicy("\udbff")).toEqual([]);
    expect(jobSetWithPolicy("a\ud800")).toEqual([
      plain("invalid replicatedJob name 'a\ufffd' does not appear in .spec.ReplicatedJobs"),
    ]);
  });

  it("an absent success policy is valid", () => {
    expect(createErrors(jobSetWithOne().withSpec({ successPolicy: undefined }))).toEqual([]);
  });
});

describe("exclusive placement of NonIndexed Jobs", () => {
  const topology = { "alpha.jobset.sigs.k8s.io/exclusive-topology": "rack" };
  const strategy = { ...topology, "alpha.jobset.sigs.k8s.io/node-selector": "true" };
  const nonIndexed = replicatedJob("w", { completionMode: "NonIndexed" });
  const ours = contextWithoutQuirk("NonIndexedExclusiveAdmitted");
  const reject = (shown = '"NonIndexed"') => [
    invalid(
      "spec.replicatedJobs[0].template.spec.completionMode",
      shown,
      "must be Indexed for exclusive placement (annotation alpha.jobset.sigs.k8s.io/exclusive-topology), which follows the pod of index 0",
    ),
  ];
  const onJobSet = jobSet({ replicatedJobs: [nonIndexed] }).withAnnotations(topology);

  it("exclusive placement of NonIndexed Jobs is denied by default and admitted by upstream", () => {
    expect(createErrors(onJobSet)).toEqual([]);
    expect(createErrors(onJobSet, ours)).toEqual(reject());
  });

  it("exclusive placement is also recognized in the Job template and the Pod template", () => {
    const { spec } = nonIndexed.template;
    const onJob = { ...nonIndexed, template: { metadata: { annotations: topology }, spec } };
    expect(createErrors(jobSet({ replicatedJobs: [onJob] }), ours)).toEqual(reject());
    const pod = { ...spec.template, metadata: { annotations: topology } };
    const onPod = replicatedJob("w", { completionMode: undefined, template: pod });
    expect(createErrors(jobSet({ replicatedJobs: [onPod] }), ours)).toEqual(reject("null"));
  });

  it("exclusive placement by node labels needs no leader", () => {
    expect(createErrors(onJobSet.withAnnotations(strategy), ours)).toEqual([]);
  });

  it("exclusive placement of Indexed Jobs is admitted", () => {
    expect(createErrors(jobSetWithOne().withAnnotations(topology), ours)).toEqual([]);
  });
});

describe("fields of upstream's internal errors", () => {
  const rule = { name: "r", action: "FailJobSet" };
  const strategy = { failurePolicy: { restartStrategy: "InPlaceRestart" } };
  it.each<[string, AnyObject, string, string]>([
    [
      "a gate for in-place restart",
      strategy,
      "spec.failurePolicy.restartStrategy",
      "FieldValueForbidden",
    ],
    [
      "a first ReplicatedJob that waits",
      { replicatedJobs: [aReplicatedJob("a", { dependsOn: [] })] },
      "spec.replicatedJobs[0].dependsOn",
      "FieldValueForbidden",
    ],
    [
      "too many Pods",
      { replicatedJobs: [replicatedJob("w", { parallelism: 65536 }, { replicas: 65536 })] },
      "spec.replicatedJobs[0].replicas",
      "FieldValueInvalid",
    ],
    [
      "a target of the success policy",
      { successPolicy: { operator: "All", targetReplicatedJobs: ["x"] } },
      "spec.successPolicy.targetReplicatedJobs[0]",
      "FieldValueInvalid",
    ],
    [
      "a gate for restarts of Jobs",
      { failurePolicy: { rules: [rule, { ...rule, action: "RestartJob" }] } },
      "spec.failurePolicy.rules[1].action",
      "FieldValueForbidden",
    ],
    [
      "the name of a rule",
      { failurePolicy: { rules: [{ ...rule, name: "1" }] } },
      "spec.failurePolicy.rules[0].name",
      "FieldValueInvalid",
    ],
    [
      "a target of a rule",
      { failurePolicy: { rules: [{ ...rule, targetReplicatedJobs: ["x"] }] } },
      "spec.failurePolicy.rules[0].targetReplicatedJobs[0]",
      "FieldValueInvalid",
    ],
    [
      "a reason of a rule",
      { failurePolicy: { rules: [{ ...rule, onJobFailureReasons: ["x"] }] } },
      "spec.failurePolicy.rules[0].onJobFailureReasons[0]",
      "FieldValueNotSupported",
    ],
    [
      "a name that two rules have",
      { failurePolicy: { rules: [rule, rule] } },
      "spec.failurePolicy.rules[1].name",
      "FieldValueDuplicate",
    ],
    [
      "a coordinator that is nowhere",
      { coordinator: { replicatedJob: "x" } },
      "spec.coordinator.replicatedJob",
      "FieldValueInvalid",
    ],
    [
      "a coordinator of no Job",
      { coordinator: { replicatedJob: "w", jobIndex: 9 }, replicatedJobs: [aReplicatedJob("w")] },
      "spec.coordinator.jobIndex",
      "FieldValueInvalid",
    ],
    [
      "a coordinator of no Pod",
      { coordinator: { replicatedJob: "w", podIndex: 9 }, replicatedJobs: [aReplicatedJob("w")] },
      "spec.coordinator.podIndex",
      "FieldValueInvalid",
    ],
    [
      "an address that no label holds",
      {
        coordinator: { replicatedJob: "w" },
        network: { subdomain: "n".repeat(60) },
        replicatedJobs: [aReplicatedJob("w")],
      },
      "spec.coordinator",
      "FieldValueInvalid",
    ],
  ])("%s", (_, spec, field, type) => {
    const causes = (context: typeof likeUpstream) =>
      getDenial(validateCreation(jobSet(spec), emptyCluster, context)).status.details?.causes;
    expect(causes(likeUpstream)).toMatchObject([{ reason: "InternalError", field: "<nil>" }]);
    expect(causes(contextWithoutQuirk("UnpathedErrorsAreInternal"))).toMatchObject([
      { reason: type, field },
    ]);
  });
});
