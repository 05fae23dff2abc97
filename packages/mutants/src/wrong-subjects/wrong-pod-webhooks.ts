// Webhooks for Pods that are wrong about one rule.

import {
  EXCLUSIVE_TOPOLOGY_KEY,
  JOB_COMPLETION_INDEX_KEY,
  JOB_INDEX_KEY,
  JOBSET_NAME_KEY,
  NODE_SELECTOR_STRATEGY_KEY,
  REPLICATED_JOB_NAME_KEY,
} from "@jobset-ts/api/keys";
import { getAnnotation, getLabel } from "@jobset-ts/api/kubernetes";
import { isLeaderPod } from "@jobset-ts/core/placement";
import { edit, type Untyped } from "../edit.ts";
import { defectForEach, memberNames } from "./defect-tables.ts";
import type { DefectsByLaw } from "./wrong-subject.ts";
import {
  addToPatch,
  admitDespite,
  changePatch,
  createWrongWebhooks,
  denyIf,
  isCreation,
  misread,
  misreadCluster,
  omitFromPatch,
  type WebhookDefect,
  type WebhookInput,
  withQuirk,
} from "./wrong-webhook.ts";

/** What a webhook reads when a Pod is created. */
interface View {
  readonly pod: Untyped;
  readonly cluster: Untyped[];
  readonly pods: Untyped[];
  readonly nodes: Untyped[];
  /** The leaders of the Pod's Job, found by name, including finished ones. */
  readonly leaders: Untyped[];
  readonly topologyKey: string;
  readonly nodeSelector: Untyped;
  /** The topology domain that the Pod selects. */
  readonly domain: string | undefined;
}

function createView({ object: pod, cluster }: WebhookInput): View {
  const pods = cluster.filter(({ kind }) => kind === "Pod");
  const nodes = cluster.filter(({ kind }) => kind === "Node");
  const leaderPrefix = String(pod?.metadata?.generateName ?? "").replace(/\d+-$/, "0-");
  const leaders = pods.filter(
    ({ metadata }) =>
      metadata.name.startsWith(leaderPrefix) && metadata.namespace === pod?.metadata?.namespace,
  );
  const topologyKey = getTopologyKey(pod);
  const nodeSelector = pod?.spec?.nodeSelector;
  const domain = nodeSelector?.[topologyKey];
  return { pod, cluster, pods, nodes, leaders, topologyKey, nodeSelector, domain };
}

const getTopologyKey = (pod: Untyped) => getAnnotation(pod, EXCLUSIVE_TOPOLOGY_KEY) ?? "";
const getIndex = (pod: Untyped) => getAnnotation(pod, JOB_COMPLETION_INDEX_KEY) ?? "";
const hasJobSet = (pod: Untyped) => getAnnotation(pod, JOBSET_NAME_KEY) !== undefined;
const countTerms = ({ nodeSelector }: View) => Object.keys(nodeSelector ?? {}).length;
const isActive = ({ metadata, status }: Untyped) =>
  metadata.deletionTimestamp === undefined && !["Failed", "Succeeded"].includes(status?.phase);

const misreadView = (change: (view: View) => unknown) =>
  misread((input) => isCreation(input) && change(createView(input)));
/** The webhook reads other values in the Pods of a view. */
const misreadPods = (
  list: "pods" | "leaders",
  path: string,
  change: (value: Untyped, view: View) => Untyped,
) => misreadView((view) => edit(view, `${list}.*.${path}`, (value) => change(value, view)));
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
const denyPodIf = (isDenied: (view: View) => boolean) =>
  denyIf((input) => isCreation(input) && isDenied(createView(input)));
const admitPodDespite = (message: RegExp, isAdmitted: (view: View) => boolean) =>
  admitDespite(message, (input) => isAdmitted(createView(input)));
const countPhaseAsActive = (counted: string) =>
  misreadPods("leaders", "status.phase", (phase) => (phase === counted ? "Running" : phase));
const waitInPhase = (phase?: string) =>
  denyPodIf(({ leaders }) => leaders.some(({ status }) => status?.phase === phase));
const denyOperation = (operation: string) => denyIf((input) => input.operation === operation);

const NO_TOPOLOGY_LABEL = /node does not have topology label/;
const NODE_SELECTOR = /node selector/;
const ANY_MESSAGE = /./;

const defects: DefectsByLaw<WebhookDefect> = {
  followersRecordTheLeadersDomain: {
    "admits a follower whose leader's node does not have the topology label":
      admitDespite(NO_TOPOLOGY_LABEL),
    "treats a missing topology label as an empty one": admitPodDespite(
      NO_TOPOLOGY_LABEL,
      ({ domain }) => domain === "",
    ),
    "treats any label of the node as the topology label": admitPodDespite(
      NO_TOPOLOGY_LABEL,
      ({ nodes, domain }) =>
        nodes.some(({ metadata }) => Object.values(metadata.labels ?? {}).includes(domain)),
    ),
    "admits a follower whose leader's node does not exist": admitDespite(/not found/),
    ...defectForEach<[string, (view: View) => boolean]>(
      [
        ["None", ({ nodeSelector }) => nodeSelector === undefined],
        ["Empty", (view) => view.nodeSelector && countTerms(view) === 0],
        ["OtherKey", (view) => countTerms(view) > 0 && view.domain === undefined],
        ["OtherDomain", ({ domain }) => domain !== undefined],
      ],
      ([name, isAdmitted]) => [
        `admits a follower with the node selector ${name}`,
        admitPodDespite(NODE_SELECTOR, isAdmitted),
      ],
    ),
  },
  followersWaitForTheLeadersNode: {
    "admits a follower whose leader has no node": admitDespite(/not yet scheduled/),
  },
  readyFollowersAreAdmitted: {
    "treats an empty topology label as a missing one": denyPodIf(({ domain }) => domain === ""),
    "treats a leader on a node as unscheduled if its phase is Pending": waitInPhase("Pending"),
    "treats a leader on a node as unscheduled if its phase is Unknown": waitInPhase("Unknown"),
    "treats a leader on a node as unscheduled if it has no phase": waitInPhase(),
    "checks only the first key of the node selector": denyPodIf(
      ({ nodeSelector, topologyKey }) =>
        nodeSelector && Object.keys(nodeSelector)[0] !== topologyKey,
    ),
    "counts leaders of other namespaces": misreadPods(
      "pods",
      "metadata.namespace",
      (_, { pod }) => pod.metadata.namespace,
    ),
    "counts leaders of Jobs whose index starts with the same digits": misreadPods(
      "pods",
      "metadata.name",
      (name: string, { pod }) => {
        const job = pod.metadata.generateName.replace(/-\d+-$/, "");
        const rest = name.startsWith(job) ? name.slice(job.length) : "";
        return /^\d+-0-/.test(rest) ? `${job}-0-${name.split("-").at(-1)}` : name;
      },
    ),
    "counts leaders of other JobSets": misreadPods("pods", "metadata.name", (name, { pod }) =>
      name.replace(/^other-/, `${getAnnotation(pod, JOBSET_NAME_KEY)}-`),
    ),
  },
  leadersThatEndedDoNotCount: {
    "B05 counts leaders with the phase Failed": countPhaseAsActive("Failed"),
    "counts leaders with the phase Succeeded": countPhaseAsActive("Succeeded"),
    "B04 counts leaders that are being deleted": misreadPods(
      "leaders",
      "metadata.deletionTimestamp",
      () => undefined,
    ),
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
    "B03 does not compare owners": admitDespite(/owner/),
    "compares owners by name": misreadOwners(({ name }) => ({ uid: name })),
    "treats two Pods without an owner as Pods of one Job": admitDespite(
      /leader pod .* has no owner/,
    ),
    "treats a follower without an owner as a Pod of its leader's Job":
      admitDespite(/follower pod has no owner/),
    "treats the first owner as the controller": misreadOwners((_, index) => ({
      controller: index === 0,
    })),
  },
  followersWaitForALeader: {
    "admits followers without a leader": admitDespite(/but got 0/),
    ...defectForEach([JOBSET_NAME_KEY, REPLICATED_JOB_NAME_KEY, JOB_INDEX_KEY], (key) => [
      `does not require the label ${key}`,
      admitDespite(new RegExp(`pod missing label: ${key}`)),
    ]),
    "treats followers with an index of several digits as leaders": admitPodDespite(
      ANY_MESSAGE,
      ({ pod }) => getIndex(pod).length > 1,
    ),
    "treats followers other than the second Pod as leaders": admitPodDespite(
      ANY_MESSAGE,
      ({ pod }) => getIndex(pod) !== "1",
    ),
    "admits followers that have a node selector": admitPodDespite(
      ANY_MESSAGE,
      (view) => countTerms(view) > 0,
    ),
  },
  followersFollowTheirLeader: {
    "assigns a domain to a follower whose leader's node does not have the topology label":
      misreadCluster((input) => {
        const { nodes, topologyKey } = createView(input);
        edit(nodes, "*.metadata.labels", (labels) => ({ [topologyKey]: "r1", ...labels }));
      }),
    "assigns a domain to a follower whose leader's node does not exist": misreadCluster((input) => {
      const labels = { [getTopologyKey(input.object)]: "r1" };
      input.cluster.push({ apiVersion: "v1", kind: "Node", metadata: { name: "n9", labels } });
    }),
    "does not change or check a follower whose leader's node is not in a domain": (own) => ({
      ...admitDespite(/topology label|not found/)(own),
      ...changePatch(() => [])(own),
    }),
  },
  onlyCreationsAreValidated: {
    "denies the operation UPDATE": denyOperation("UPDATE"),
    "denies the operation DELETE": denyOperation("DELETE"),
  },
  otherPodsAreAdmitted: {
    "denies leaders": denyPodIf(({ pod }) => isLeaderPod(pod)),
    "denies Pods without exclusive placement": denyPodIf(({ topologyKey }) => topologyKey === ""),
    "denies Pods placed by node labels": denyPodIf(
      ({ pod }) => getAnnotation(pod, NODE_SELECTOR_STRATEGY_KEY) !== undefined,
    ),
    "B15 denies Pods without a JobSet": denyPodIf(({ pod }) => !hasJobSet(pod)),
    "denies Pods without a JobSet that have JobSet's label": denyPodIf(
      ({ pod }) => !hasJobSet(pod) && getLabel(pod, JOBSET_NAME_KEY) !== undefined,
    ),
    "denies Pods with a negative priority": denyPodIf(({ pod }) => pod?.spec?.priority < 0),
  },
  nothingElseIsChanged: {
    ...defectForEach(
      memberNames("PodSpec", "containers nodeSelector imagePullSecrets affinity"),
      (name) => [
        `drops ${name} of a Pod`,
        addToPatch((pod) =>
          pod?.spec?.[name] === undefined ? [] : [{ op: "remove", path: `/spec/${name}` }],
        ),
      ],
    ),
    "also sets the node selector of a leader": addToPatch((pod) => {
      const key = getTopologyKey(pod);
      const value = { ...pod?.spec?.nodeSelector, [key]: "" };
      return isLeaderPod(pod) && key ? [{ op: "add", path: "/spec/nodeSelector", value }] : [];
    }),
  },
  pendingLeadersAreNotMasked: {
    "B12 checks the node selector before the leader": withQuirk("FollowerSelectorCheckedFirst"),
  },
  mutationIsIdempotent: {
    "adds the affinity terms of a leader again": withQuirk("LeaderTermsAppendedAgain"),
  },
  podsHaveTheirPriority: {
    "B08 sets the priority label only on Pods with exclusive placement": omitFromPatch(
      ({ path }, pod) => path.startsWith("/metadata/labels") && getTopologyKey(pod) === "",
    ),
  },
  followersGetTheLeadersDomain: {
    "treats the hostname of the node as the domain": misreadCluster((input) => {
      const { nodes, topologyKey } = createView(input);
      for (const { metadata } of nodes)
        metadata.labels = { ...metadata.labels, [topologyKey]: metadata.name };
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
