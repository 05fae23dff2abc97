// Webhooks for Pods that are wrong about one rule.
import {
  EXCLUSIVE_TOPOLOGY_KEY,
  JOB_COMPLETION_INDEX_KEY,
  JOB_INDEX_KEY,
  JOBSET_NAME_KEY,
  REPLICATED_JOB_NAME_KEY,
  RESTART_ATTEMPT_KEY,
} from "@jobset-ts/api/keys";
import { findCondition, getAnnotation, getLabel } from "@jobset-ts/api/kubernetes";
import { usesNodeSelectorStrategy } from "@jobset-ts/core/desired";
import { isLeaderPod } from "@jobset-ts/core/placement";
import type { Webhooks } from "@jobset-ts/testing/admission";
import { edit, type Place, type Untyped } from "../edit.ts";
import { pods } from "../law-sets.ts";
import type { WebhookInput } from "../webhooks.ts";
import { defectForEach, memberNames } from "./schema-paths.ts";
import { createWrongSubjects, type Defect } from "./wrong-subject.ts";
import {
  admitDespite,
  denyIf,
  dropMembers,
  isCreation,
  misread,
  misreadCluster,
  omitFromPatch,
  setMember,
} from "./wrong-webhook.ts";

/** The topology key of a Pod. Empty without exclusive placement. */
const getKey = (pod: Untyped) => getAnnotation(pod, EXCLUSIVE_TOPOLOGY_KEY) ?? "";
/** The topology domain that a Pod selects. */
const getDomain = (pod: Untyped) => pod?.spec?.nodeSelector?.[getKey(pod)];
const listSelectedKeys = (pod: Untyped) => Object.keys(pod?.spec?.nodeSelector ?? {});
const getIndex = (pod: Untyped) => getAnnotation(pod, JOB_COMPLETION_INDEX_KEY) ?? "";
const hasJobSet = (pod: Untyped) => getAnnotation(pod, JOBSET_NAME_KEY) !== undefined;
const isPod = ({ kind }: Untyped) => kind === "Pod";
const isActive = ({ metadata, status }: Untyped) =>
  metadata.deletionTimestamp === undefined && !["Failed", "Succeeded"].includes(status?.phase);

/** Lists the active leaders of a Pod's Job, which are found by name. */
function listLeaders({ object: { metadata }, cluster }: WebhookInput): readonly Untyped[] {
  const prefix = String(metadata?.generateName).replace(/\d+-$/, "0-");
  return cluster.filter(
    (pod) =>
      isPod(pod) &&
      isActive(pod) &&
      pod.metadata.name.startsWith(prefix) &&
      pod.metadata.namespace === metadata.namespace,
  );
}

/** The webhook admits the Pods that our own one denies with a message: all, or some. */
const admit = (message: RegExp, isAdmitted: (pod: Untyped) => unknown = () => true) =>
  admitDespite(message, ({ object }) => isAdmitted(object));
const deny = (isDenied: (pod: Untyped, cluster: readonly Untyped[]) => unknown) =>
  denyIf((input) => isCreation(input) && isDenied(input.object, input.cluster));
/** The webhook reads other owners of the Pod and of the Pods in the cluster. */
const misreadOwners = (change: (owner: Untyped, place: Place) => object): Defect<Webhooks> => {
  const misreadOwn = misread("object.metadata.ownerReferences.*", change);
  const misreadOthers = misread("cluster.*.metadata.ownerReferences.*", change);
  return (own) => misreadOwn(misreadOthers(own));
};
/** The webhook does not find some of the leaders. */
const ignoreLeaders = (listIgnored: (leaders: readonly Untyped[]) => readonly Untyped[]) =>
  misread("cluster", (cluster, input) => {
    const ignored = isCreation(input) ? listIgnored(listLeaders(input)) : [];
    return cluster.filter((one: Untyped) => !ignored.includes(one));
  });

const NO_LABEL = /node does not have topology label/;

/** Followers that a webhook might not check. */
const followers: Readonly<Record<string, (pod: Untyped) => unknown>> = {
  "without a label for the JobSet": (pod) => getLabel(pod, JOBSET_NAME_KEY) === undefined,
  "without a label for the Job": (pod) => getLabel(pod, JOB_INDEX_KEY) === undefined,
  "without a label for the ReplicatedJob": (pod) =>
    getLabel(pod, REPLICATED_JOB_NAME_KEY) === undefined,
  "with an index of several digits": (pod) => getIndex(pod).length > 1,
  "that have a node selector": (pod) => listSelectedKeys(pod).length > 0,
  "with a priority class": (pod) => pod?.spec?.priorityClassName,
  "after a restart": (pod) => Number(getLabel(pod, RESTART_ATTEMPT_KEY)) > 0,
  "outside the namespace default": (pod) => pod?.metadata?.namespace !== "default",
};

export const wrongPodWebhooks = createWrongSubjects(pods, {
  followersRecordTheLeadersDomain: {
    "admits a follower if the node has no topology label": admit(NO_LABEL),
    "treats a missing topology label as empty": admit(NO_LABEL, (pod) => getDomain(pod) === ""),
  },
  followersWaitForTheLeadersNode: {
    "admits a follower whose leader has no node": admit(/not yet scheduled/),
  },
  readyFollowersAreAdmitted: {
    "treats an empty topology label as missing": deny((pod) => getDomain(pod) === ""),
    "checks only the first key of the node selector": deny((pod) => {
      const [first] = listSelectedKeys(pod);
      return first !== undefined && first !== getKey(pod);
    }),
    "treats a leader on a cordoned node as unscheduled": deny((_, cluster) =>
      cluster.some(({ spec }) => spec?.unschedulable),
    ),
    "treats a leader that is not ready as unscheduled": deny((_, cluster) =>
      cluster.filter(isPod).some(({ status }) => findCondition(status?.conditions, "Ready")),
    ),
    "counts leaders of other namespaces": misread(
      "cluster.*.metadata.namespace",
      (namespace, { object }) => namespace && object?.metadata?.namespace,
    ),
    "counts leaders of Jobs whose index starts with the same digits": misread(
      "cluster.*.metadata.name",
      (name, { object }) => {
        const job = object?.metadata?.generateName?.replace(/-\d+-$/, "");
        return name.replace(new RegExp(`^${job}\\d+-0-`), `${job}-0-`);
      },
    ),
  },
  twoLeadersCountAsNone: {
    "uses the first of three leaders": ignoreLeaders((leaders) =>
      leaders.length > 2 ? leaders.slice(1) : [],
    ),
    "ignores leaders without a node if another leader has one": ignoreLeaders((leaders) => {
      const waiting = leaders.filter(({ spec }) => !spec.nodeName);
      return waiting.length < leaders.length ? waiting : [];
    }),
  },
  otherJobsLeadersDoNotCount: {
    "B03 does not compare owners": admit(/owner/),
    "compares owners by name": misreadOwners((owner) => ({ ...owner, uid: owner.name })),
    "treats the first owner as the controller": misreadOwners((owner, { index }) => ({
      ...owner,
      controller: index === 0,
    })),
  },
  followersWaitForALeader: {
    ...defectForEach(Object.entries(followers), ([which, isFollower]) => [
      `admits followers ${which}`,
      admit(/./, isFollower),
    ]),
  },
  followersFollowTheirLeader: {
    "assigns a domain if the node has no topology label": misreadCluster(({ object, cluster }) => {
      const nodes = cluster.filter(({ kind }) => kind === "Node");
      edit(nodes, "*.metadata.labels", (labels) => ({ [getKey(object)]: "r1", ...labels }));
    }),
  },
  followersGetTheLeadersDomain: {
    "does not set the node selector of followers": omitFromPatch(({ path }) =>
      path.startsWith("/spec/nodeSelector"),
    ),
  },
  onlyCreationsAreValidated: {
    "denies the operation UPDATE": denyIf(({ operation }) => operation === "UPDATE"),
  },
  otherPodsAreAdmitted: {
    "denies leaders that replace a leader": deny(
      (pod, cluster) => isLeaderPod(pod) && cluster.some(isPod),
    ),
    "denies Pods without exclusive placement": deny((pod) => getKey(pod) === ""),
    "denies Pods placed by node labels": deny((pod) =>
      usesNodeSelectorStrategy(pod?.metadata?.annotations),
    ),
    "B15 denies Pods without a JobSet": deny((pod) => !hasJobSet(pod)),
    "denies Pods with a negative priority": deny((pod) => pod?.spec?.priority < 0),
  },
  nothingElseIsChanged: {
    ...defectForEach(
      memberNames("PodSpec", "containers nodeSelector imagePullSecrets affinity"),
      (name) => [`drops ${name} of a Pod`, dropMembers(() => [`spec.${name}`])],
    ),
    "also sets the node selector of a leader": setMember("/spec/nodeSelector", ({ object: pod }) =>
      isLeaderPod(pod) && getKey(pod) ? { ...pod.spec.nodeSelector, [getKey(pod)]: "" } : undefined,
    ),
  },
  podReviewsGetAResponse: {
    "throws on a request without a Pod": denyIf(({ object }) => {
      if (!object?.spec) throw new TypeError("there is no Pod");
    }),
  },
});
