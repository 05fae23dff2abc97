// Webhooks for JobSets that are wrong about one rule.
import { getReplicas, getReplicatedJobs } from "@jobset-ts/api";
import { JOBSET_CONTROLLER_NAME } from "@jobset-ts/api/keys";
import { asArray } from "@jobset-ts/api/kubernetes";
import { edit, get, put, type Untyped, words } from "../edit.ts";
import {
  defectForEach,
  defectForEachPair,
  JOB,
  POD,
  partialChecks,
  specPaths,
} from "./defect-tables.ts";
import { admittedChanges, deniedChanges } from "./wrong-jobset-updates.ts";
import type { DefectsByLaw } from "./wrong-subject.ts";
import {
  admitDespite,
  createWrongWebhooks,
  denyIf,
  dropMembers,
  isCreation,
  isUpdate,
  misread,
  omitFromPatch,
  patchUpdates,
  setMember,
  type WebhookDefect,
  withGate,
} from "./wrong-webhook.ts";

const misreadObject = (change: (object: Untyped, oldSpec: Untyped) => unknown) =>
  misread(({ object, oldObject }) => object?.spec && change(object, oldObject?.spec));
/** The webhook reads another value at a path of the spec. On a creation, there is no old spec. */
const misreadSpec = (
  path: string,
  change: (value: Untyped, spec: Untyped, oldSpec: Untyped) => Untyped,
) =>
  misreadObject(({ spec }, oldSpec) => edit(spec, path, (value) => change(value, spec, oldSpec)));
const denySpecIf = (isDenied: (spec: Untyped) => boolean) =>
  denyIf(({ object }) => object?.spec !== undefined && isDenied(object.spec));
const denyCreationIf = (isDenied: (replicatedJobs: readonly Untyped[]) => boolean) =>
  denyIf((input) => isCreation(input) && isDenied(getReplicatedJobs(input.object)));

const countPods = (replicatedJob: Untyped): number =>
  getReplicas(replicatedJob) * (get(replicatedJob, `${JOB}.parallelism`) ?? 1);
const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

const defects: DefectsByLaw<WebhookDefect> = {
  replicatedJobsAreImmutable: admittedChanges,
  mutableFieldsCanChange: {
    ...deniedChanges,
    "B40 denies changes of suspend": denyIf(
      (input) => isUpdate(input) && input.object.spec.suspend !== input.oldObject.spec.suspend,
    ),
  },
  policiesAreNotRemoved: defectForEach(
    words("network successPolicy failurePolicy startupPolicy volumeClaimPolicies"),
    (name) => [
      `lets updates remove ${name}`,
      misreadSpec(name, (value, _, oldSpec) => value ?? oldSpec?.[name]),
    ],
  ),
  newJobSetsGetDefaults: {
    ...defectForEachPair(
      partialChecks,
      [
        { list: "replicatedJobs", name: "ReplicatedJobs" },
        { list: "failurePolicy/rules", name: "failure policy rules" },
        { list: "volumeClaimPolicies", name: "claim policies" },
      ],
      ([elements, isDefaulted], { list, name }) => [
        `sets the defaults of ${elements} of the ${name}`,
        omitFromPatch(({ path }, { object }) => {
          const [, index] = new RegExp(`^/spec/${list}/(\\d+)/`).exec(path) ?? [];
          const { length } = asArray<Untyped>(get(object?.spec, list.replace("/", ".")));
          return index !== undefined && !isDefaulted(Number(index), length);
        }),
      ],
    ),
    "sets no defaults in a JobSet without a name": omitFromPatch(
      (_, { object }) => !object?.metadata?.name,
    ),
  },
  givenValuesAreKept: {
    ...defectForEach(specPaths, (path) => [
      `drops ${path}`,
      dropMembers((jobSet) =>
        getReplicatedJobs(jobSet).map((_, index) => `spec.replicatedJobs.${index}.${path}`),
      ),
    ]),
    "B66 sets managedBy": setMember("/spec/managedBy", ({ object }) =>
      object?.spec?.managedBy ? undefined : JOBSET_CONTROLLER_NAME,
    ),
    "treats false as absent": setMember("/spec/network/enableDNSHostnames", ({ object }) =>
      object?.spec?.network?.enableDNSHostnames === false ? true : undefined,
    ),
    "sets a name": setMember("/metadata/name", ({ object }) => {
      const { generateName, name } = object?.metadata ?? {};
      return name ? undefined : generateName;
    }),
  },
  updatesGetNoDefaults: defectForEach(
    words(
      "successPolicy startupPolicy completionMode restartPolicy network enableDNSHostnames publishNotReadyAddresses name retentionPolicy",
    ),
    (name) => [
      `${name === "successPolicy" ? "B65 " : ""}sets ${name} on updates, too`,
      patchUpdates(({ path }) => path.endsWith(`/${name}`)),
    ],
  ),
  scalingChangesParallelismAndCompletions: {
    "lets Pod counts change without the gate": withGate("ElasticJobSet"),
  },
  namesFit: {
    "B51 does not check the names of Pods": admitDespite(/pod names generated for this JobSet/),
    "treats generateName as the name": misreadObject(({ metadata }) =>
      edit(metadata, "name", (name) => metadata.generateName ?? name),
    ),
  },
  coordinatorsAreValid: {
    "B55 throws on a coordinator without completions": denySpecIf((spec) => {
      const hasCompletions = (one: Untyped) => get(one, `${JOB}.completions`);
      if (spec.coordinator && !asArray(spec.replicatedJobs).every(hasCompletions))
        throw new TypeError("completions");
      return false;
    }),
    "B56 looks up the first ReplicatedJob for the coordinator": misreadSpec(
      "coordinator.replicatedJob",
      (_, spec) => spec.replicatedJobs?.[0]?.name,
    ),
    "admits a coordinator after the last Pod": misreadSpec("coordinator.podIndex", (index) =>
      index > 0 ? index - 1 : index,
    ),
    "checks the address of a coordinator as if its indexes were 0": misreadSpec(
      "coordinator",
      (coordinator) => coordinator && { ...coordinator, jobIndex: 0, podIndex: 0 },
    ),
  },
  podsCanBeCounted: {
    "B64 lets the number of Pods overflow": misreadSpec("replicatedJobs.*", (one) =>
      countPods(one) >= 2 ** 31 && (countPods(one) | 0) >= 0 ? { ...one, replicas: 1 } : one,
    ),
    "counts Pods over all ReplicatedJobs": denyCreationIf(
      (all) => sum(all.map(countPods)) >= 2 ** 31,
    ),
  },
  subdomainsAreServiceNames: {
    "B71 admits a subdomain that starts with a digit": misreadSpec("network.subdomain", (name) =>
      name?.replace(/^\d/, "a"),
    ),
  },
  managedByIsImmutable: {
    "lets managedBy change": misreadSpec("managedBy", (name, _, old) =>
      old ? old.managedBy : name,
    ),
    "lets managedBy be added": misreadSpec("managedBy", (name, _, old) =>
      old && old.managedBy === undefined ? undefined : name,
    ),
  },
  managedByHasADomain: {
    "denies managedBy of 63 bytes": denySpecIf(({ managedBy }) => managedBy?.length === 63),
    "denies managedBy with two slashes": denySpecIf(({ managedBy }) => /\/.*\//.test(managedBy)),
  },
  jobSetDeletionIsAllowed: {
    "denies deletions": denyIf(({ operation }) => operation === "DELETE"),
    "checks updates like creations": misread((input) => {
      if (isUpdate(input)) input.operation = "CREATE";
    }),
  },
  claimsCanBeMounted: {
    "ignores the volume mounts of init containers": misreadSpec(
      `replicatedJobs.*.${POD}.initContainers`,
      () => undefined,
    ),
  },
};

const defectsUnderGates: DefectsByLaw<WebhookDefect> = {
  scalingChangesParallelismAndCompletions: {
    "lets Pod counts change after the JobSet has finished": misread(({ object, oldObject }) =>
      edit([object, oldObject], "*.status", () => undefined),
    ),
    "lets NonIndexed Jobs scale": misread(({ object, oldObject }) => {
      for (const one of [object, oldObject].flatMap(getReplicatedJobs))
        put(one, `${JOB}.completionMode`, "Indexed");
    }),
  },
  jobRestartsCanBeCounted: {
    "denies 1024 Jobs under single restarts": denyCreationIf((all) =>
      all.some((one) => getReplicas(one) === 1024),
    ),
    "counts Jobs under single restarts over all ReplicatedJobs": denyCreationIf(
      (all) => Math.max(...all.map(getReplicas)) <= 1024 && sum(all.map(getReplicas)) > 1024,
    ),
  },
};

export const wrongJobSetWebhooks = [
  ...createWrongWebhooks("jobSets", defects),
  ...createWrongWebhooks("jobSetsUnderGates", defectsUnderGates),
];
