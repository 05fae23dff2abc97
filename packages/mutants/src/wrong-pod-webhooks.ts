// Webhooks for Pods that are wrong about one branch.
import { edit, type Loose, list, podSpecMembers } from "./edit.ts";
import { type SubjectsByLaw, wrongWebhooks } from "./wrong-subject.ts";
import {
  adding,
  both,
  deciding,
  denying,
  odd,
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
  return { pod, cluster, pods, nodes, leaders, key, domain: pod?.spec?.nodeSelector?.[key] };
}

/** On a creation, the validating webhook sees the cluster or the Pod differently. */
const seeing = (change: (view: View) => unknown) =>
  validating((question) => {
    if (isCreation(question)) change(createView(question));
  });
const inLeaders = (change: (leader: Loose, view: View) => unknown) =>
  seeing((view) => view.leaders.map((leader) => change(leader, view)));
const inAllPods = (path: string, change: (value: Loose, view: View) => Loose) =>
  seeing((view) => edit(view, `pods.*.metadata.${path}`, (value) => change(value, view)));
/** The webhook does not see some of the active leaders. */
const hiding = (hidden: (leaders: Loose[]) => readonly Loose[]) =>
  seeing(({ leaders, cluster }) => {
    for (const one of hidden(leaders.filter(isActive))) cluster.splice(cluster.indexOf(one), 1);
  });
const inOwners = (member: string, change: (owner: Loose, index: number) => Loose) =>
  seeing((view) => {
    for (const { metadata } of [view.pod, ...view.leaders])
      list(metadata.ownerReferences).forEach((owner, index) => {
        owner[member] = change(owner, index);
      });
  });
const isOrphan = ({ metadata }: Loose) => list(metadata.ownerReferences).length === 0;
/** Followers with some completion indexes are judged as leaders. */
const leading = (isLeader: (index: string) => boolean) =>
  seeing(({ pod }) =>
    edit(pod, "metadata.annotations", (all) =>
      isLeader(all?.[COMPLETION_INDEX] ?? "0") ? { ...all, [COMPLETION_INDEX]: "0" } : all,
    ),
  );
/** The Pod gets the node selector of its leader's domain. */
const selecting = (isMeant: (selector: Loose, key: string) => boolean) =>
  seeing(({ pod, leaders, nodes, key }) => {
    const name = leaders.find(isActive)?.spec.nodeName;
    const domain = nodes.find(({ metadata }) => metadata.name === name)?.metadata.labels?.[key];
    if (isMeant(pod?.spec?.nodeSelector, key) && domain !== undefined)
      pod.spec.nodeSelector = { ...pod.spec.nodeSelector, [key]: domain };
  });
const countSelectorTerms = (selector: Loose): number => Object.keys(selector ?? {}).length;
const countingPhase = (phase: string) =>
  inLeaders((leader) =>
    edit(leader, "status.phase", (one: string) => (one === phase ? "Running" : one)),
  );
const waitingIn = (phase?: string) =>
  inLeaders(({ spec, status }) => {
    if (status?.phase === phase) delete spec.nodeName;
  });
/** The webhook takes a missing label from the name of the Pod. */
const withoutRequirement = (key: string, part: number) =>
  seeing(({ pod: { metadata } }) => {
    const name = /^(.*)-([^-]*)-(\d+)-\d+-$/.exec(metadata.generateName ?? "")?.[part];
    if (name !== undefined) metadata.labels = { [key]: name, ...metadata.labels };
  });

const inNodeLabels = ({ nodes }: View, change: (labels: Loose) => object) =>
  edit(nodes, "*.metadata.labels", (labels = {}) => ({ ...labels, ...change(labels) }));
/** Nodes that lack the topology label get it. */
const labelNodes = (view: View, domain = "r1") =>
  inNodeLabels(view, (labels) => ({ [view.key]: labels[view.key] ?? domain }));

function createMissingNode({ cluster, nodes, leaders, key, domain = "r1" }: View): void {
  for (const { spec } of leaders) {
    const name = spec.nodeName;
    if (name && !nodes.some(({ metadata }) => metadata.name === name))
      cluster.push({
        apiVersion: "v1",
        kind: "Node",
        metadata: { name, labels: { [key]: domain } },
      });
  }
}

function createMissingLeader({ pod, cluster, leaders }: View): void {
  if (leaders.some(isActive)) return;
  const name = pod.metadata.generateName.replace(/\d+-$/, "0-zzzz9");
  const metadata = { ...pod.metadata, name, uid: name, generateName: undefined };
  const spec = { ...pod.spec, nodeName: "n1" };
  cluster.push(structuredClone({ ...pod, metadata, spec, status: { phase: "Running" } }));
}

const denyingPods = (isDenied: (pod: Loose) => boolean) =>
  denying((question) => isCreation(question) && isDenied(question.object));
const denyingOperation = (operation: string) => denying((one) => one.operation === operation);
const isOfNoJobSet = (pod: Loose) => getAnnotation(pod, JOBSET_NAME) === undefined;
const isPriority = ({ path }: Loose) => path.startsWith("/metadata/labels");
/** The mutating webhook leaves out some operations. */
const leavingOut = (isMeant: (operation: Loose, sent: Loose) => boolean) =>
  patching((patch, sent) => patch.filter((one) => !isMeant(one, sent)));

const laws: SubjectsByLaw<WrongWebhook> = {
  followersRecordTheLeadersDomain: {
    "admits a follower whose leader's node does not have the topology label": seeing((view) =>
      labelNodes(view, view.domain),
    ),
    "treats a missing topology label as an empty one": seeing((view) => labelNodes(view, "")),
    "treats any label of the node as the topology label": seeing((view) =>
      inNodeLabels(view, (labels) => {
        const [any] = Object.values(labels);
        return any === undefined ? {} : { [view.key]: labels[view.key] ?? any };
      }),
    ),
    "admits a follower whose leader's node does not exist": seeing(createMissingNode),
    "admits a follower with the node selector None": selecting(
      (selector) => selector === undefined,
    ),
    "admits a follower with the node selector Empty": selecting(
      (selector) => selector && countSelectorTerms(selector) === 0,
    ),
    "admits a follower with the node selector OtherKey": selecting(
      (selector, key) => countSelectorTerms(selector) > 0 && selector[key] === undefined,
    ),
    "admits a follower with the node selector OtherDomain": selecting(
      (selector, key) => selector?.[key] !== undefined,
    ),
  },
  followersWaitForTheLeadersNode: {
    "admits a follower whose leader has no node": inLeaders((leader) =>
      edit(leader, "spec.nodeName", (name = "n1") => name),
    ),
  },
  readyFollowersAreAdmitted: {
    "treats an empty topology label as a missing one": seeing(({ nodes, key }) =>
      edit(nodes, "*.metadata.labels", (labels) =>
        labels?.[key] === "" ? { ...labels, [key]: undefined } : labels,
      ),
    ),
    "treats a leader on a node as unscheduled if its phase is Pending": waitingIn("Pending"),
    "treats a leader on a node as unscheduled if its phase is Unknown": waitingIn("Unknown"),
    "treats a leader on a node as unscheduled if it has no phase": waitingIn(),
    "checks only the first key of the node selector": seeing(({ pod }) =>
      edit(
        pod,
        "spec.nodeSelector",
        (all) => all && Object.fromEntries(Object.entries(all).slice(0, 1)),
      ),
    ),
    "counts leaders of other namespaces": inAllPods("namespace", (_, view) => {
      return view.pod.metadata.namespace;
    }),
    "counts leaders of Jobs whose index starts with the same digits": inAllPods(
      "name",
      (name: string, view) => {
        const job = String(view.pod.metadata.generateName).replace(/-\d+-$/, "");
        const rest = name.startsWith(job) ? name.slice(job.length) : "";
        return /^\d+-0-/.test(rest) ? `${job}-0-${name.split("-").at(-1)}` : name;
      },
    ),
    "counts leaders of other JobSets": inAllPods("name", (name: string, view) =>
      name.replace(/^other-/, `${getAnnotation(view.pod, JOBSET_NAME)}-`),
    ),
  },
  leadersThatEndedDoNotCount: {
    "B05 counts leaders with the phase Failed": countingPhase("Failed"),
    "counts leaders with the phase Succeeded": countingPhase("Succeeded"),
    "B04 counts leaders that are being deleted": inLeaders((leader) =>
      edit(leader, "metadata.deletionTimestamp", () => undefined),
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
    "B03 does not compare owners": inLeaders(({ metadata }, { pod }) => {
      metadata.ownerReferences = pod.metadata.ownerReferences;
    }),
    "compares owners by name": inOwners("uid", ({ name }) => name),
    "treats two Pods without an owner as Pods of one Job": inLeaders((leader, { pod }) => {
      const owner = list(pod?.metadata?.ownerReferences).find(({ controller }) => controller);
      if (isOrphan(leader)) leader.metadata.ownerReferences = [owner];
    }),
    "treats a follower without an owner as a Pod of its leader's Job": seeing(
      ({ pod, leaders }) => {
        const owners = leaders.find(isActive)?.metadata.ownerReferences;
        if (isOrphan(pod)) pod.metadata.ownerReferences = list(owners);
      },
    ),
    "treats the first owner as the controller": inOwners("controller", (_, index) => index === 0),
  },
  followersWaitForALeader: {
    "admits followers without a leader": seeing(createMissingLeader),
    "does not require the label jobset.sigs.k8s.io/jobset-name": withoutRequirement(JOBSET_NAME, 1),
    "does not require the label jobset.sigs.k8s.io/replicatedjob-name": withoutRequirement(
      "jobset.sigs.k8s.io/replicatedjob-name",
      2,
    ),
    "does not require the label jobset.sigs.k8s.io/job-index": withoutRequirement(
      "jobset.sigs.k8s.io/job-index",
      3,
    ),
    "treats followers with an index of several digits as leaders": leading(
      (index) => index.length > 1,
    ),
    "treats followers other than the second Pod as leaders": leading((index) => index !== "1"),
    "admits followers that have a node selector": deciding(
      ({ object }) => countSelectorTerms(object?.spec?.nodeSelector) > 0 || undefined,
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
      ...validating((question) => {
        const view = createView(question);
        createMissingNode(view);
        labelNodes(createView(question), view.domain);
      })(right),
      mutate: async (review, cluster) => {
        const result: Loose = await right.mutate(review, cluster);
        const { allowed, uid } = result.response;
        return allowed ? result : { ...result, response: { uid, allowed: true } };
      },
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
