// Naive webhooks for Pods under exclusive placement, as you might write them in an afternoon. They do not use
// jobset-ts.

// biome-ignore lint/suspicious/noExplicitAny: an API server sends objects without a type
type AnyObject = any;

const JOB_KEY = "jobset.sigs.k8s.io/job-key";
const TOPOLOGY = "alpha.jobset.sigs.k8s.io/exclusive-topology";

export function mutatePod(review: AnyObject, cluster: readonly AnyObject[]): AnyObject {
  const { object: pod } = review.request;
  const topologyKey = pod?.metadata.annotations?.[TOPOLOGY];
  if (!topologyKey) return createReview(review, {});
  const term = (operator: string) => {
    const expression = { key: JOB_KEY, operator, values: [pod.metadata.labels[JOB_KEY]] };
    const labelSelector = { matchExpressions: [expression] };
    const terms = [{ labelSelector, topologyKey, namespaceSelector: {} }];
    return { requiredDuringSchedulingIgnoredDuringExecution: terms };
  };
  const affinity = { podAffinity: term("In"), podAntiAffinity: term("NotIn") };
  const nodeName = getLeader(pod, cluster)?.spec.nodeName;
  const node = cluster.find((one) => one.kind === "Node" && one.metadata.name === nodeName);
  const domain = node?.metadata.labels?.[topologyKey];
  const operation = isLeader(pod)
    ? { op: "add", path: "/spec/affinity", value: affinity }
    : domain && { op: "add", path: "/spec/nodeSelector", value: { [topologyKey]: domain } };
  const patch = btoa(JSON.stringify(operation ? [operation] : []));
  return createReview(review, { patchType: "JSONPatch", patch });
}

export function validatePod(review: AnyObject, cluster: readonly AnyObject[]): AnyObject {
  const { operation, object: pod } = review.request;
  const topologyKey = pod?.metadata.annotations?.[TOPOLOGY];
  if (operation !== "CREATE" || !topologyKey || isLeader(pod)) return createReview(review, {});
  const reject = (message: string) =>
    createReview(review, { allowed: false, status: { code: 403, message } });
  if (!pod.spec.nodeSelector?.[topologyKey]) return reject("follower pod node selector not set");
  if (!getLeader(pod, cluster)?.spec.nodeName) return reject("leader pod not yet scheduled");
  return createReview(review, {});
}

function createReview(review: AnyObject, decided: AnyObject): AnyObject {
  const { uid } = review.request;
  return { ...review, request: undefined, response: { uid, allowed: true, ...decided } };
}

function isLeader({ metadata }: AnyObject): boolean {
  return metadata.annotations?.["batch.kubernetes.io/job-completion-index"] === "0";
}

function getLeader({ metadata }: AnyObject, cluster: readonly AnyObject[]): AnyObject {
  const key = metadata.labels?.[JOB_KEY];
  return cluster.find(
    (one) => one.kind === "Pod" && one.metadata.labels?.[JOB_KEY] === key && isLeader(one),
  );
}
