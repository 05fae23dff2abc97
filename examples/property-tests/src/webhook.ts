// The webhooks for Pods under exclusive placement, as one writes them in an afternoon. They use nothing of jobset-ts.

// biome-ignore lint/suspicious/noExplicitAny: objects come as JSON, as they do from an API server.
type KubeObject = any;

const PREFIX = "jobset.sigs.k8s.io";
const TOPOLOGY = "alpha.jobset.sigs.k8s.io/exclusive-topology";

export function mutatePod(review: KubeObject, cluster: readonly KubeObject[]): KubeObject {
  return answer(review, mutate, cluster);
}

export function validatePod(review: KubeObject, cluster: readonly KubeObject[]): KubeObject {
  return answer(review, validate, cluster);
}

type Decide = (pod: KubeObject, cluster: readonly KubeObject[]) => KubeObject;

function answer(review: KubeObject, decide: Decide, cluster: readonly KubeObject[]) {
  const { uid, operation, object } = review.request;
  const decided = operation === "CREATE" ? decide(object, cluster) : {};
  return { ...review, request: undefined, response: { uid, allowed: true, ...decided } };
}

function mutate(pod: KubeObject, cluster: readonly KubeObject[]) {
  const topology = pod.metadata.annotations?.[TOPOLOGY];
  if (!topology) return {};
  const jobKey = pod.metadata.labels[`${PREFIX}/job-key`];
  const patch: KubeObject[] = [];
  if (isLeader(pod)) {
    const term = (operator: string) => ({
      labelSelector: {
        matchExpressions: [{ key: `${PREFIX}/job-key`, operator, values: [jobKey] }],
      },
      topologyKey: topology,
      namespaceSelector: {},
    });
    const affinity = {
      podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term("In")] },
      podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term("NotIn")] },
    };
    patch.push({ op: "add", path: "/spec/affinity", value: affinity });
  } else {
    const node = nodeOf(leaderOf(pod, cluster), cluster);
    const domain = node?.metadata.labels?.[topology];
    if (domain) {
      patch.push({ op: "add", path: "/spec/nodeSelector", value: { [topology]: domain } });
    }
  }
  return { patchType: "JSONPatch", patch: btoa(JSON.stringify(patch)) };
}

function validate(pod: KubeObject, cluster: readonly KubeObject[]) {
  const topology = pod.metadata.annotations?.[TOPOLOGY];
  if (!topology || isLeader(pod)) return {};
  if (!pod.spec.nodeSelector?.[topology]) return denied("follower pod node selector not set");
  const leader = leaderOf(pod, cluster);
  if (!leader?.spec.nodeName) {
    return denied("leader pod not yet scheduled, not creating follower pod");
  }
  return {};
}

function denied(message: string) {
  return { allowed: false, status: { code: 403, message } };
}

function isLeader({ metadata }: KubeObject): boolean {
  return metadata.annotations?.["batch.kubernetes.io/job-completion-index"] === "0";
}

function leaderOf({ metadata }: KubeObject, cluster: readonly KubeObject[]): KubeObject {
  const key = `${PREFIX}/job-key`;
  return cluster.find(
    (one) =>
      one.kind === "Pod" && one.metadata.labels?.[key] === metadata.labels?.[key] && isLeader(one),
  );
}

function nodeOf(leader: KubeObject, cluster: readonly KubeObject[]): KubeObject {
  return cluster.find(
    ({ kind, metadata }) => kind === "Node" && metadata.name === leader?.spec.nodeName,
  );
}
