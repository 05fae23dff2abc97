// Webhooks for Pods that are wrong about one rule.

import {
  EXCLUSIVE_TOPOLOGY_KEY,
  JOB_COMPLETION_INDEX_KEY,
  JOB_INDEX_KEY,
  JOBSET_NAME_KEY,
  REPLICATED_JOB_NAME_KEY,
} from "@jobset-ts/api/keys";
import { getAnnotation, getLabel } from "@jobset-ts/api/kubernetes";
import { usesNodeSelectorStrategy } from "@jobset-ts/core/desired";
import { isLeaderPod } from "@jobset-ts/core/placement";
import { edit, type Untyped } from "../edit.ts";
import { defectForEach, memberNames } from "./defect-tables.ts";
import type { DefectsByLaw } from "./wrong-subject.ts";
import {
  admitDespite,
  changePatch,
  createWrongWebhooks,
  denyIf,
  dropMembers,
  isCreation,
  misread,
  misreadCluster,
  setMember,
  type WebhookDefect,
  type WebhookInput,
} from "./wrong-webhook.ts";

/** What a webhook reads when a Pod is created. */
interface View {
  readonly pod: Untyped;
  readonly cluster: Untyped[];
  readonly nodes: Untyped[];
  readonly otherPods: Untyped[];
  /** The leaders of the Pod's Job, found by name, including finished ones. */
  readonly leaders: Untyped[];
  /** The topology key. Empty without exclusive placement. */
  readonly key: string;
  readonly selector: Untyped;
  /** The topology domain that the Pod selects. */
  readonly domain: string | undefined;
}

function createView({ object: pod, cluster }: WebhookInput): View {
  const nodes = cluster.filter(({ kind }) => kind === "Node");
  const otherPods = cluster.filter(({ kind }) => kind === "Pod");
  const leaderPrefix = String(pod?.metadata?.generateName ?? "").replace(/\d+-$/, "0-");
  const leaders = otherPods.filter(
    ({ metadata }) =>
      metadata.name.startsWith(leaderPrefix) && metadata.namespace === pod?.metadata?.namespace,
  );
  const key = getAnnotation(pod, EXCLUSIVE_TOPOLOGY_KEY) ?? "";
  const selector = pod?.spec?.nodeSelector;
  return { pod, cluster, nodes, otherPods, leaders, key, selector, domain: selector?.[key] };
}

const getIndex = (pod: Untyped) => getAnnotation(pod, JOB_COMPLETION_INDEX_KEY) ?? "";
const hasJobSet = (pod: Untyped) => getAnnotation(pod, JOBSET_NAME_KEY) !== undefined;
const countTerms = ({ selector }: View) => selector && Object.keys(selector).length;
const isActive = ({ metadata, status }: Untyped) =>
  metadata.deletionTimestamp === undefined && !["Failed", "Succeeded"].includes(status?.phase);

const misreadView = (change: (view: View) => unknown) =>
  misread((input) => isCreation(input) && change(createView(input)));
/** The webhook reads another value at a path of its view. */
const misreadPath = (path: string, change: (value: Untyped, view: View) => Untyped) =>
  misreadView((view) => edit(view, path, (value) => change(value, view)));
const ignoreLeaders = (listIgnored: (activeLeaders: Untyped[]) => readonly Untyped[]) =>
  misreadView(({ leaders, cluster }) => {
    const ignored = listIgnored(leaders.filter(isActive));
    edit(cluster, "*", (one) => (ignored.includes(one) ? undefined : one));
  });
/** The webhook reads other owners of the Pod and of its leaders. */
const misreadOwners = (change: (owner: Untyped, index: number) => object) =>
  misreadView(({ pod, leaders }) =>
    edit([pod, ...leaders], "*.metadata.ownerReferences.*", (owner, _, index) => ({
      ...owner,
      ...change(owner, index),
    })),
  );
const admit = (message: RegExp, isAdmitted: (view: View) => boolean = () => true) =>
  admitDespite(message, (input) => isAdmitted(createView(input)));
const deny = (isDenied: (view: View) => boolean) =>
  denyIf((input) => isCreation(input) && isDenied(createView(input)));
const denyInPhase = (phase?: string) =>
  deny(({ leaders }) => leaders.some(({ status }) => status?.phase === phase));
const countPhase = (counted: string) =>
  misreadPath("leaders.*.status.phase", (phase) => (phase === counted ? "Running" : phase));

const NO_LABEL = /node does not have topology label/;
const SELECTOR = /node selector/;
const ANY = /./;

const defects: DefectsByLaw<WebhookDefect> = {
  followersRecordTheLeadersDomain: {
    "admits a follower if the node has no topology label": admit(NO_LABEL),
    "treats a missing topology label as empty": admit(NO_LABEL, ({ domain }) => domain === ""),
    "treats any label of a node as the topology label": admit(NO_LABEL, ({ nodes, domain }) =>
      nodes.some(({ metadata }) => Object.values(metadata.labels ?? {}).includes(domain)),
    ),
    "admits a follower if the node does not exist": admit(/not found/),
    "admits a missing node selector": admit(SELECTOR, ({ selector }) => selector === undefined),
    "admits an empty node selector": admit(SELECTOR, (view) => countTerms(view) === 0),
    "admits a node selector with another key": admit(
      SELECTOR,
      (view) => countTerms(view) > 0 && view.domain === undefined,
    ),
  },
  followersWaitForTheLeadersNode: {
    "admits a follower whose leader has no node": admit(/not yet scheduled/),
  },
  readyFollowersAreAdmitted: {
    "treats an empty topology label as missing": deny(({ domain }) => domain === ""),
    "waits for a node if the phase of the leader is Pending": denyInPhase("Pending"),
    "waits for a node if the phase of the leader is Unknown": denyInPhase("Unknown"),
    "waits for a node if the leader has no phase": denyInPhase(),
    "checks only the first key of the node selector": deny(
      ({ selector, key }) => selector && Object.keys(selector)[0] !== key,
    ),
    "counts leaders of other namespaces": misreadPath(
      "otherPods.*.metadata.namespace",
      (_, { pod }) => pod.metadata.namespace,
    ),
    "counts leaders of Jobs whose index starts with the same digits": misreadPath(
      "otherPods.*.metadata.name",
      (name: string, { pod }) => {
        const job = pod.metadata.generateName.replace(/-\d+-$/, "");
        const rest = name.startsWith(job) ? name.slice(job.length) : "";
        return /^\d+-0-/.test(rest) ? `${job}-0-${name.split("-").at(-1)}` : name;
      },
    ),
    "counts leaders of other JobSets": misreadPath("otherPods.*.metadata.name", (name, { pod }) =>
      name.replace(/^other-/, `${getAnnotation(pod, JOBSET_NAME_KEY)}-`),
    ),
  },
  leadersThatEndedDoNotCount: {
    "counts leaders with the phase Succeeded": countPhase("Succeeded"),
  },
  twoLeadersCountAsNone: {
    "uses the first of several leaders": ignoreLeaders((leaders) => leaders.slice(1)),
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
    "compares owners by name": misreadOwners(({ name }) => ({ uid: name })),
    "does not require that the leader has an owner": admit(/leader pod .* has no owner/),
    "does not require that the follower has an owner": admit(/follower pod has no owner/),
    "treats the first owner as the controller": misreadOwners((_, at) => ({
      controller: at === 0,
    })),
  },
  followersWaitForALeader: {
    "admits followers without a leader": admit(/but got 0/),
    ...defectForEach([JOBSET_NAME_KEY, REPLICATED_JOB_NAME_KEY, JOB_INDEX_KEY], (key) => [
      `does not require the label ${key}`,
      admit(new RegExp(`pod missing label: ${key}`)),
    ]),
    "treats any index of several digits as 0": admit(ANY, ({ pod }) => getIndex(pod).length > 1),
    "treats any index except 1 as 0": admit(ANY, ({ pod }) => getIndex(pod) !== "1"),
    "admits followers that have a node selector": admit(ANY, (view) => countTerms(view) > 0),
  },
  followersFollowTheirLeader: {
    "assigns a domain if the node has no topology label": misreadCluster((input) => {
      const { nodes, key } = createView(input);
      edit(nodes, "*.metadata.labels", (labels) => ({ [key]: "r1", ...labels }));
    }),
    "assigns a domain if the node does not exist": misreadCluster((input) => {
      const metadata = { name: "n9", labels: { [createView(input).key]: "r1" } };
      input.cluster.push({ apiVersion: "v1", kind: "Node", metadata });
    }),
    "ignores a follower whose leader's node is not in a domain": (own) => ({
      ...admit(/topology label|not found/)(own),
      ...changePatch(() => [])(own),
    }),
  },
  onlyCreationsAreValidated: {
    "denies the operation UPDATE": denyIf(({ operation }) => operation === "UPDATE"),
    "denies the operation DELETE": denyIf(({ operation }) => operation === "DELETE"),
  },
  otherPodsAreAdmitted: {
    "denies leaders": deny(({ pod }) => isLeaderPod(pod)),
    "denies Pods without exclusive placement": deny(({ key }) => key === ""),
    "denies Pods placed by node labels": deny(({ pod }) =>
      usesNodeSelectorStrategy(pod?.metadata?.annotations),
    ),
    "B15 denies Pods without a JobSet": deny(({ pod }) => !hasJobSet(pod)),
    "denies Pods without a JobSet that have JobSet's label": deny(
      ({ pod }) => !hasJobSet(pod) && getLabel(pod, JOBSET_NAME_KEY) !== undefined,
    ),
    "denies Pods with a negative priority": deny(({ pod }) => pod?.spec?.priority < 0),
  },
  nothingElseIsChanged: {
    ...defectForEach(
      memberNames("PodSpec", "containers nodeSelector imagePullSecrets affinity"),
      (name) => [`drops ${name} of a Pod`, dropMembers(() => [`spec.${name}`])],
    ),
    "also sets the node selector of a leader": setMember("/spec/nodeSelector", (input) => {
      const { pod, key, selector } = createView(input);
      return isLeaderPod(pod) && key ? { ...selector, [key]: "" } : undefined;
    }),
  },
  followersGetTheLeadersDomain: {
    "treats the hostname of the node as the domain": misreadCluster((input) => {
      const { nodes, key } = createView(input);
      edit(nodes, "*.metadata", (metadata) => ({
        ...metadata,
        labels: { ...metadata.labels, [key]: metadata.name },
      }));
    }),
  },
  podReviewsGetAResponse: {
    "throws on a request without a Pod": denyIf(({ object }) => {
      if (!object?.spec) throw new TypeError("there is no Pod");
      return false;
    }),
  },
};

export const wrongPodWebhooks = createWrongWebhooks("pods", defects);
