import { createSnapshot } from "@jobset-ts/core";
import { aClaim } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { explainDenial } from "../denial/explain-denial.ts";
import {
  type AnyObject,
  invalid,
  jobSet,
  jobSetWithOne,
  LABEL,
  replicatedJob,
  SUBDOMAIN,
} from "./testing/created-jobsets.ts";
import {
  contextWithoutQuirk,
  createErrors,
  getDenial,
  likeUpstream,
  validateCreation,
} from "./testing/denials.ts";

describe("PersistentVolumeClaim templates", () => {
  const requests = { resources: { requests: { storage: "1Gi" } } };
  const template = (name: string, spec: AnyObject = requests) => ({ metadata: { name }, spec });
  const mounting = (name: string, pod: AnyObject = {}) =>
    replicatedJob("w", {
      template: {
        spec: {
          containers: [{ name: "main", volumeMounts: [{ name, mountPath: "/data" }] }],
          ...pod,
        },
      },
    });
  const createClaimingJobSet = (
    policies: readonly AnyObject[],
    jobs: AnyObject = [mounting("data")],
    name = "js",
  ) => jobSet({ volumeClaimPolicies: policies, replicatedJobs: jobs }, name);
  const base = "spec.volumeClaimPolicies[0]";
  const createUnmountedError = (shown: string) =>
    invalid(
      "spec.replicatedJobs",
      shown,
      "replicatedJob containers don't have a matching volumeMount: data from VolumeClaimPolicies",
    );
  const data = { templates: [template("data")] };

  it("PersistentVolumeClaim templates are optional", () => {
    expect(
      createErrors(createClaimingJobSet([{}, { templates: [] }, { templates: null }], [])),
    ).toEqual([]);
  });

  it("a claim must be mounted by a container or init container, not an ephemeral one", () => {
    const volumeMounts = [{ name: "data", mountPath: "/data" }];
    const only = (pod: AnyObject) =>
      createClaimingJobSet([data], [replicatedJob("w", { template: { spec: pod } })]);
    expect(createErrors(createClaimingJobSet([data]))).toEqual([]);
    expect(
      createErrors(only({ containers: [], initContainers: [{ name: "i", volumeMounts }] })),
    ).toEqual([]);
    expect(
      createErrors(only({ containers: [], ephemeralContainers: [{ name: "e", volumeMounts }] })),
    ).toHaveLength(1);
  });

  it("an unmounted claim is reported with the whole list of volumes, or null without one", () => {
    expect(createErrors(createClaimingJobSet([data], null))).toEqual([
      createUnmountedError("null"),
    ]);
    expect(createErrors(createClaimingJobSet([data], []))).toEqual([createUnmountedError("[]")]);
    expect(
      createErrors(createClaimingJobSet([data], [{ name: "a<b", groupName: "g", replicas: 1 }])),
    ).toEqual([
      invalid("spec.replicatedJobs[0].name", '"js-a<b-0"', LABEL),
      createUnmountedError(
        '[{"name":"a\\u003cb","groupName":"g","template":{"metadata":{},"spec":{"template":{"metadata":{},"spec":{"containers":null}}}},"replicas":1}]',
      ),
    ]);
  });

  it("names of claim templates are unique across policies, and duplicates are checked as well", () => {
    const unique = "names must be unique for VolumeClaimPolicies template";
    const bad = { templates: [template("DATA")] };
    expect(createErrors(createClaimingJobSet([bad, bad], [mounting("DATA")]))).toEqual([
      invalid(`${base}.template[0].name`, '"DATA"', SUBDOMAIN),
      invalid("spec.volumeClaimPolicies[1].template[0].name", '"DATA"', unique),
      invalid("spec.volumeClaimPolicies[1].template[0].name", '"DATA"', SUBDOMAIN),
    ]);
  });

  it("names of claim templates leave room for the JobSet's name", () => {
    const long = "d".repeat(61);
    const jobSetWithTemplate = (name: string) =>
      createClaimingJobSet([{ templates: [template(name)] }], [mounting(name)]);
    expect(createErrors(jobSetWithTemplate(long.slice(1)))).toEqual([]);
    expect(createErrors(jobSetWithTemplate(long))).toEqual([
      invalid(
        `${base}.template[0].name`,
        `"${long}"`,
        "VolumeClaimPolicies template name is too long",
      ),
    ]);
  });

  it("each volume name that no volume has is reported", () => {
    const volumes = [{ name: "other" }, { name: "data" }];
    const conflict = (job: number, volume: number) =>
      invalid(
        `spec.replicatedJobs[${job}].template.spec.template.spec.volumes[${volume}].name`,
        '"data"',
        "volume name conflicts with VolumeClaimPolicy template name: data",
      );
    const jobs = [mounting("data", { volumes }), mounting("data", { volumes: volumes.slice(1) })];
    expect(createErrors(createClaimingJobSet([data], jobs))).toEqual([
      conflict(0, 1),
      conflict(1, 0),
    ]);
  });

  describe("with an existing claim", () => {
    const createExistingClaim = (spec: AnyObject) =>
      createSnapshot([{ ...aClaim("data-js"), spec }], { kinds: ["PersistentVolumeClaim"] });
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
    const errors = (policy: AnyObject, spec: AnyObject, context = likeUpstream) =>
      createErrors(createClaimingJobSet([policy]), context, createExistingClaim(spec));

    it("an existing claim must match its template and be retained", () => {
      expect(errors(retained, requests)).toEqual([]);
      expect(errors(data, requests)).toEqual([]); // Without a retention policy.
    });

    it("an existing claim can be reported as different and as deleted with the JobSet", () => {
      const deleting = { ...data, retentionPolicy: { whenDeleted: "Delete" } };
      expect(errors(deleting, { ...requests, volumeName: "pv-1" })).toEqual([
        mismatch(),
        retain("Delete"),
      ]);
    });

    it("a retention policy without content counts as Delete", () => {
      expect(errors({ ...data, retentionPolicy: {} }, requests)).toEqual([retain("Delete")]);
      const empty = { ...data, retentionPolicy: { whenDeleted: "" } };
      expect(errors(empty, requests)).toEqual([retain("")]);
    });

    it("upstream compares existing claims exactly, the default compares what the template sets", () => {
      const ours = contextWithoutQuirk("RetainedClaimRejected");
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

    it("PersistentVolumeClaim templates with an existing claim are rejected by default if they conflict with it or delete it", () => {
      const ours = contextWithoutQuirk("RetainedClaimRejected");
      const larger = {
        templates: [template("data", { resources: { requests: { storage: "2Gi" } } })],
      };
      expect(errors(larger, bound, ours)).toEqual([
        mismatch('{"resources":{"requests":{"storage":"2Gi"}}}'),
      ]);
      const deleting = { ...data, retentionPolicy: { whenDeleted: "Delete" } };
      expect(errors(deleting, bound, ours)).toEqual([retain("Delete")]);
    });

    it("PersistentVolumeClaim templates refer to existing claims in the JobSet's namespace", () => {
      const elsewhere = createSnapshot([aClaim("data-js").inNamespace("other")], {
        kinds: ["PersistentVolumeClaim"],
      });
      expect(createErrors(createClaimingJobSet([data]), likeUpstream, elsewhere)).toEqual([]);
    });

    it("errors about PersistentVolumeClaim templates with an existing claim name the claim", () => {
      const deleting = { ...data, retentionPolicy: { whenDeleted: "Delete" } };
      const result = validateCreation(
        createClaimingJobSet([deleting]),
        createExistingClaim(bound),
        likeUpstream,
      );
      const claim = {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        namespace: "default",
        name: "data-js",
      };
      expect(getDenial(result).roots.map(({ id, objects }) => [id, objects[1]])).toEqual([
        ["existing-claim-agrees", claim],
        ["existing-claim-retained", claim],
      ]);
    });
  });

  it("templates with an existing claim are denied with an internal error if claims could not be read", () => {
    const snapshot = createSnapshot([], { readErrors: { PersistentVolumeClaim: "timed out" } });
    const result = validateCreation(createClaimingJobSet([data]), snapshot, likeUpstream);
    const denial = getDenial(result);
    expect(denial.status.code).toBe(422);
    expect(denial.status.details?.causes).toEqual([
      {
        reason: "InternalError",
        message: "Internal error: failed to check for existing PVC data-js: timed out",
        field: "spec.volumeClaimPolicies[0].template[0]",
      },
    ]);
    expect(denial.transient).toBe(true);
    // The value of the field is valid.
    expect(explainDenial(denial).advice).toEqual([
      "make sure that the webhook can read PersistentVolumeClaims",
    ]);
  });

  it("templates are denied as unknown if claims were never read, and only where claims matter", () => {
    const blind = createSnapshot([]);
    expect(createErrors(jobSetWithOne(), likeUpstream, blind)).toEqual([]);
    const denial = getDenial(validateCreation(createClaimingJobSet([data]), blind, likeUpstream));
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

  it("known errors are reported even if claims were never read", () => {
    const policies = [{ templates: [template("DATA")] }];
    const result = validateCreation(
      createClaimingJobSet(policies, [mounting("DATA")]),
      createSnapshot([]),
      likeUpstream,
    );
    const denial = getDenial(result);
    expect(denial.status.code).toBe(422);
    expect(denial.roots.map(({ id }) => id)).toEqual(["claim-name-valid"]);
    expect(denial.unknown).toHaveLength(1);
  });
});
