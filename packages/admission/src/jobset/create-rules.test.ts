import type { JobSetSpec, ReplicatedJob } from "@jobset-ts/api";
import { labelValueMessages, qualifiedNameMessages } from "@jobset-ts/api/kubernetes";
import { byteLength } from "@jobset-ts/api/text";
import { MAX_INT32, MIN_INT32 } from "@jobset-ts/api/typed";
import { contextOf, type Quirk, snapshotOf } from "@jobset-ts/core";
import { aClaim, aJobSet, aReplicatedJob } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { deepFreeze } from "../../../testing/src/testing/freezing.ts";
import { explainDenial } from "../denial/explain-denial.ts";
import {
  createErrors,
  denialOf,
  emptyCluster,
  likeUpstream,
  updateErrors,
  validateCreation,
  withGates,
  without,
} from "./testing/answers.ts";

const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const LABEL_VALUE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const JOB_NAME =
  "JobSet name is too long, job names generated for this JobSet will exceed 63 characters";
const POD_NAME =
  "JobSet name is too long, pod names generated for this JobSet will exceed 63 characters";

// biome-ignore lint/suspicious/noExplicitAny: members of the wrong type are the point
type Loose = any;

function jobSet(spec: Loose = {}, name = "js") {
  return aJobSet(name).withSpec(spec);
}

/** A JobSet of one ReplicatedJob. */
function ofOne(rest: Partial<ReplicatedJob> = {}, name = "js") {
  return aJobSet(name).withReplicatedJob("w", rest);
}

/** A ReplicatedJob with other members in its Job's spec. */
function replicatedJob(name: string, jobSpec: Loose = {}, rest: Loose = {}): ReplicatedJob {
  const { template } = aReplicatedJob(name);
  return aReplicatedJob(name, {
    template: { ...template, spec: { ...template.spec, ...jobSpec } },
    ...rest,
  });
}

function invalid(field: string, shown: string, detail: string) {
  return `${field}: Invalid value: ${shown}: ${detail}`;
}

function plain(detail: string) {
  return `<nil>: Internal error: ${detail}`;
}

describe("the answer to the creation of a JobSet", () => {
  it("allows one in order, and one without any ReplicatedJobs", () => {
    expect(validateCreation(ofOne(), emptyCluster, likeUpstream)).toEqual({ allowed: true });
    expect(createErrors(jobSet({ replicatedJobs: undefined }, "1.not.a.label"))).toEqual([]);
    expect(createErrors(jobSet({ replicatedJobs: [] }))).toEqual([]);
  });

  it("is upstream's to the byte for a target that does not exist", () => {
    const targets = { successPolicy: { operator: "All", targetReplicatedJobs: ["nope"] } };
    const answer = validateCreation(jobSet(targets), emptyCluster, likeUpstream);
    expect(JSON.stringify(denialOf(answer).status)).toBe(
      '{"status":"Failure","message":"JobSet.jobset.x-k8s.io \\"js\\" is invalid: <nil>: Internal error: invalid replicatedJob name \'nope\' does not appear in .spec.ReplicatedJobs","reason":"Invalid","details":{"name":"js","group":"jobset.x-k8s.io","kind":"JobSet","causes":[{"reason":"InternalError","message":"Internal error: invalid replicatedJob name \'nope\' does not appear in .spec.ReplicatedJobs","field":"<nil>"}]},"code":422}',
    );
  });

  it("lists errors of all kinds in brackets, in the order of the rules", () => {
    const answer = validateCreation(
      jobSet({
        network: { subdomain: "My_Net" },
        managedBy: `acme.io/${"a".repeat(62)}`,
        replicatedJobs: [aReplicatedJob("workers", { replicas: 2 })],
        coordinator: { replicatedJob: "workers", jobIndex: 2 },
      }),
      emptyCluster,
      likeUpstream,
    );
    const { message, details } = denialOf(answer).status;
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

  it("says a repeated text once in the message and twice among the causes", () => {
    const answer = validateCreation(
      jobSet({ replicatedJobs: [aReplicatedJob("a.b")] }),
      emptyCluster,
      likeUpstream,
    );
    const denial = denialOf(answer);
    const text = invalid("spec.replicatedJobs[0].name", '"js-a.b-0"', LABEL);
    expect(denial.status.message).toBe(`JobSet.jobset.x-k8s.io "js" is invalid: ${text}`);
    expect(denial.status.details?.causes).toHaveLength(2);
    expect(denial.roots.map(({ id }) => id)).toEqual(["job-name-valid"]);
    expect(denial.symptoms.map(({ id, causedBy }) => [id, causedBy])).toEqual([
      ["pod-name-valid", ["job-name-valid"]],
    ]);
  });

  it("tells of each error which rule, field and object it is about", () => {
    const answer = validateCreation(ofOne({ groupName: "" }), emptyCluster, likeUpstream);
    const denial = denialOf(answer);
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

  it("is 400 for what cannot be read, whatever else is wrong", () => {
    const answer = validateCreation(
      { ...jobSet({ suspend: "yes", managedBy: "", ttlSecondsAfterFinished: 1.5 }) },
      emptyCluster,
      likeUpstream,
    );
    const denial = denialOf(answer);
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
    "is 400 for %j, which is no JobSet",
    (value) => {
      const answer = validateCreation(value, emptyCluster, likeUpstream);
      expect(denialOf(answer).status.code).toBe(400);
    },
  );

  it("takes null for absent, and a null element for one without members", () => {
    const none = { network: null, coordinator: null, failurePolicy: null, replicatedJobs: null };
    expect(createErrors(jobSet(none))).toEqual([]);
    expect(createErrors(jobSet({ replicatedJobs: [null] }))).toEqual([
      invalid("spec.replicatedJobs[0].groupName", '""', LABEL),
    ]);
  });

  it("tells the first of very many errors, and how many there are at least", () => {
    const targetReplicatedJobs = Array.from({ length: 30_000 }, (_, index) => `no-${index}`);
    const many = jobSet({ successPolicy: { operator: "All", targetReplicatedJobs } });
    const {
      status,
      roots,
      omitted = 0,
    } = denialOf(validateCreation(many, emptyCluster, likeUpstream));
    expect(status.details?.causes).toHaveLength(roots.length);
    expect(roots.length + omitted).toBe(1000);
    expect(status.message).toMatch(new RegExp(`, … \\(${omitted} more\\)]$`));
    expect(byteLength(status.message)).toBeLessThan(32 * 1024);
  });

  it("shows a long list once, and with the other errors what it is", () => {
    const image = "i".repeat(2 ** 20);
    const templates = Array.from({ length: 100 }, (_, index) => ({
      metadata: { name: `c${index}` },
    }));
    const pod = { spec: { containers: [{ name: "main", image }] } };
    const long = jobSet({
      replicatedJobs: [replicatedJob("w", { template: pod })],
      volumeClaimPolicies: [{ templates }],
    });
    const { status } = denialOf(validateCreation(long, emptyCluster, likeUpstream));
    const [first, ...others] = (status.details?.causes ?? []).map(({ message }) => message);
    expect(first).toContain("iii… (1 more): replicatedJob containers don't");
    expect(others.length).toBeGreaterThan(50);
    for (const other of others) expect(other).toContain('Invalid value: "array": replicatedJob');
    expect(byteLength(status.message)).toBeLessThan(32 * 1024);
  });

  it("leaves a frozen JobSet as it is, and answers the same", () => {
    const bad = JSON.parse(JSON.stringify(jobSet({ managedBy: "", coordinator: {} })));
    const answer = validateCreation(bad, emptyCluster, likeUpstream);
    expect(validateCreation(deepFreeze(bad), emptyCluster, likeUpstream)).toEqual(answer);
  });
});

describe("the name of a JobSet that the server is to name", () => {
  const generated = (generateName: string, spec: Partial<JobSetSpec> = {}) => ({
    ...jobSet({ replicatedJobs: [aReplicatedJob("worker")], ...spec }),
    metadata: { generateName },
  });

  it("counts with the characters that will be added", () => {
    const named = generated(`${"a".repeat(49)}-`, {
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

  it("is cut at 58 bytes, may be given its suffix, and is not told as the object's name", () => {
    const suffix = { generatedNameSuffix: "bcdfg" };
    const answer = validateCreation(generated("a".repeat(60)), emptyCluster, likeUpstream, suffix);
    const { status } = denialOf(answer);
    expect(status.message).toContain(`"${"a".repeat(58)}bcdfg-worker-0"`);
    expect(status.message).toContain('JobSet.jobset.x-k8s.io "" is invalid: ');
    expect(status.details).not.toHaveProperty("name");
  });

  it("is empty when there is nothing to make it of", () => {
    const { metadata: _, ...nameless } = ofOne();
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
    ["is the JobSet's name when empty", "", []],
    ["may have 63 bytes", "a".repeat(63), []],
    ["is one label", "a.b", [LABEL]],
    ["is told to be too long between 64 and 253 bytes", "a".repeat(253), [tooLong]],
    ["is told so twice beyond", "a".repeat(254), ["must be no more than 253 characters", tooLong]],
    ["is counted in bytes", "é".repeat(32), [SUBDOMAIN, tooLong, LABEL]],
    ["is quoted raw where printable", "<&>", [SUBDOMAIN, LABEL]],
  ])("%s: %s", (_, subdomain, messages) => {
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
    ["is not empty", "", [`${field}: Required value`]],
    [
      "has a path",
      "notDomainPrefixedPathControllerName",
      [invalid(field, '"notDomainPrefixedPathControllerName"', prefixed)],
    ],
    ["has a path that is not empty", "foo.bar/", [invalid(field, '"foo.bar/"', prefixed)]],
    ["has a host", "/foo", [invalid(field, '"/foo"', prefixed)]],
    [
      "has a host that is a domain",
      "A/b c",
      [invalid(field, '"A"', SUBDOMAIN), invalid(field, '"b c"', path)],
    ],
    ["has 63 bytes at most", `foo.bar/${long}`, [tooLong]],
    [
      "is told to be both wrong and too long",
      `${long}a`,
      [invalid(field, `"${long}a"`, prefixed), tooLong],
    ],
  ])("%s: %j", (_, managedBy, errors) => {
    expect(createErrors(jobSet({ managedBy }))).toEqual(errors);
  });
});

describe("each ReplicatedJob", () => {
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
  ])("has no more Pods than 32 bits count: %i times %i", (replicas, parallelism, refused) => {
    const job = replicatedJob("w", { parallelism, completions: undefined }, { replicas });
    expect(createErrors(jobSet({ replicatedJobs: [job] })).includes(product("w"))).toBe(refused);
  });

  it("takes an absent parallelism for 1, and absent replicas for 0", () => {
    const job = replicatedJob("w", { parallelism: undefined }, { replicas: MAX_INT32 });
    expect(createErrors(jobSet({ replicatedJobs: [job] }))).toEqual([]);
    const none = replicatedJob(`${"w".repeat(57)}`, { completions: 1 }, { replicas: undefined });
    // js-w…w--1 has 63 bytes, with -0-abcde it has more.
    expect(createErrors(jobSet({ replicatedJobs: [none] }))).toEqual([
      invalid("spec.replicatedJobs[0].name", `"js-${"w".repeat(57)}--1"`, POD_NAME),
    ]);
  });

  it("has a group name that is a label, and an empty one is none", () => {
    const field = "spec.replicatedJobs[0].groupName";
    const tooLong = ".spec.replicatedJob[].groupName is too long, must be less than 63 characters";
    expect(createErrors(ofOne({ groupName: "" }))).toEqual([invalid(field, '""', LABEL)]);
    const long = "g".repeat(64);
    expect(createErrors(ofOne({ groupName: long }))).toEqual([
      invalid(field, `"${long}"`, tooLong),
    ]);
  });

  it("may have no name, or one that begins or ends with a dash", () => {
    for (const name of ["", "-w", "w-"]) {
      expect(createErrors(jobSet({ replicatedJobs: [aReplicatedJob(name)] }))).toEqual([]);
    }
  });

  it("may have another's name as far as this webhook is concerned", () => {
    const replicatedJobs = [aReplicatedJob("w"), aReplicatedJob("w", { replicas: 5 })];
    const coordinator = { replicatedJob: "w", jobIndex: 1 };
    expect(createErrors(jobSet({ replicatedJobs }))).toEqual([]);
    // The coordinator is a Pod of the first.
    expect(createErrors(jobSet({ replicatedJobs, coordinator }))).toEqual([
      plain("coordinator job index 1 is invalid for replicatedJob w"),
    ]);
  });

  it("has no Job whose name is too long: the last one has the longest", () => {
    const long = aJobSet("a".repeat(58)).withReplicatedJob("rj", { replicas: 11 });
    const name = `"${"a".repeat(58)}-rj-10"`;
    expect(createErrors(long)).toEqual([
      invalid("spec.replicatedJobs[0].name", name, JOB_NAME),
      invalid("spec.replicatedJobs[0].name", name, POD_NAME),
    ]);
    const nonIndexed = replicatedJob("rj", { completionMode: "NonIndexed" }, { replicas: 11 });
    expect(createErrors(jobSet({ replicatedJobs: [nonIndexed] }, "a".repeat(57)))).toEqual([]);
  });

  it("has no Pod whose name is too long, which is told with the Job's name", () => {
    const name = "a".repeat(56);
    const refused = invalid("spec.replicatedJobs[0].name", `"${name}-rj-0"`, POD_NAME);
    expect(createErrors(aJobSet(name).withReplicatedJob("rj"))).toEqual([refused]);
    const unlimited = replicatedJob("rj", { completions: undefined });
    expect(createErrors(jobSet({ replicatedJobs: [unlimited] }, name))).toEqual([]);
  });

  it("counts indexes of Pods as 32 bits do, from the last", () => {
    const of = (completions: number) => [replicatedJob("w", { completions })];
    expect(createErrors(jobSet({ replicatedJobs: of(0) }, "a".repeat(50)))).toEqual([]);
    // 63 bytes with -w-0-2147483647-abcde.
    const name = "a".repeat(42);
    expect(createErrors(jobSet({ replicatedJobs: of(MIN_INT32) }, name))).toEqual([]);
    expect(createErrors(jobSet({ replicatedJobs: of(MIN_INT32) }, `${name}a`))).toEqual([
      invalid("spec.replicatedJobs[0].name", `"${name}a-w-0"`, POD_NAME),
    ]);
    const wrapped = aReplicatedJob("w", { replicas: MIN_INT32 });
    expect(createErrors(jobSet({ replicatedJobs: [wrapped] }, "1"))).toEqual([
      invalid("spec.replicatedJobs[0].name", '"1-w-2147483647"', LABEL),
      invalid("spec.replicatedJobs[0].name", '"1-w-2147483647"', LABEL),
    ]);
  });
});

describe("names that an API server refuses later", () => {
  const ofJobs = (replicatedJobs: Loose, metadata: Loose = {}, spec: Loose = {}) => {
    const { metadata: named, ...rest } = jobSet({ replicatedJobs, ...spec });
    return { ...rest, metadata: { ...named, namespace: "ml", ...metadata } };
  };
  const topology = "alpha.jobset.sigs.k8s.io/exclusive-topology";
  const byNodeLabels = { [topology]: "rack", "alpha.jobset.sigs.k8s.io/node-selector": "true" };
  const mounting = (...names: readonly string[]) => {
    const volumeMounts = names.map((name) => ({ name, mountPath: `/${name}` }));
    return replicatedJob("w", {
      template: { spec: { containers: [{ name: "c", volumeMounts }] } },
    });
  };
  const claims = (...names: readonly string[]) => ({
    volumeClaimPolicies: [{ templates: names.map((name) => ({ metadata: { name } })) }],
  });
  const dns = (network: Loose = {}) => ({ network: { enableDNSHostnames: true, ...network } });
  const namedJob = (name: string, annotations: Loose = {}) => {
    const one = aReplicatedJob(name);
    return { ...one, template: { ...one.template, metadata: { annotations } } };
  };
  const long = "a".repeat(64);
  const deep = "n".repeat(56);
  const longValue = "must be no more than 63 bytes";
  const [noLabel = ""] = labelValueMessages("-");

  it.each<[string, Quirk, unknown, readonly string[]]>([
    [
      "labels of Jobs",
      "DashedReplicatedJobAdmitted",
      ofJobs(["-w", "w-", "w"].map((name) => aReplicatedJob(name))),
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
      ofJobs([], { name: "a.b" }, dns()),
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
      ofJobs(undefined, { name: long }, dns()),
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
      ofJobs([], { name: long }, dns({ subdomain: "net" })),
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
      ofJobs([aReplicatedJob("w", { replicas: 11 })], {
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
      ofJobs([mounting("a.b", "1")], {}, claims("a.b", "1")),
      [
        invalid(
          "spec.volumeClaimPolicies[0].template[0].name",
          '"a.b"',
          "cannot be the name of the Pods' volume: must not contain dots",
        ),
      ],
    ],
    [
      "a topology key, told once",
      "TopologyKeyUnchecked",
      ofJobs([aReplicatedJob("a"), aReplicatedJob("b")], { annotations: { [topology]: "" } }),
      qualifiedNameMessages("").map((message) =>
        invalid(`metadata.annotations[${topology}]`, '""', `cannot be a topology key: ${message}`),
      ),
    ],
    [
      "the topology key of one ReplicatedJob",
      "TopologyKeyUnchecked",
      ofJobs([aReplicatedJob("a"), namedJob("b", { [topology]: "/a" })], {
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
  ])("are refused for %s, but by %s", (_, quirk, object, errors) => {
    expect(createErrors(object)).toEqual([]);
    expect(createErrors(object, without(quirk))).toEqual(errors);
  });

  it.each<[string, unknown]>([
    ["newer servers take them", ofJobs([], { name: "1a" }, dns())],
    ["the JobSet has no name, which the server asks for", ofJobs([], { name: "" }, dns())],
    ["there is no Service", ofJobs([], { name: "a.b" }, dns({ enableDNSHostnames: false }))],
    ["a selector has dots", ofJobs([], { name: "a.b" }, dns({ subdomain: "net" }))],
    ["a label is empty", ofJobs([aReplicatedJob("")])],
    [
      "a node selector just fits",
      ofJobs([aReplicatedJob("w")], { namespace: deep, annotations: byNodeLabels }),
    ],
    ["nodes are not labelled", ofJobs([aReplicatedJob("w")], { namespace: deep })],
    [
      "there is no Job",
      ofJobs([aReplicatedJob("w", { replicas: 0 })], {
        namespace: `${deep}${deep}`,
        annotations: byNodeLabels,
      }),
    ],
    [
      "labelled nodes need no topology key",
      ofJobs([aReplicatedJob("w")], { annotations: { ...byNodeLabels, [topology]: "a b" } }),
    ],
  ])("are let in where %s", (_, object) => {
    expect(createErrors(object, contextOf({ now: 0 }))).toEqual([]);
  });

  it("follow from names of Jobs that are refused anyway", () => {
    const object = ofJobs([aReplicatedJob(`-${"w".repeat(70)}.`)]);
    const { roots, symptoms } = denialOf(
      validateCreation(object, emptyCluster, contextOf({ now: 0 })),
    );
    expect(new Set(roots.map(({ id }) => id))).toEqual(new Set(["job-name-valid"]));
    expect(symptoms.map(({ id }) => id)).toContain("replicated-job-label-valid");
  });
});

describe("dependencies", () => {
  const first = plain("DependsOn can't be set for the first ReplicatedJob");
  const refused = (name: string, on: string) =>
    plain(`replicatedJob: ${name} cannot depend on replicatedJob: ${on}`);
  const dependent = (...dependsOn: readonly (readonly string[])[]) =>
    jobSet({
      replicatedJobs: dependsOn.map((names, index) =>
        aReplicatedJob(`${index + 1}`, {
          ...(names.length > 0 && {
            dependsOn: names.map((name) => ({ name, status: "Ready" as const })),
          }),
        }),
      ),
    });

  it.each<[string, readonly (readonly string[])[], readonly string[]]>([
    ["2 on 1 and 3 on 1", [[], ["1"], ["1"]], []],
    ["2 on 1 and 3 on 2", [[], ["1"], ["2"]], []],
    ["3 on 1 and 2", [[], [], ["1", "2"]], []],
    ["2 on 3", [[], ["3"], []], [refused("2", "3")]],
    ["2 on 3 and 1", [[], ["3", "1"], []], [refused("2", "3")]],
    ["2 on what does not exist", [[], ["invalid"]], [refused("2", "invalid")]],
    ["1 on 2", [["2"], []], [first, refused("1", "2")]],
    ["1 on itself", [["1"], []], [first]],
    ["2 on itself", [[], ["2"]], []],
  ])("of %s", (_, dependsOn, errors) => {
    expect(createErrors(dependent(...dependsOn))).toEqual(errors);
  });

  it("on others are judged alike whether or not one may depend on itself", () => {
    const context = without("SelfDependencyAdmitted");
    expect(createErrors(dependent([], ["1"], ["2", "1"]), context)).toEqual([]);
    expect(createErrors(dependent([], ["3", "1"], []), context)).toEqual([refused("2", "3")]);
  });

  it("an empty list counts as one on the first ReplicatedJob, null does not", () => {
    const withList = (dependsOn: Loose) =>
      jobSet({ replicatedJobs: [{ ...aReplicatedJob("a"), dependsOn }] });
    expect(createErrors(withList([]))).toEqual([first]);
    expect(createErrors(withList(null))).toEqual([]);
    const later = { ...aReplicatedJob("b"), dependsOn: [] };
    expect(createErrors(jobSet({ replicatedJobs: [aReplicatedJob("a"), later] }))).toEqual([]);
  });

  it("is told by the rule that it breaks", () => {
    const answer = validateCreation(dependent(["1"], ["2"]), emptyCluster, contextOf({ now: 0 }));
    expect(denialOf(answer).roots.map(({ id }) => id)).toEqual([
      "first-job-independent",
      "dependency-listed-before",
      "dependency-listed-before",
    ]);
  });

  it("on itself is admitted by upstream, and refused by default", () => {
    const itself = dependent([], ["2"]);
    expect(createErrors(itself, without("SelfDependencyAdmitted"))).toEqual([refused("2", "2")]);
    const { roots } = denialOf(validateCreation(itself, emptyCluster, contextOf({ now: 0 })));
    expect(roots.map(({ message }) => message)).toEqual([
      invalid(
        "spec.replicatedJobs[1].dependsOn[0].name",
        '"2"',
        "replicatedJob: 2 cannot depend on replicatedJob: 2",
      ),
    ]);
  });
});

describe("a restart in place", () => {
  const gate = plain(
    "InPlaceRestart restart strategy cannot be set when InPlaceRestart feature gate is disabled",
  );
  const failurePolicy = { restartStrategy: "InPlaceRestart" };
  const inOrder = { backoffLimit: MAX_INT32, podReplacementPolicy: "Failed" };
  const on = withGates("InPlaceRestart");
  const base = "spec.replicatedJobs[0].template.spec";
  const demand = {
    backoffLimit:
      "replicatedJob w: must be set to 2147483647 (MaxInt32) when in-place restart is enabled",
    podReplacementPolicy: "replicatedJob w: must be set to Failed when in-place restart is enabled",
    completions:
      "replicatedJob w: completions and parallelism must be set and equal to each other when in-place restart is enabled",
  };

  it("needs its gate, without which the Jobs are not looked at", () => {
    expect(createErrors(jobSet({ failurePolicy, replicatedJobs: [replicatedJob("w")] }))).toEqual([
      gate,
    ]);
  });

  it.each<[string, Loose, readonly string[]]>([
    ["all is set", {}, []],
    [
      "nothing is set",
      { backoffLimit: null, podReplacementPolicy: null, completions: null, parallelism: null },
      [
        invalid(`${base}.backoffLimit`, "null", demand.backoffLimit),
        invalid(`${base}.podReplacementPolicy`, "null", demand.podReplacementPolicy),
        invalid(`${base}.completions`, "null", demand.completions),
      ],
    ],
    [
      "the back-off has a limit",
      { backoffLimit: 6 },
      [invalid(`${base}.backoffLimit`, "6", demand.backoffLimit)],
    ],
    [
      "Pods are replaced early",
      { podReplacementPolicy: "TerminatingOrFailed" },
      [
        invalid(
          `${base}.podReplacementPolicy`,
          '"TerminatingOrFailed"',
          demand.podReplacementPolicy,
        ),
      ],
    ],
    [
      "Pods do not all run at once",
      { completions: 2 },
      [invalid(`${base}.completions`, "2", demand.completions)],
    ],
    [
      "parallelism is not set",
      { parallelism: undefined },
      [invalid(`${base}.completions`, "1", demand.completions)],
    ],
  ])("asks of the Jobs under the gate that %s", (_, jobSpec, errors) => {
    const replicatedJobs = [replicatedJob("w", { ...inOrder, ...jobSpec })];
    expect(createErrors(jobSet({ failurePolicy, replicatedJobs }), on)).toEqual(errors);
  });

  it("is told by the rule that it breaks", () => {
    const bad = jobSet({ failurePolicy, replicatedJobs: [replicatedJob("w")] });
    const idsOf = (context: typeof on) =>
      denialOf(validateCreation(bad, emptyCluster, context)).roots.map(({ id }) => id);
    expect(idsOf(likeUpstream)).toEqual(["in-place-restart-enabled"]);
    expect(new Set(idsOf(on))).toEqual(new Set(["job-restarts-in-place"]));
  });

  it("asks nothing of the Jobs under another strategy", () => {
    const recreate = { restartStrategy: "Recreate" };
    const replicatedJobs = [replicatedJob("w", { backoffLimit: 6 })];
    expect(createErrors(jobSet({ failurePolicy: recreate, replicatedJobs }), on)).toEqual([]);
  });
});

describe("the success policy", () => {
  it("names ReplicatedJobs that exist, each time it names one", () => {
    const nope = plain("invalid replicatedJob name 'nope' does not appear in .spec.ReplicatedJobs");
    const targets = { operator: "All", targetReplicatedJobs: ["nope", "w", "nope"] };
    const answer = validateCreation(
      ofOne().withSpec({ successPolicy: targets as Loose }),
      emptyCluster,
      likeUpstream,
    );
    const { status } = denialOf(answer);
    expect(status.details?.causes).toHaveLength(2);
    expect(status.message).toBe(`JobSet.jobset.x-k8s.io "js" is invalid: ${nope}`);
  });

  it("is read as Go reads text: half a surrogate pair is the replacement character", () => {
    const targets = (name: string) => ({
      replicatedJobs: [aReplicatedJob("\ud800")],
      successPolicy: { operator: "All", targetReplicatedJobs: [name] },
    });
    const ofPolicy = (name: string) =>
      createErrors(jobSet(targets(name))).filter((error) => error.includes("does not appear"));
    expect(ofPolicy("\udbff")).toEqual([]);
    expect(ofPolicy("a\ud800")).toEqual([
      plain("invalid replicatedJob name 'a\ufffd' does not appear in .spec.ReplicatedJobs"),
    ]);
  });

  it("may be absent", () => {
    expect(createErrors(ofOne().withSpec({ successPolicy: undefined }))).toEqual([]);
  });
});

describe("the failure policy", () => {
  const length = (bytes: number) =>
    plain(
      `invalid failure policy rule name of length ${bytes}, the rule name must be at least 1 characters long and at most 128 characters long`,
    );
  const syntax = (name: string) =>
    plain(
      `invalid failure policy rule name '${name}', a failure policy rule name must start with an alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'`,
    );
  const notUnique = (indexes: string, name: string) =>
    plain(
      `rule names are not unique, rules with indices [${indexes}] all have the same name '${name}'`,
    );
  const rules = (...list: readonly Loose[]) => jobSet({ failurePolicy: { rules: list } });
  const rule = (rest: Loose = {}) => ({ name: "r", action: "FailJobSet", ...rest });

  it.each<[string, Loose, readonly string[]]>([
    ["has 128 bytes", "a".repeat(128), []],
    ["ends in an underscore", "a_", []],
    ["has 129 bytes", "a".repeat(129), [length(129)]],
    ["is empty", "", [length(0), syntax("")]],
    ["is absent", undefined, [length(0), syntax("")]],
    ["begins with a digit", "1ruleToRuleThemAll", [syntax("1ruleToRuleThemAll")]],
    ["ends in a comma", "ruleToRuleThemAll,", [syntax("ruleToRuleThemAll,")]],
    ["goes over a line", "a\n", [syntax("a\n")]],
  ])("asks of the name of a rule, which %s", (_, name, errors) => {
    expect(createErrors(rules(rule({ name })))).toEqual(errors);
  });

  it("asks that names differ, and tells of each name once, in the order of the first", () => {
    const named = ["b", "a", "b", "a", "b"].map((name) => rule({ name }));
    expect(createErrors(rules(...named))).toEqual([notUnique("0 2 4", "b"), notUnique("1 3", "a")]);
  });

  it("takes a default name for a name", () => {
    const named = [rule({ name: "failurePolicyRule0" }), rule({ name: "failurePolicyRule0" })];
    expect(createErrors(rules(...named))).toEqual([notUnique("0 1", "failurePolicyRule0")]);
  });

  it("tells of rules without names both that and that their names are the same", () => {
    expect(createErrors(rules(rule({ name: undefined }), rule({ name: "" })))).toEqual([
      length(0),
      syntax(""),
      length(0),
      syntax(""),
      notUnique("0 1", ""),
    ]);
  });

  it("asks that targets exist and that reasons are known, each time they are named", () => {
    const target = plain(
      "invalid replicatedJob name 'fakeReplicatedJob' in failure policy does not appear in .spec.ReplicatedJobs",
    );
    const reason = plain(
      "invalid job failure reason 'fakeReason' in failure policy is not a recognized job failure reason",
    );
    const bad = rule({
      targetReplicatedJobs: ["fakeReplicatedJob", "fakeReplicatedJob"],
      onJobFailureReasons: ["fakeReason", "DeadlineExceeded", "DeadlineExceeded"],
    });
    expect(createErrors(rules(bad))).toEqual([target, target, reason]);
  });

  it.each(["RestartJob", "RestartJobAndIgnoreMaxRestarts"])(
    "allows %s under its gate only, without which the rules are not looked at",
    (action) => {
      const gate = plain(
        "RestartJob and RestartJobAndIgnoreMaxRestarts failure policy actions are not allowed when RestartJob feature gate is disabled",
      );
      expect(createErrors(rules(rule({ name: "" }), rule({ action, name: "" })))).toEqual([gate]);
      expect(createErrors(rules(rule({ action })), withGates("RestartJob"))).toEqual([]);
    },
  );

  it("restarts single Jobs of up to 1024 only, and says so once", () => {
    const tooMany = plain(
      "JobSet cannot have a failure policy rule with RestartJob or RestartJobAndIgnoreMaxRestarts action and a replicated job with replicas > 1024",
    );
    const of = (...replicas: readonly number[]) => ({
      failurePolicy: { rules: [rule({ action: "RestartJob" })] },
      replicatedJobs: replicas.map((count, index) =>
        aReplicatedJob(`w${index}`, { replicas: count }),
      ),
    });
    const on = withGates("RestartJob");
    expect(createErrors(jobSet(of(1024)), on)).toEqual([]);
    expect(createErrors(jobSet(of(1025, 2000)), on)).toEqual([tooMany]);
  });

  it("has patterns that upstream does not compile, and that are refused by default", () => {
    const bad = rules(rule({ onJobFailureMessagePatterns: ["ok", "a(b"] }));
    expect(createErrors(bad)).toEqual([]);
    expect(createErrors(bad, without("InvalidPatternAdmitted"))).toEqual([
      invalid(
        "spec.failurePolicy.rules[0].onJobFailureMessagePatterns[1]",
        '"a(b"',
        "error parsing regexp: missing closing ): `a(b`",
      ),
    ]);
  });
});

describe("the work of message patterns", () => {
  /** JobSets of which each rule asks for one list of these patterns. */
  const asking = (...patterns: readonly (readonly string[])[]) =>
    jobSet({
      replicatedJobs: [replicatedJob("w")],
      failurePolicy: {
        rules: patterns.map((onJobFailureMessagePatterns, index) => ({
          name: `r${index}`,
          action: "FailJobSet",
          onJobFailureMessagePatterns,
        })),
      },
    });
  const tooMuch = (path: string, pattern: string, needed: number) =>
    invalid(
      path,
      JSON.stringify(pattern),
      `the message patterns up to this one need ${needed} units of work, and those of a JobSet may need 50000 together`,
    );
  const bounded = without("PatternWorkUnbounded");

  it("is bounded for all rules together by default, and told once", () => {
    const long = "a".repeat(50_000 - 4 - 9);
    expect(createErrors(asking([long], ["exit!"]), bounded)).toEqual([]);
    expect(createErrors(asking([long], ["exit 1", "b"], ["c"]), bounded)).toEqual([
      tooMuch("spec.failurePolicy.rules[1].onJobFailureMessagePatterns[0]", "exit 1", 50_001),
    ]);
    expect(createErrors(asking([long], ["exit 1", "b"], ["c"]))).toEqual([]);
  });

  it("is told by another rule than that a pattern does not compile", () => {
    const bad = asking(["("], ["a".repeat(60_000)]);
    const { roots } = denialOf(validateCreation(bad, emptyCluster, contextOf({ now: 0 })));
    expect(roots.map(({ id }) => id)).toEqual([
      "message-pattern-valid",
      "message-pattern-work-bounded",
    ]);
  });

  it.each([8_000, 20_000])("is not done for %d patterns, whatever is admitted", (count) => {
    const hostile = asking(Array<string>(count).fill("\\pL{1000}"), ["("]);
    const path = "spec.failurePolicy.rules[0].onJobFailureMessagePatterns[30]";
    const error = tooMuch(path, "\\pL{1000}", 31 * 1664);
    expect(createErrors(hostile, bounded)).toEqual([error]);
    expect(createErrors(hostile, contextOf({ now: 0 }))).toEqual([error]);
    // What is not compiled for its work is not refused for anything else either.
    expect(createErrors(hostile, without("InvalidPatternAdmitted"))).toEqual([]);
    expect(createErrors(hostile)).toEqual([]);
  });

  it("is no reason to refuse an update of a JobSet that is there", () => {
    const stored = asking(["a".repeat(60_000)]);
    const suspended = { ...stored, spec: { ...stored.spec, suspend: true } };
    const context = contextOf({ now: 0 });
    expect(updateErrors(stored, suspended, context)).toEqual([]);
    expect(updateErrors(asking(), stored, context)).not.toEqual([]);
  });
});

describe("the coordinator", () => {
  const workers = [replicatedJob("w", { completions: 3 }, { replicas: 2 })];
  const of = (coordinator: Loose, replicatedJobs: Loose = workers, name = "js") =>
    jobSet({ coordinator, replicatedJobs }, name);
  const label = (value: string, messages: string) =>
    plain(
      `spec will lead to invalid label value "${value}" for coordinator label "jobset.sigs.k8s.io/coordinator" (long JobSet / ReplicatedJob / SubDomain name?): ${messages}`,
    );
  const mode = plain(
    "job for coordinator pod must be indexed completion mode, and completions number must be set",
  );

  it.each<[string, Loose, Loose, readonly string[]]>([
    ["exists", { replicatedJob: "w", jobIndex: 1, podIndex: 2 }, workers, []],
    ["has index 0 when nothing is said", { replicatedJob: "w" }, workers, []],
    [
      "belongs to a ReplicatedJob",
      { replicatedJob: "x" },
      workers,
      [plain("coordinator replicatedJob x does not exist")],
    ],
    [
      "belongs to a Job that there is",
      { replicatedJob: "w", jobIndex: 2 },
      workers,
      [plain("coordinator job index 2 is invalid for replicatedJob w")],
    ],
    [
      "does not belong to Job −1",
      { replicatedJob: "w", jobIndex: -1 },
      workers,
      [plain("coordinator job index -1 is invalid for replicatedJob w")],
    ],
    [
      "never is where there are no Jobs",
      { replicatedJob: "w" },
      [aReplicatedJob("w", { replicas: 0 })],
      [plain("coordinator job index 0 is invalid for replicatedJob w")],
    ],
    [
      "belongs to an Indexed Job",
      { replicatedJob: "w" },
      [replicatedJob("w", { completionMode: "NonIndexed" })],
      [mode],
    ],
    [
      "belongs to a Job that knows its end",
      { replicatedJob: "w" },
      [replicatedJob("w", { completions: null })],
      [mode],
    ],
    [
      "is a Pod that there is",
      { replicatedJob: "w", podIndex: 3 },
      workers,
      [plain("coordinator pod index 3 is invalid for replicatedJob w job index 0")],
    ],
    [
      "never is where there are no Pods",
      { replicatedJob: "w" },
      [replicatedJob("w", { completions: 0 })],
      [plain("coordinator pod index 0 is invalid for replicatedJob w job index 0")],
    ],
    [
      "has an index of 64 bits",
      { replicatedJob: "w", jobIndex: 2 ** 63 },
      workers,
      [plain("coordinator job index 9223372036854775807 is invalid for replicatedJob w")],
    ],
  ])("%s", (_, coordinator, replicatedJobs, errors) => {
    const found = createErrors(of(coordinator, replicatedJobs));
    expect(found.filter((error) => !error.includes("invalid label value"))).toEqual(errors);
  });

  it("is told by a label in which the JobSet's name stands twice when there is no subdomain", () => {
    const name = "a".repeat(29);
    const value = `${name}-w-0-0.${name}`; // 65 bytes
    expect(createErrors(of({ replicatedJob: "w" }, workers, name))).toEqual([
      label(value, "must be no more than 63 bytes"),
    ]);
    expect(createErrors(of({ replicatedJob: "w" }, workers, "a".repeat(28)))).toEqual([]);
  });

  it("is told both to be missing and to have no valid label", () => {
    expect(createErrors(of({ replicatedJob: "x y" }))).toEqual([
      plain("coordinator replicatedJob x y does not exist"),
      label("js-x y-0-0.js", LABEL_VALUE),
    ]);
  });
});

describe("volume claim templates", () => {
  const requests = { resources: { requests: { storage: "1Gi" } } };
  const template = (name: string, spec: Loose = requests) => ({ metadata: { name }, spec });
  const mounting = (name: string, pod: Loose = {}) =>
    replicatedJob("w", {
      template: {
        spec: {
          containers: [{ name: "main", volumeMounts: [{ name, mountPath: "/data" }] }],
          ...pod,
        },
      },
    });
  const claiming = (policies: readonly Loose[], jobs: Loose = [mounting("data")], name = "js") =>
    jobSet({ volumeClaimPolicies: policies, replicatedJobs: jobs }, name);
  const base = "spec.volumeClaimPolicies[0]";
  const unmounted = (shown: string) =>
    invalid(
      "spec.replicatedJobs",
      shown,
      "replicatedJob containers don't have a matching volumeMount: data from VolumeClaimPolicies",
    );
  const data = { templates: [template("data")] };

  it("may be none", () => {
    expect(createErrors(claiming([{}, { templates: [] }, { templates: null }], []))).toEqual([]);
  });

  it("are mounted by a container or an init container, not an ephemeral one", () => {
    const volumeMounts = [{ name: "data", mountPath: "/data" }];
    const only = (pod: Loose) =>
      claiming([data], [replicatedJob("w", { template: { spec: pod } })]);
    expect(createErrors(claiming([data]))).toEqual([]);
    expect(
      createErrors(only({ containers: [], initContainers: [{ name: "i", volumeMounts }] })),
    ).toEqual([]);
    expect(
      createErrors(only({ containers: [], ephemeralContainers: [{ name: "e", volumeMounts }] })),
    ).toHaveLength(1);
  });

  it("are told to be unmounted with the whole list, null when there is none", () => {
    expect(createErrors(claiming([data], null))).toEqual([unmounted("null")]);
    expect(createErrors(claiming([data], []))).toEqual([unmounted("[]")]);
    expect(createErrors(claiming([data], [{ name: "a<b", groupName: "g", replicas: 1 }]))).toEqual([
      invalid("spec.replicatedJobs[0].name", '"js-a<b-0"', LABEL),
      unmounted(
        '[{"name":"a\\u003cb","groupName":"g","template":{"metadata":{},"spec":{"template":{"metadata":{},"spec":{"containers":null}}}},"replicas":1}]',
      ),
    ]);
  });

  it("have names that differ, also between policies, and the second is checked all the same", () => {
    const unique = "names must be unique for VolumeClaimPolicies template";
    const bad = { templates: [template("DATA")] };
    expect(createErrors(claiming([bad, bad], [mounting("DATA")]))).toEqual([
      invalid(`${base}.template[0].name`, '"DATA"', SUBDOMAIN),
      invalid("spec.volumeClaimPolicies[1].template[0].name", '"DATA"', unique),
      invalid("spec.volumeClaimPolicies[1].template[0].name", '"DATA"', SUBDOMAIN),
    ]);
  });

  it("have names that leave room for the JobSet's", () => {
    const long = "d".repeat(61);
    const of = (name: string) => claiming([{ templates: [template(name)] }], [mounting(name)]);
    expect(createErrors(of(long.slice(1)))).toEqual([]);
    expect(createErrors(of(long))).toEqual([
      invalid(
        `${base}.template[0].name`,
        `"${long}"`,
        "VolumeClaimPolicies template name is too long",
      ),
    ]);
  });

  it("have names that no volume has, and each such volume is told", () => {
    const volumes = [{ name: "other" }, { name: "data" }];
    const conflict = (job: number, volume: number) =>
      invalid(
        `spec.replicatedJobs[${job}].template.spec.template.spec.volumes[${volume}].name`,
        '"data"',
        "volume name conflicts with VolumeClaimPolicy template name: data",
      );
    const jobs = [mounting("data", { volumes }), mounting("data", { volumes: volumes.slice(1) })];
    expect(createErrors(claiming([data], jobs))).toEqual([conflict(0, 1), conflict(1, 0)]);
  });

  describe("of which there is a claim already", () => {
    const existing = (spec: Loose) =>
      snapshotOf([{ ...aClaim("data-js"), spec }], { kinds: ["PersistentVolumeClaim"] });
    const retained = { ...data, retentionPolicy: { whenDeleted: "Retain" } };
    const shown = '{"resources":{"requests":{"storage":"1Gi"}}}';
    const mismatch = (text = shown) =>
      invalid(
        `${base}.template[0].spec`,
        text,
        "spec does not match existing PVC data-js in namespace default",
      );
    const retain = (value: string) =>
      invalid(
        `${base}.retentionPolicy.whenDeleted`,
        `"${value}"`,
        "retentionPolicy must be retain when PVC exists",
      );
    const bound = {
      ...requests,
      accessModes: [],
      storageClassName: "standard",
      volumeMode: "Filesystem",
      volumeName: "pv-1",
    };
    const errors = (policy: Loose, spec: Loose, context = likeUpstream) =>
      createErrors(claiming([policy]), context, existing(spec));

    it("agree with it and retain it", () => {
      expect(errors(retained, requests)).toEqual([]);
      expect(errors(data, requests)).toEqual([]); // without any retention policy
    });

    it("are told both not to agree and to delete it", () => {
      const deleting = { ...data, retentionPolicy: { whenDeleted: "Delete" } };
      expect(errors(deleting, { ...requests, volumeName: "pv-1" })).toEqual([
        mismatch(),
        retain("Delete"),
      ]);
    });

    it("are taken to delete it when the retention policy says nothing", () => {
      expect(errors({ ...data, retentionPolicy: {} }, requests)).toEqual([retain("Delete")]);
      const empty = { ...data, retentionPolicy: { whenDeleted: "" } };
      expect(errors(empty, requests)).toEqual([retain("")]);
    });

    it("are compared by upstream to the letter, by default in what they set", () => {
      const ours = without("RetainedClaimRejected");
      expect(errors(retained, bound)).toEqual([mismatch()]);
      expect(errors(retained, bound, ours)).toEqual([]);
      const rewritten = {
        templates: [template("data", { resources: { requests: { storage: "1024Mi" } } })],
      };
      expect(errors(rewritten, requests)).toEqual([mismatch()]);
      expect(errors(rewritten, requests, ours)).toEqual([]);
      const emptyList = { templates: [template("data", { ...requests, accessModes: [] })] };
      expect(errors(emptyList, requests)).toEqual([mismatch()]);
      expect(errors(emptyList, requests, ours)).toEqual([]);
    });

    it("are refused by default where they set something else, or delete it", () => {
      const ours = without("RetainedClaimRejected");
      const larger = {
        templates: [template("data", { resources: { requests: { storage: "2Gi" } } })],
      };
      expect(errors(larger, bound, ours)).toEqual([
        mismatch('{"resources":{"requests":{"storage":"2Gi"}}}'),
      ]);
      const deleting = { ...data, retentionPolicy: { whenDeleted: "Delete" } };
      expect(errors(deleting, bound, ours)).toEqual([retain("Delete")]);
    });

    it("belong to the JobSet's namespace", () => {
      const elsewhere = snapshotOf([aClaim("data-js").inNamespace("other")], {
        kinds: ["PersistentVolumeClaim"],
      });
      expect(createErrors(claiming([data]), likeUpstream, elsewhere)).toEqual([]);
    });

    it("name the claim that they are about", () => {
      const deleting = { ...data, retentionPolicy: { whenDeleted: "Delete" } };
      const answer = validateCreation(claiming([deleting]), existing(bound), likeUpstream);
      const claim = {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        namespace: "default",
        name: "data-js",
      };
      expect(denialOf(answer).roots.map(({ id, objects }) => [id, objects[1]])).toEqual([
        ["existing-claim-agrees", claim],
        ["existing-claim-retained", claim],
      ]);
    });
  });

  it("are refused with an internal error when claims cannot be read", () => {
    const snapshot = snapshotOf([], { readErrors: { PersistentVolumeClaim: "timed out" } });
    const answer = validateCreation(claiming([data]), snapshot, likeUpstream);
    const denial = denialOf(answer);
    expect(denial.status.code).toBe(422);
    expect(denial.status.details?.causes).toEqual([
      {
        reason: "InternalError",
        message: "Internal error: failed to check for existing PVC data-js: timed out",
        field: "spec.volumeClaimPolicies[0].template[0]",
      },
    ]);
    expect(denial.transient).toBe(true);
    // Nothing is wrong with the field.
    expect(explainDenial(denial).advice).toEqual([
      "make sure that the webhook can read volume claims",
    ]);
  });

  it("are refused as unknown when claims were never read, and only when they are asked for", () => {
    const blind = snapshotOf([]);
    expect(createErrors(ofOne(), likeUpstream, blind)).toEqual([]);
    const denial = denialOf(validateCreation(claiming([data]), blind, likeUpstream));
    expect(denial.status).toEqual({
      status: "Failure",
      message:
        "Internal error occurred: failed to check for existing PVC data-js: objects of kind PersistentVolumeClaim were not read",
      reason: "InternalError",
      code: 500,
    });
    expect(denial.roots).toEqual([]);
    expect(denial.unknown.map(({ id, objects }) => [id, objects.at(-1)?.name])).toEqual([
      ["existing-claim-readable", "data-js"],
    ]);
  });

  it("are told with what is known to be wrong when claims were never read", () => {
    const policies = [{ templates: [template("DATA")] }];
    const answer = validateCreation(
      claiming(policies, [mounting("DATA")]),
      snapshotOf([]),
      likeUpstream,
    );
    const denial = denialOf(answer);
    expect(denial.status.code).toBe(422);
    expect(denial.roots.map(({ id }) => id)).toEqual(["claim-name-valid"]);
    expect(denial.unknown).toHaveLength(1);
  });
});

describe("exclusive placement of Jobs that are not Indexed", () => {
  const topology = { "alpha.jobset.sigs.k8s.io/exclusive-topology": "rack" };
  const strategy = { ...topology, "alpha.jobset.sigs.k8s.io/node-selector": "true" };
  const nonIndexed = replicatedJob("w", { completionMode: "NonIndexed" });
  const ours = without("NonIndexedExclusiveAdmitted");
  const refused = (shown = '"NonIndexed"') => [
    invalid(
      "spec.replicatedJobs[0].template.spec.completionMode",
      shown,
      "must be Indexed for exclusive placement (annotation alpha.jobset.sigs.k8s.io/exclusive-topology), which follows the pod of index 0",
    ),
  ];
  const onJobSet = jobSet({ replicatedJobs: [nonIndexed] }).withAnnotations(topology);

  it("is admitted by upstream, and refused by default", () => {
    expect(createErrors(onJobSet)).toEqual([]);
    expect(createErrors(onJobSet, ours)).toEqual(refused());
  });

  it("is seen on the Job template and on the Pod template, too", () => {
    const { spec } = nonIndexed.template;
    const onJob = { ...nonIndexed, template: { metadata: { annotations: topology }, spec } };
    expect(createErrors(jobSet({ replicatedJobs: [onJob] }), ours)).toEqual(refused());
    const pod = { ...spec.template, metadata: { annotations: topology } };
    const onPod = replicatedJob("w", { completionMode: undefined, template: pod });
    expect(createErrors(jobSet({ replicatedJobs: [onPod] }), ours)).toEqual(refused("null"));
  });

  it("needs no leader where nodes are labelled beforehand", () => {
    expect(createErrors(onJobSet.withAnnotations(strategy), ours)).toEqual([]);
  });

  it("is of no concern to Indexed Jobs", () => {
    expect(createErrors(ofOne().withAnnotations(topology), ours)).toEqual([]);
  });
});

describe("the fields of mistakes that upstream calls internal errors", () => {
  const rule = { name: "r", action: "FailJobSet" };
  const strategy = { failurePolicy: { restartStrategy: "InPlaceRestart" } };
  it.each<[string, Loose, string, string]>([
    [
      "a gate for restarts in place",
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
      denialOf(validateCreation(jobSet(spec), emptyCluster, context)).status.details?.causes;
    expect(causes(likeUpstream)).toMatchObject([{ reason: "InternalError", field: "<nil>" }]);
    expect(causes(without("UnpathedErrorsAreInternal"))).toMatchObject([{ reason: type, field }]);
  });
});
