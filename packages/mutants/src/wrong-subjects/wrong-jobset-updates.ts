// Webhooks for JobSets that are wrong about updates.
import { isSuspended } from "@jobset-ts/api";
import { asArray } from "@jobset-ts/api/kubernetes";
import { edit, type Place, type Untyped, words } from "../edit.ts";
import { createOwnWebhooks, jobSets } from "../law-sets.ts";
import type { WebhookInput } from "../webhooks.ts";
import {
  defectForEach,
  JOB,
  memberNames,
  memberPaths,
  POD,
  pairs,
  partialReads,
  specPaths,
} from "./schema-paths.ts";
import { createWrongSubjects } from "./wrong-subject.ts";
import { denyIf, isUpdate, misread, patchUpdates } from "./wrong-webhook.ts";

/** Selects changes of a value on an update by its next value and its place. The other value there is the old one. */
type ChangeFilter = (next: Untyped, context: WebhookInput & Place) => unknown;

const isAny = () => true;
const isRemoval: ChangeFilter = (next) => next === undefined;
const isSuspension: ChangeFilter = (_, { object, oldObject }) =>
  isSuspended(object) && !isSuspended(oldObject);
const isResume: ChangeFilter = (_, { object, oldObject }) =>
  !isSuspended(object) && isSuspended(oldObject);
const isWhileSuspended: ChangeFilter = (_, { object, oldObject }) =>
  isSuspended(object) && isSuspended(oldObject);

/** The webhook reads the old values at a path of the spec instead of the new ones. */
const ignoreChange = (path: string, isIgnored: ChangeFilter = isAny) =>
  misread(`object.spec.${path}`, (next, context) =>
    isUpdate(context) && isIgnored(next, context) ? context.other : next,
  );

/** The webhook denies changes of values at a path. */
const denyChange = (path: string, isDenied: ChangeFilter = isAny) =>
  denyIf((input) => {
    const denied: Untyped[] = [];
    const compare = (next: Untyped, place: Place) => {
      const isSame = JSON.stringify(next) === JSON.stringify(place.other);
      if (!isSame && isDenied(next, { ...input, ...place })) denied.push(next);
      return next;
    };
    edit(structuredClone(input.object), path, compare, input.oldObject);
    return isUpdate(input) && denied.length > 0;
  });

const sortByName = (replicatedJobs: Untyped) =>
  asArray<Untyped>(replicatedJobs).toSorted((one, other) => (one?.name < other?.name ? -1 : 1));

/** Updates in which a webhook might not compare ReplicatedJobs. */
const uncheckedUpdates: Readonly<Record<string, ChangeFilter>> = {
  "when the JobSet is suspended": isSuspension,
  "when the JobSet is resumed": isResume,
  "if the JobSet has a finalizer": (_, { object }) => object.metadata.finalizers?.length > 0,
  "if the JobSet is being deleted": (_, { object }) => object.metadata.deletionTimestamp,
  "if the JobSet has finished": (_, { object }) => object.status?.terminalState,
  "if the JobSet has restarted": (_, { object }) => object.status?.restarts > 0,
};

const metadataNames = memberNames("ObjectMeta", "namespace");
const immutableMembers = [
  ...memberPaths("replicatedJobs.*", words("groupName replicas")),
  ...memberPaths("replicatedJobs.*.template.metadata", metadataNames),
  ...memberPaths(`${JOB}.template.metadata`, metadataNames),
  ...specPaths,
  ...memberPaths(`${POD}.containers.*`, memberNames("Container", "name")),
  ...memberPaths(`${POD}.initContainers.*`, memberNames("Container", "name")),
];
const immutableLists = [
  "replicatedJobs.*",
  ...words("containers initContainers volumes tolerations").map((list) => `${POD}.${list}.*`),
];

/** The members that a queue writes. */
const queueMembers = [
  ...memberPaths(`${JOB}.template.metadata`, words("labels annotations")),
  ...memberPaths(POD, words("nodeSelector tolerations schedulingGates")),
].map((path) => `spec.${path}`);
/** Changes of these members that a webhook might deny. */
const deniedChanges: Readonly<Record<string, ChangeFilter>> = {
  "except in the first ReplicatedJob": (_, { index }) => index > 0,
  "when the JobSet is resumed": isResume,
  "when the JobSet is suspended": isSuspension,
};

export const wrongJobSetUpdates = createWrongSubjects(jobSets, {
  replicatedJobsAreImmutable: {
    ...defectForEach(immutableMembers, (path) => [`lets ${path} change`, ignoreChange(path)]),
    ...defectForEach(pairs(partialReads, immutableLists), ([[elements, isRead], path]) => [
      `compares ${elements} of ${path}`,
      ignoreChange(path, (_, place) => !isRead(place)),
    ]),
    ...defectForEach(Object.entries(uncheckedUpdates), ([when, isIgnored]) => [
      `lets whole ReplicatedJobs change ${when}`,
      ignoreChange("replicatedJobs.*.template", isIgnored),
    ]),
    ...defectForEach(words("affinity priorityClassName containers volumes"), (name) => [
      `lets the Pods' ${name} change while the JobSet is suspended`,
      ignoreChange(`${POD}.${name}`, isWhileSuspended),
    ]),
    "lets ReplicatedJobs change their order": misread("*.spec.replicatedJobs", sortByName),
  },
  mutableFieldsCanChange: {
    ...defectForEach(
      pairs(queueMembers, Object.entries(deniedChanges)),
      ([path, [when, isDenied]]) => [
        `${path.endsWith("nodeSelector") && isDenied === isSuspension ? "B45 " : ""}denies changes of ${path} ${when}`,
        denyChange(path, isDenied),
      ],
    ),
    ...defectForEach(
      words("metadata.labels metadata.annotations spec.ttlSecondsAfterFinished spec.coordinator"),
      (path) => [`denies the removal of ${path}`, denyChange(path, isRemoval)],
    ),
    "B40 denies changes of suspend": denyChange("spec.suspend"),
  },
  policiesAreNotRemoved: {
    "lets updates remove the network": ignoreChange("network", isRemoval),
  },
  managedByIsImmutable: {
    "lets managedBy be added": ignoreChange("managedBy", (_, { other }) => other === undefined),
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
    "lets Pod counts change without the gate": () => ({
      ...createOwnWebhooks(["ElasticJobSet"]),
      features: [],
    }),
  },
  jobSetDeletionIsAllowed: {
    "denies deletions": denyIf(({ operation }) => operation === "DELETE"),
  },
});
