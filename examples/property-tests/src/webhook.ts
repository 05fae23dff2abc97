// Naive webhooks for Pods under exclusive placement, as you might write them in an afternoon. They do not use
// jobset-ts.

// biome-ignore lint/suspicious/noExplicitAny: objects come as JSON, as they do from an API server.
type Loose = any;

const JOB_KEY = "jobset.sigs.k8s.io/job-key";
const TOPOLOGY = "alpha.jobset.sigs.k8s.io/exclusive-topology";

export function mutatePod(review: Loose, cluster: readonly Loose[]): Loose {
  const { object: pod } = review.request;
  const topologyKey = pod?.metadata.annotations?.[TOPOLOGY];
  if (!topologyKey) return answer(review, {});
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
  return answer(review, { patchType: "JSONPatch", patch });
}

export function validatePod(review: Loose, cluster: readonly Loose[]): Loose {
  const { operation, object: pod } = review.request;
  const topologyKey = pod?.metadata.annotations?.[TOPOLOGY];
  if (operation !== "CREATE" || !topologyKey || isLeader(pod)) return answer(review, {});
  const reject = (message: string) =>
    answer(review, { allowed: false, status: { code: 403, message } });
  if (!pod.spec.nodeSelector?.[topologyKey]) return reject("follower pod node selector not set");
  if (!getLeader(pod, cluster)?.spec.nodeName) return reject("leader pod not yet scheduled");
  return answer(review, {});
}

function answer(review: Loose, decided: Loose): Loose {
  const { uid } = review.request;
  return { ...review, request: undefined, response: { uid, allowed: true, ...decided } };
}

function isLeader({ metadata }: Loose): boolean {
  return metadata.annotations?.["batch.kubernetes.io/job-completion-index"] === "0";
}

function getLeader({ metadata }: Loose, cluster: readonly Loose[]): Loose {
  const key = metadata.labels?.[JOB_KEY];
  return cluster.find(
    (one) => one.kind === "Pod" && one.metadata.labels?.[JOB_KEY] === key && isLeader(one),
  );
}
