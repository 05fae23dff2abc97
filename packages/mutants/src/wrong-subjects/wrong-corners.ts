// Controllers and webhooks that are wrong only in one state of the cluster, or about one member.
import { getReplicatedJobs } from "@jobset-ts/api";
import { RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import { asArray, findCondition, getLabel } from "@jobset-ts/api/kubernetes";
import { isLeaderPod } from "@jobset-ts/core/placement";
import { edit, get, type Untyped, words } from "../edit.ts";
import type { CreateController } from "../wrapped-controllers.ts";
import { defectForEach, memberNames } from "./defect-tables.ts";
import { ignore } from "./wrong-reads.ts";
import { createWrongSubjects, type DefectsByLaw } from "./wrong-subject.ts";
import {
  admitDespite,
  changeDenials,
  createWrongWebhooks,
  denyIf,
  isCreation,
  isUpdate,
  misread,
  omitFromPatch,
  type WebhookDefect,
} from "./wrong-webhook.ts";

const controllers: DefectsByLaw<CreateController> = {
  inPlaceAttemptsAreCounted: {
    "ignores Pods that are being deleted during in-place restarts": ignore(
      "Pod.*",
      (pod) => pod.metadata.deletionTimestamp !== undefined,
    ),
    "ignores succeeded Pods during in-place restarts": ignore(
      "Pod.*",
      (pod) => pod.status?.phase === "Succeeded",
    ),
  },
};

const admitUpdates = (isAdmitted: (jobSet: Untyped) => unknown) =>
  admitDespite(/./, (input) => isUpdate(input) && Boolean(isAdmitted(input.object ?? {})));

const jobSetWebhooks: DefectsByLaw<WebhookDefect> = {
  replicatedJobsAreImmutable: {
    "does not check updates of a JobSet with a finalizer": admitUpdates(
      ({ metadata }) => metadata?.finalizers?.length > 0,
    ),
    "does not check updates of a JobSet that is being deleted": admitUpdates(
      ({ metadata }) => metadata?.deletionTimestamp,
    ),
    "does not check updates of a JobSet that has finished": admitUpdates(
      ({ status }) => status?.terminalState,
    ),
    "does not check updates of a JobSet that has restarted": admitUpdates(
      ({ status }) => status?.restarts > 0,
    ),
  },
  mutableFieldsCanChange: defectForEach(
    words("metadata.labels metadata.annotations spec.ttlSecondsAfterFinished spec.coordinator"),
    (path) => [
      `denies the removal of ${path}`,
      denyIf(
        (input) =>
          isUpdate(input) &&
          get(input.oldObject, path) !== undefined &&
          get(input.object, path) === undefined,
      ),
    ],
  ),
  newJobSetsGetDefaults: defectForEach(
    words("suspend managedBy ttlSecondsAfterFinished coordinator"),
    (name) => [
      `sets no defaults in a JobSet with ${name}`,
      omitFromPatch((_, { object }) => object?.spec?.[name] !== undefined),
    ],
  ),
  existingClaimsAreReused: defectForEach(
    memberNames("PersistentVolumeClaimSpec", "volumeName"),
    (name) => [
      `does not compare ${name} of an existing PVC`,
      misread(({ object, cluster }) => {
        for (const policy of asArray<Untyped>(object?.spec?.volumeClaimPolicies))
          for (const { spec } of asArray<Untyped>(policy?.templates))
            for (const claim of cluster)
              if (spec?.[name] !== undefined) claim.spec[name] = spec[name];
      }),
    ],
  ),
  validJobSetsAreAdmitted: {
    "denies ReplicatedJobs without replicas": denyIf(({ object }) =>
      getReplicatedJobs(object).some((one) => one?.replicas === 0),
    ),
  },
  namesFit: {
    "admits group names that end with a dash": misread(({ object }) =>
      edit(object, "spec.replicatedJobs.*.groupName", (name) => name?.replace(/-$/, "a")),
    ),
  },
  invalidObjectsGetAnError: {
    "reports immutable fields as NotFound": changeDenials((status, input) =>
      isUpdate(input) ? { ...status, reason: "NotFound", code: 404 } : status,
    ),
  },
};

const denyCreationIf = (
  isDenied: (pod: Untyped, objects: readonly Untyped[]) => boolean,
): WebhookDefect => denyIf((input) => isCreation(input) && isDenied(input.object, input.cluster));
const admitIf = (isAdmitted: (pod: Untyped) => boolean) =>
  admitDespite(/./, ({ object }) => isAdmitted(object));
const isPod = ({ kind }: Untyped) => kind === "Pod";

const podWebhooks: DefectsByLaw<WebhookDefect> = {
  followersWaitForALeader: {
    "admits followers with a priority class": admitIf((pod) => pod?.spec?.priorityClassName),
    "admits followers after a restart": admitIf(
      (pod) => Number(getLabel(pod, RESTART_ATTEMPT_KEY)) > 0,
    ),
    "admits followers outside the namespace default": admitIf(
      (pod) => pod?.metadata?.namespace !== "default",
    ),
  },
  readyFollowersAreAdmitted: {
    "treats a leader on a cordoned node as unscheduled": denyCreationIf((_, objects) =>
      objects.some(({ spec }) => spec?.unschedulable),
    ),
    "treats a leader that is not ready as unscheduled": denyCreationIf((_, objects) =>
      objects.filter(isPod).some(({ status }) => findCondition(status?.conditions, "Ready")),
    ),
  },
  otherPodsAreAdmitted: {
    "denies leaders that replace a leader": denyCreationIf(
      (pod, objects) => isLeaderPod(pod) && objects.some(isPod),
    ),
  },
};

export const wrongCorners = [
  ...createWrongSubjects("passes", controllers, (create) => create()),
  ...createWrongWebhooks("jobSets", jobSetWebhooks),
  ...createWrongWebhooks("pods", podWebhooks),
];
