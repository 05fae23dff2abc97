// Webhooks for Pods that are wrong about one branch.
import { edit, type Loose, podSpecMembers } from "../edit.ts";
import { type SubjectsByLaw, wrongWebhooks } from "./wrong-subject.ts";
import {
  adding,
  both,
  denying,
  odd,
  overlooking,
  patching,
  type Question,
  validating,
  type WrongWebhook,
} from "./wrong-webhook.ts";

const JOBSET_NAME = "jobset.sigs.k8s.io/jobset-name";
const COMPLETION_INDEX = "batch.kubernetes.io/job-completion-index";
const EXCLUSIVE_TOPOLOGY = "alpha.jobset.sigs.k8s.io/exclusive-topology";
const NODE_SELECTOR_STRATEGY = "alpha.jobset.sigs.k8s.io/node-selector";

const getAnnotation = (pod: Loose, key: string): string | undefined =>
  pod?.metadata?.annotations?.[key];
const getTopologyKey = (pod: Loose) => getAnnotation(pod, EXCLUSIVE_TOPOLOGY) ?? "";
const isActive = ({ metadata, status }: Loose) =>
  metadata.deletionTimestamp === undefined && !["Failed", "Succeeded"].includes(status?.phase);
const isCreation = ({ operation }: Question) => operation === "CREATE";

/** The view of a webhook on a creation. */
interface View {
  readonly pod: Loose;
  readonly cluster: Loose[];
  readonly pods: Loose[];
  readonly nodes: Loose[];
  /** The leaders of the Pod's Job by name, finished or not. */
  readonly leaders: Loose[];
  /** The topology key. */
  readonly key: string;
  readonly selector: Loose;
  /** The domain that the Pod selects. */
  readonly domain: string | undefined;
}

function createView({ object: pod, cluster }: Question): View {
  const [pods = [], nodes = []] = ["Pod", "Node"].map((kind) =>
    cluster.filter((one) => one.kind === kind),
  );
  const prefix = String(pod?.metadata?.generateName ?? "").replace(/\d+-$/, "0-");
  const leaders = pods.filter(
    ({ metadata }) =>
      metadata.name.startsWith(prefix) && metadata.namespace === pod?.metadata?.namespace,
  );
  const key = getTopologyKey(pod);
  const selector = pod?.spec?.nodeSelector;
  return { pod, cluster, pods, nodes, leaders, key, selector, domain: selector?.[key] };
}

/** On a creation, the validating webhook sees the cluster or the Pod differently. */
const seeing = (change: (view: View) => unknown) =>
  validating((question) => {
    if (isCreation(question)) change(createView(question));
  });
const inLeaders = (path: string, change: (value: Loose, leader: Loose, view: View) => Loose) =>
  seeing((view) => edit(view, `leaders.*.${path}`, (one, owner) => change(one, owner, view)));
const inAllPods = (path: string, change: (value: Loose, view: View) => Loose) =>
  seeing((view) => edit(view, `pods.*.metadata.${path}`, (value) => change(value, view)));
/** The webhook does not see some of the active leaders. */
const hiding = (hidden: (leaders: Loose[]) => readonly Loose[]) =>
  seeing(({ leaders, cluster }) => {
    for (const one of hidden(leaders.filter(isActive))) cluster.splice(cluster.indexOf(one), 1);
  });
const inOwners = (member: string, change: (owner: Loose, index: number) => Loose) =>
  seeing(({ pod, leaders }) =>
    edit([pod, ...leaders], "*.metadata.ownerReferences.*", (owner, _, index) => ({
      ...owner,
      [member]: change(owner, index),
    })),
  );
const denyingIf = (isDenied: (view: View) => boolean) =>
  denying((question) => isCreation(question) && isDenied(createView(question)));
const admittingIf = (reason: RegExp, isAdmitted: (view: View) => boolean) =>
  overlooking(reason, (question) => isAdmitted(createView(question)));
const countSelectorTerms = (selector: Loose): number => Object.keys(selector ?? {}).length;
const countingPhase = (phase: string) =>
  inLeaders("status.phase", (one) => (one === phase ? "Running" : one));
const waitingIn = (phase?: string) =>
  denyingIf(({ leaders }) => leaders.some(({ status }) => status?.phase === phase));
/** Nodes that lack the topology label get it. */
const labelNodes = ({ nodes, key }: View, domain = "r1") =>
  edit(nodes, "*.metadata.labels", (labels) => ({ [key]: domain, ...labels }));

const denyingPods = (isDenied: (pod: Loose) => boolean) =>
  denying((question) => isCreation(question) && isDenied(question.object));
const denyingOperation = (operation: string) => denying((one) => one.operation === operation);
const isOfNoJobSet = (pod: Loose) => getAnnotation(pod, JOBSET_NAME) === undefined;
const isPriority = ({ path }: Loose) => path.startsWith("/metadata/labels");
/** The mutating webhook leaves out some operations. */
const leavingOut = (isMeant: (operation: Loose, sent: Loose) => boolean) =>
  patching((patch, sent) => patch.filter((one) => !isMeant(one, sent)));

const NO_LABEL = /node does not have topology label/;
const NO_SELECTOR = /node selector/;
const ANY_REASON = /./;

const laws: SubjectsByLaw<WrongWebhook> = {
  followersRecordTheLeadersDomain: {
    "admits a follower whose leader's node does not have the topology label": overlooking(NO_LABEL),
    "treats a missing topology label as an empty one": admittingIf(
      NO_LABEL,
      ({ domain }) => domain === "",
    ),
    "treats any label of the node as the topology label": admittingIf(
      NO_LABEL,
      ({ nodes, domain }) =>
        nodes.some(({ metadata }) => Object.values(metadata.labels ?? {}).includes(domain)),
    ),
    "admits a follower whose leader's node does not exist": overlooking(/not found/),
    "admits a follower with the node selector None": admittingIf(
      NO_SELECTOR,
      ({ selector }) => selector === undefined,
    ),
    "admits a follower with the node selector Empty": admittingIf(
      NO_SELECTOR,
      ({ selector }) => selector && countSelectorTerms(selector) === 0,
    ),
    "admits a follower with the node selector OtherKey": admittingIf(
      NO_SELECTOR,
      ({ selector, domain }) => countSelectorTerms(selector) > 0 && domain === undefined,
    ),
    "admits a follower with the node selector OtherDomain": admittingIf(
      NO_SELECTOR,
      ({ domain }) => domain !== undefined,
    ),
  },
  followersWaitForTheLeadersNode: {
    "admits a follower whose leader has no node": overlooking(/not yet scheduled/),
  },
  readyFollowersAreAdmitted: {
    "treats an empty topology label as a missing one": denyingIf(({ domain }) => domain === ""),
    "treats a leader on a node as unscheduled if its phase is Pending": waitingIn("Pending"),
    "treats a leader on a node as unscheduled if its phase is Unknown": waitingIn("Unknown"),
    "treats a leader on a node as unscheduled if it has no phase": waitingIn(),
    "checks only the first key of the node selector": denyingIf(
      ({ selector, key }) => selector && Object.keys(selector)[0] !== key,
    ),
    "counts leaders of other namespaces": inAllPods("namespace", (_, { pod }) => {
      return pod.metadata.namespace;
    }),
    "counts leaders of Jobs whose index starts with the same digits": inAllPods(
      "name",
      (name: string, { pod }) => {
        const job = pod.metadata.generateName.replace(/-\d+-$/, "");
        const rest = name.startsWith(job) ? name.slice(job.length) : "";
        return /^\d+-0-/.test(rest) ? `${job}-0-${name.split("-").at(-1)}` : name;
      },
    ),
    "counts leaders of other JobSets": inAllPods("name", (name: string, { pod }) =>
      name.replace(/^other-/, `${getAnnotation(pod, JOBSET_NAME)}-`),
    ),
  },
  leadersThatEndedDoNotCount: {
    "B05 counts leaders with the phase Failed": countingPhase("Failed"),
    "counts leaders with the phase Succeeded": countingPhase("Succeeded"),
    "B04 counts leaders that are being deleted": inLeaders(
      "metadata.deletionTimestamp",
      () => undefined,
    ),
  },
  twoLeadersCountAsNone: {
    "uses the first of several leaders": hiding((leaders) => leaders.slice(1)),
    "uses the first of three leaders": hiding((leaders) => leaders.slice(leaders[2] ? 1 : 3)),
    "ignores leaders without a node if another leader has one": hiding((leaders) => {
      const waiting = leaders.filter(({ spec }) => !spec.nodeName);
      return waiting.length < leaders.length ? waiting : [];
    }),
  },
  otherJobsLeadersDoNotCount: {
    "B03 does not compare owners": overlooking(/owner/),
    "compares owners by name": inOwners("uid", ({ name }) => name),
    "treats two Pods without an owner as Pods of one Job": overlooking(
      /leader pod .* has no owner/,
    ),
    "treats a follower without an owner as a Pod of its leader's Job":
      overlooking(/follower pod has no owner/),
    "treats the first owner as the controller": inOwners("controller", (_, index) => index === 0),
  },
  followersWaitForALeader: {
    "admits followers without a leader": overlooking(/but got 0/),
    ...Object.fromEntries(
      ["jobset-name", "replicatedjob-name", "job-index"].map((key) => [
        `does not require the label jobset.sigs.k8s.io/${key}`,
        overlooking(new RegExp(`pod missing label: jobset.sigs.k8s.io/${key}`)),
      ]),
    ),
    "treats followers with an index of several digits as leaders": admittingIf(
      ANY_REASON,
      ({ pod }) => (getAnnotation(pod, COMPLETION_INDEX) ?? "").length > 1,
    ),
    "treats followers other than the second Pod as leaders": admittingIf(
      ANY_REASON,
      ({ pod }) => getAnnotation(pod, COMPLETION_INDEX) !== "1",
    ),
    "admits followers that have a node selector": admittingIf(
      ANY_REASON,
      ({ selector }) => countSelectorTerms(selector) > 0,
    ),
  },
  followersFollowTheirLeader: {
    "assigns a domain to a follower whose leader's node does not have the topology label": both(
      (question) => labelNodes(createView(question)),
    ),
    "assigns a domain to a follower whose leader's node does not exist": both((question) => {
      const labels = { [getTopologyKey(question.object)]: "r1" };
      question.cluster.push({ apiVersion: "v1", kind: "Node", metadata: { name: "n9", labels } });
    }),
    "does not change or check a follower whose leader's node is not in a domain": (right) => ({
      ...overlooking(/topology label|not found/)(right),
      ...patching(() => [])(right),
    }),
  },
  onlyCreationsAreValidated: {
    "denies the operation UPDATE": denyingOperation("UPDATE"),
    "denies the operation DELETE": denyingOperation("DELETE"),
  },
  otherPodsAreAdmitted: {
    "denies leaders": denyingPods((pod) => getAnnotation(pod, COMPLETION_INDEX) === "0"),
    "denies Pods without exclusive placement": denyingPods((pod) => getTopologyKey(pod) === ""),
    "denies Pods placed by node labels": denyingPods(
      (pod) => getAnnotation(pod, NODE_SELECTOR_STRATEGY) !== undefined,
    ),
    "B15 denies Pods without a JobSet": denyingPods(isOfNoJobSet),
    "denies Pods without a JobSet that have JobSet's label": denyingPods(
      (pod) => isOfNoJobSet(pod) && pod?.metadata?.labels?.[JOBSET_NAME] !== undefined,
    ),
    "denies Pods with a negative priority": denyingPods((pod) => pod?.spec?.priority < 0),
  },
  nothingElseIsChanged: {
    ...Object.fromEntries(
      podSpecMembers
        .filter((name) => !/^(containers|nodeSelector|imagePullSecrets|affinity)$/.test(name))
        .map((name) => [
          `drops ${name} of a Pod`,
          adding((sent) =>
            sent?.spec?.[name] === undefined ? [] : [{ op: "remove", path: `/spec/${name}` }],
          ),
        ]),
    ),
    "also sets the node selector of a leader": adding((sent) => {
      const key = getTopologyKey(sent);
      const value = { ...sent?.spec?.nodeSelector, [key]: "" };
      const isLeader = getAnnotation(sent, COMPLETION_INDEX) === "0" && key;
      return isLeader ? [{ op: "add", path: "/spec/nodeSelector", value }] : [];
    }),
  },
  pendingLeadersAreNotMasked: {
    "B12 checks the node selector before the leader": odd("FollowerSelectorCheckedFirst"),
  },
  mutationIsIdempotent: {
    "adds the affinity terms of a leader again": odd("LeaderTermsAppendedAgain"),
  },
  podsHaveTheirPriority: {
    "B08 sets the priority label only on Pods with exclusive placement": leavingOut(
      (one, sent) => isPriority(one) && getTopologyKey(sent) === "",
    ),
  },
  followersGetTheLeadersDomain: {
    "treats the hostname of the node as the domain": both((question) => {
      const { nodes, key } = createView(question);
      for (const { metadata } of nodes)
        metadata.labels = { ...metadata.labels, [key]: metadata.name };
    }),
  },
  podReviewsGetAResponse: {
    "throws on a request without a Pod": denying(({ object }) => {
      if (!object?.spec) throw new TypeError("there is no Pod");
      return false;
    }),
  },
};

export const wrongPodWebhooks = wrongWebhooks("pods", laws);
