import type { Unvalidated } from "@jobset-ts/api";
import {
  asArray,
  asString,
  getName,
  isObject,
  type Taint,
  type Toleration,
  toleratesTaint,
} from "@jobset-ts/api/kubernetes";
import type { ClusterIndex } from "../../view/cluster-facts.ts";
import { memoizeByObject } from "../../view/memoize.ts";
import type { PodInJob } from "../../view/pod-view.ts";
import type { RefusalDetails } from "./refusal-details.ts";

const MAX_NAMES = 3;

/** Returns the nodes with a taint that the Pod does not tolerate, except those that are only for the control plane. */
export function listTaintedNodes(view: PodInJob): ReadonlySet<string> {
  const taints = listTaints(view).filter(({ key }) => !ofControlPlane.test(key));
  return new Set(taints.flatMap(({ nodes }) => nodes));
}

/**
 * Returns the taints in a reason of the scheduler with their nodes, and the component that removes
 * them.
 */
export function explainTaints(view: PodInJob, text: string): RefusalDetails {
  const found = listTaints(view);
  const named = /\{([^:}]+)[:}]/.exec(text)?.[1]?.trim();
  const taints = named === undefined ? found : found.filter(({ key }) => key === named);
  const titles = taints.map(({ title }) => title).slice(0, MAX_NAMES);
  const nodes = [...new Set(taints.flatMap((taint) => taint.nodes))];
  const key = named ?? taints[0]?.key ?? "KEY";
  const isOfState = stateTaints.test(key);
  const shown = nodes.slice(0, MAX_NAMES).join(", ");
  const more = nodes.length > MAX_NAMES ? ` and ${nodes.length - MAX_NAMES} more` : "";
  // The names of the user's own taints indicate what to do. The others only show that a node has a
  // problem.
  const where = isOfState && nodes.length > 0 ? [`on ${shown}${more}`] : [];
  return {
    isExpected: taints.length > 0 && taints.every((taint) => ofControlPlane.test(taint.key)),
    about: [...(named === undefined ? titles : []), ...where].join(", "),
    advice: isOfState
      ? `repair or wait for the nodes, whose taint then goes by itself: kubectl describe node ${nodes[0] ?? "NODE"}`
      : `in a new JobSet, tolerate the taint, or remove it: kubectl taint nodes NODE ${taints[0]?.title ?? key}-`,
  };
}

/** The taints of nodes that are only for the control plane. */
const ofControlPlane = /^node-role\.kubernetes\.io\/(?:control-plane|master)$/;

/** Taints that a controller sets while a node has a problem, starts or leaves. */
const stateTaints =
  /^node\.kubernetes\.io\/|^node\.cloudprovider\.kubernetes\.io\/|not-?ready|uninitialized|unregistered|startup|^karpenter\.sh\/|ClusterAutoscaler|unhealthy/i;

interface NodeTaint {
  readonly nodes: readonly string[];
  readonly key: string;
  readonly taint: Unvalidated<Taint>;
  /** As kubectl writes it, such as `gpu=true:NoSchedule`. */
  readonly title: string;
}

/** Returns the taints of nodes that the Pod does not tolerate. */
function listTaints({ facts, pod }: PodInJob): readonly NodeTaint[] {
  const tolerations = asArray<Unvalidated<Toleration>>(pod.pod.spec?.tolerations).filter(isObject);
  return taintsOf(facts).filter(
    ({ taint }) => !tolerations.some((toleration) => toleratesTaint(toleration, taint)),
  );
}

/** The different taints of all nodes, by their text. The scheduler reports a cordon as another reason. */
const taintsOf = /* @__PURE__ */ memoizeByObject(({ snapshot }: ClusterIndex) => {
  const found = new Map<string, NodeTaint & { readonly nodes: string[] }>();
  for (const node of snapshot.nodes) {
    for (const taint of asArray<Unvalidated<Taint>>(node.spec?.taints)) {
      if (!isObject(taint) || taint.effect === "PreferNoSchedule") continue;
      const key = asString(taint.key);
      if (key === "node.kubernetes.io/unschedulable") continue;
      const value = asString(taint.value);
      const title = `${key}${value && `=${value}`}:${asString(taint.effect)}`;
      const known = found.get(title);
      if (known === undefined) found.set(title, { key, title, taint, nodes: [getName(node)] });
      else known.nodes.push(getName(node));
    }
  }
  return [...found.values()];
});
