// Webhooks for Pods that are wrong about one branch.
import {
  asking,
  both,
  deciding,
  type Loose,
  list,
  namedByLaw,
  odd,
  patching,
  type Question,
  validating,
  type WrongByLaw,
  type WrongWebhook,
} from "./wrong-webhook.ts";

const JOBSET_NAME = "jobset.sigs.k8s.io/jobset-name";
const REPLICATED_JOB_NAME = "jobset.sigs.k8s.io/replicatedjob-name";
const JOB_INDEX = "jobset.sigs.k8s.io/job-index";
const COMPLETION_INDEX = "batch.kubernetes.io/job-completion-index";
const EXCLUSIVE_TOPOLOGY = "alpha.jobset.sigs.k8s.io/exclusive-topology";
const NODE_SELECTOR_STRATEGY = "alpha.jobset.sigs.k8s.io/node-selector";

const annotationOf = (pod: Loose, key: string): string | undefined =>
  pod?.metadata?.annotations?.[key];
const topologyKeyOf = (pod: Loose) => annotationOf(pod, EXCLUSIVE_TOPOLOGY) ?? "";
const ofKind = (cluster: readonly Loose[], kind: string) =>
  cluster.filter((one) => one.kind === kind);
const labelsOf = (object: Loose): Loose => {
  object.metadata.labels ??= {};
  return object.metadata.labels;
};
const controllerOf = (pod: Loose) =>
  list(pod?.metadata?.ownerReferences).find(({ controller }) => controller);

/** The leaders of the Pod in question, by name: those of its namespace, ended or not. */
function leadersOf({ object, cluster }: Question): Loose[] {
  const generateName = String(object?.metadata?.generateName ?? "");
  const prefix = generateName.replace(/\d+-$/, "0-");
  return ofKind(cluster, "Pod").filter(
    ({ metadata }) =>
      metadata.name.startsWith(prefix) && metadata.namespace === object?.metadata?.namespace,
  );
}

const isActive = ({ metadata, status }: Loose) =>
  metadata.deletionTimestamp === undefined && !["Failed", "Succeeded"].includes(status?.phase);

/** Removes objects from the cluster. */
function without(cluster: Loose[], isMeant: (one: Loose) => boolean): void {
  cluster.splice(0, cluster.length, ...cluster.filter((one) => !isMeant(one)));
}

/** The Pod gets the node selector that its leader's domain asks for. */
function selectRightDomain(question: Question): void {
  const { object, cluster } = question;
  const key = topologyKeyOf(object);
  const [leader] = leadersOf(question).filter(isActive);
  const node = ofKind(cluster, "Node").find(
    ({ metadata }) => metadata.name === leader?.spec?.nodeName,
  );
  const domain = node?.metadata?.labels?.[key];
  if (domain !== undefined)
    object.spec.nodeSelector = { ...object.spec.nodeSelector, [key]: domain };
}

const selectorOf = ({ object }: Question): Loose => object?.spec?.nodeSelector;
const isCreation = ({ operation }: Question) => operation === "CREATE";

/** Nodes that lack the topology label get it. */
function labelNodes({ object, cluster }: Question, domain: string | undefined): void {
  const key = topologyKeyOf(object);
  for (const node of ofKind(cluster, "Node")) labelsOf(node)[key] ??= domain ?? "r1";
}

/** On a creation, a validating webhook that sees the cluster or the Pod differently. */
const seeing = (change: (question: Question) => unknown) =>
  validating((question) => {
    if (isCreation(question)) change(question);
  });
const inNodeLabels = (change: (labels: Loose, key: string) => void) =>
  seeing(({ object, cluster }) => {
    for (const node of ofKind(cluster, "Node")) change(labelsOf(node), topologyKeyOf(object));
  });
const inLeaders = (change: (leader: Loose, pod: Loose) => void) =>
  seeing((question) => {
    for (const leader of leadersOf(question)) change(leader, question.object);
  });
const inAllPods = (change: (metadata: Loose, pod: Loose) => void) =>
  seeing(({ object, cluster }) => {
    for (const { metadata } of ofKind(cluster, "Pod")) change(metadata, object);
  });
/** Some of the active leaders are not seen. */
const hiding = (hidden: (leaders: Loose[]) => readonly Loose[]) =>
  seeing((question) => {
    const others = hidden(leadersOf(question).filter(isActive));
    without(question.cluster, (one) => others.includes(one));
  });
const inOwners = (change: (owner: Loose, index: number) => void) =>
  seeing((question) => {
    for (const { metadata } of [question.object, ...leadersOf(question)])
      list(metadata.ownerReferences).forEach(change);
  });
const isOrphan = ({ metadata }: Loose) => list(metadata.ownerReferences).length === 0;
/** Followers with some completion indexes are judged as leaders. */
const leading = (isLeader: (index: string) => boolean) =>
  seeing(({ object }) => {
    const index = annotationOf(object, COMPLETION_INDEX);
    if (index !== undefined && isLeader(index)) object.metadata.annotations[COMPLETION_INDEX] = "0";
  });
const selecting = (isMeant: (selector: Loose, key: string) => boolean) =>
  seeing((question) => {
    if (isMeant(selectorOf(question), topologyKeyOf(question.object))) selectRightDomain(question);
  });
const countingPhase = (phase: string) =>
  inLeaders(({ status }) => {
    if (status?.phase === phase) status.phase = "Running";
  });
const waitingIn = (phase?: string) =>
  inLeaders(({ spec, status }) => {
    if (status?.phase === phase) delete spec.nodeName;
  });
/** The label is taken from the name of the Pod if it is missing. */
const needingNo = (key: string, part: number) =>
  seeing(({ object }) => {
    const name = /^(.*)-([^-]*)-(\d+)-\d+-$/.exec(object.metadata.generateName ?? "")?.[part];
    if (name !== undefined) labelsOf(object)[key] ??= name;
  });
const sizeOf = (selector: Loose): number => Object.keys(selector ?? {}).length;

function createMissingNode(question: Question): void {
  const { object, cluster } = question;
  const key = topologyKeyOf(object);
  const labels = { [key]: selectorOf(question)?.[key] ?? "r1" };
  for (const { spec } of leadersOf(question)) {
    const name = spec.nodeName;
    const isThere = ofKind(cluster, "Node").some(({ metadata }) => metadata.name === name);
    if (name && !isThere)
      cluster.push({ apiVersion: "v1", kind: "Node", metadata: { name, labels } });
  }
}

function createMissingLeader(question: Question): void {
  const { object, cluster } = question;
  if (leadersOf(question).some(isActive)) return;
  const name = object.metadata.generateName.replace(/\d+-$/, "0-zzzz9");
  const metadata = { ...object.metadata, name, uid: name, generateName: undefined };
  const spec = { ...object.spec, nodeName: "n1" };
  cluster.push(structuredClone({ ...object, metadata, spec, status: { phase: "Running" } }));
}

const blind: WrongByLaw = {
  followersCarryTheLeadersDomain: {
    "admits a follower whose leader's node lacks the topology label": seeing((question) =>
      labelNodes(question, selectorOf(question)?.[topologyKeyOf(question.object)]),
    ),
    "treats a missing topology label as an empty one": seeing((question) =>
      labelNodes(question, ""),
    ),
    "takes any label of the node for the topology label": inNodeLabels((labels, key) => {
      const [any] = Object.values(labels);
      if (any !== undefined) labels[key] ??= any;
    }),
    "admits a follower whose leader's node is gone": seeing(createMissingNode),
    "admits a follower with the node selector None": selecting(
      (selector) => selector === undefined,
    ),
    "admits a follower with the node selector Empty": selecting(
      (selector) => selector && sizeOf(selector) === 0,
    ),
    "admits a follower with the node selector OtherKey": selecting(
      (selector, key) => sizeOf(selector) > 0 && selector[key] === undefined,
    ),
    "admits a follower with the node selector OtherDomain": selecting(
      (selector, key) => selector?.[key] !== undefined,
    ),
  },
  followersWaitForTheLeadersNode: {
    "admits a follower whose leader waits for a node": inLeaders(({ spec }) => {
      spec.nodeName ??= "n1";
    }),
  },
  readyFollowersAreLetIn: {
    "treats an empty topology label as a missing one": inNodeLabels((labels, key) => {
      if (labels[key] === "") delete labels[key];
    }),
    "takes a leader on a node with the phase Pending for one that waits": waitingIn("Pending"),
    "takes a leader on a node with the phase Unknown for one that waits": waitingIn("Unknown"),
    "takes a leader on a node with the phase undefined for one that waits": waitingIn(),
    "looks at the first key of the node selector only": seeing(({ object }) => {
      const [first] = Object.entries(object?.spec?.nodeSelector ?? {});
      if (first !== undefined) object.spec.nodeSelector = Object.fromEntries([first]);
    }),
    "counts leaders of other namespaces": inAllPods((metadata, pod) => {
      metadata.namespace = pod.metadata.namespace;
    }),
    "counts leaders of Jobs whose index begins alike": inAllPods((metadata, pod) => {
      const job = String(pod.metadata.generateName).replace(/-\d+-$/, "");
      const rest = metadata.name.startsWith(job) ? metadata.name.slice(job.length) : "";
      if (/^\d+-0-/.test(rest)) metadata.name = `${job}-0-${metadata.name.split("-").at(-1)}`;
    }),
    "counts leaders of other JobSets": inAllPods((metadata, pod) => {
      metadata.name = metadata.name.replace(/^other-/, `${annotationOf(pod, JOBSET_NAME)}-`);
    }),
  },
  leadersThatEndedDoNotCount: {
    "counts leaders with the phase Failed": countingPhase("Failed"),
    "counts leaders with the phase Succeeded": countingPhase("Succeeded"),
    "counts leaders that are being deleted": inLeaders(({ metadata }) => {
      delete metadata.deletionTimestamp;
    }),
  },
  twoLeadersAreNone: {
    "takes the first of several leaders": hiding((leaders) => leaders.slice(1)),
    "takes the first of three leaders": hiding((leaders) =>
      leaders.length > 2 ? leaders.slice(1) : [],
    ),
    "ignores leaders without a node where another has one": hiding((leaders) => {
      const waiting = leaders.filter(({ spec }) => !spec.nodeName);
      return waiting.length < leaders.length ? waiting : [];
    }),
  },
  otherJobsLeadersDoNotCount: {
    "does not compare owners": inLeaders(({ metadata }, pod) => {
      metadata.ownerReferences = pod.metadata.ownerReferences;
    }),
    "compares owners by name": inOwners((owner) => {
      owner.uid = owner.name;
    }),
    "takes two Pods without an owner for Pods of one Job": inLeaders((leader, pod) => {
      if (isOrphan(leader)) leader.metadata.ownerReferences = [controllerOf(pod)];
    }),
    "takes a follower without an owner for one of its leader's Job": seeing((question) => {
      const [leader] = leadersOf(question).filter(isActive);
      if (isOrphan(question.object))
        question.object.metadata.ownerReferences = list(leader?.metadata?.ownerReferences);
    }),
    "takes the first owner for the controller": inOwners((owner, index) => {
      owner.controller = index === 0;
    }),
  },
  followersWaitForALeader: {
    "needs no leader": seeing(createMissingLeader),
    "needs no label jobset.sigs.k8s.io/jobset-name": needingNo(JOBSET_NAME, 1),
    "needs no label jobset.sigs.k8s.io/replicatedjob-name": needingNo(REPLICATED_JOB_NAME, 2),
    "needs no label jobset.sigs.k8s.io/job-index": needingNo(JOB_INDEX, 3),
    "takes followers with an index of several digits for leaders": leading(
      (index) => index.length > 1,
    ),
    "takes followers other than the second Pod for leaders": leading((index) => index !== "1"),
  },
};

const createNode = ({ object, cluster }: Question) => {
  const labels = { [topologyKeyOf(object)]: "r1" };
  cluster.push({ apiVersion: "v1", kind: "Node", metadata: { name: "n9", labels } });
};

/** Does not deny a follower whose leader's node is in no domain. */
const lettingThrough: WrongWebhook["wrong"] = ({ mutate, validate }) => ({
  mutate: async (review, cluster) => {
    const answer = (await mutate(review, cluster)) as Loose;
    const { allowed, uid } = answer.response;
    return allowed ? answer : { ...answer, response: { uid, allowed: true } };
  },
  validate: asking(validate, (question) => {
    createMissingNode(question);
    labelNodes(question, selectorOf(question)?.[topologyKeyOf(question.object)]);
  }),
});

const denying = (isDenied: (pod: Loose) => boolean) =>
  deciding((question) => (isCreation(question) && isDenied(question.object) ? false : undefined));
const denyingOperation = (operation: string) =>
  deciding((question) => (question.operation === operation ? false : undefined));
const isOfNoJobSet = (pod: Loose) => annotationOf(pod, JOBSET_NAME) === undefined;
const podSpecMembers =
  "volumes initContainers ephemeralContainers restartPolicy terminationGracePeriodSeconds activeDeadlineSeconds dnsPolicy serviceAccountName serviceAccount automountServiceAccountToken nodeName hostNetwork hostPID hostIPC shareProcessNamespace securityContext hostname subdomain schedulerName tolerations hostAliases priorityClassName priority dnsConfig readinessGates runtimeClassName enableServiceLinks preemptionPolicy overhead topologySpreadConstraints setHostnameAsFQDN os hostUsers schedulingGates resourceClaims resources hostnameOverride schedulingGroup";

const judging: WrongByLaw = {
  followersFollowTheirLeader: {
    "sends a follower whose leader's node lacks the topology label somewhere": both((question) =>
      labelNodes(question, "r1"),
    ),
    "sends a follower whose leader's node is gone somewhere": both(createNode),
    "leaves the node selector of a follower whose leader's node is in no domain, and admits any":
      lettingThrough,
  },
  onlyCreationsAreJudged: {
    "denies the operation UPDATE": denyingOperation("UPDATE"),
    "denies the operation DELETE": denyingOperation("DELETE"),
  },
  othersAreLetIn: {
    "denies leaders": denying((pod) => annotationOf(pod, COMPLETION_INDEX) === "0"),
    "denies Pods without exclusive placement": denying((pod) => topologyKeyOf(pod) === ""),
    "denies Pods that are placed by node labels": denying(
      (pod) => annotationOf(pod, NODE_SELECTOR_STRATEGY) !== undefined,
    ),
    "denies Pods of no JobSet": denying(isOfNoJobSet),
    "denies Pods of no JobSet that have its label": denying(
      (pod) => isOfNoJobSet(pod) && pod?.metadata?.labels?.[JOBSET_NAME] !== undefined,
    ),
    "denies Pods of a negative priority": denying((pod) => pod?.spec?.priority < 0),
  },
  nothingElseIsTouched: Object.fromEntries(
    podSpecMembers
      .split(" ")
      .map((name) => [
        `drops ${name} of a Pod`,
        patching((patch, sent) =>
          sent?.spec?.[name] === undefined
            ? patch
            : [...patch, { op: "remove", path: `/spec/${name}` }],
        ),
      ]),
  ),
};

const isPriority = ({ path }: Loose) => path.startsWith("/metadata/labels");

const answers: WrongByLaw = {
  pendingLeadersAreNotMasked: {
    "checks the node selector before the leader": odd("FollowerSelectorCheckedFirst"),
  },
  mutatingAgainChangesNothing: {
    "adds the terms of a leader again": odd("LeaderTermsAppendedAgain"),
  },
  podsBearTheirPriority: {
    "labels the priority of exclusive Pods only": patching((patch, sent) =>
      topologyKeyOf(sent) === "" ? patch.filter((one) => !isPriority(one)) : patch,
    ),
    "keeps the priority label of a user": patching((patch) =>
      patch.filter((one) => one.op !== "replace" || !isPriority(one)),
    ),
    "does not escape slashes in the paths of a patch": patching((patch) =>
      patch.map((one) => ({ ...one, path: one.path.replaceAll("~1", "/") })),
    ),
  },
  followersGetTheLeadersDomain: {
    "keeps the domain that a template selects": patching((patch) =>
      patch.filter(({ op, path }) => op !== "replace" || !path.startsWith("/spec/nodeSelector")),
    ),
    "treats the host as the domain": both(({ object, cluster }) => {
      for (const node of ofKind(cluster, "Node"))
        if (topologyKeyOf(object)) labelsOf(node)[topologyKeyOf(object)] = node.metadata.name;
    }),
  },
  nothingElseIsTouched: {
    "selects the domain of a leader, too": patching((patch, sent) =>
      annotationOf(sent, COMPLETION_INDEX) === "0" && topologyKeyOf(sent)
        ? [
            ...patch,
            {
              op: "add",
              path: "/spec/nodeSelector",
              value: { ...sent.spec.nodeSelector, [topologyKeyOf(sent)]: "" },
            },
          ]
        : patch,
    ),
  },
  followersWaitForALeader: {
    "admits every Pod": deciding(() => true),
    "admits followers that have a node selector": deciding(
      ({ object }) => Object.keys(object?.spec?.nodeSelector ?? {}).length > 0 || undefined,
    ),
  },
  podReviewsAreAnswered: {
    "fails on a request without a Pod": ({ validate }) => ({
      validate: (review, cluster) => {
        if (!(review.request as Loose)?.object?.spec) throw new TypeError("there is no Pod");
        return validate(review, cluster);
      },
    }),
  },
};

export const wrongPodWebhooks: readonly WrongWebhook[] = [
  ...namedByLaw("pods", blind),
  ...namedByLaw("pods", judging),
  ...namedByLaw("pods", answers),
];
