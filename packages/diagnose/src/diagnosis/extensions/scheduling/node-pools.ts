import type { Unvalidated } from "@jobset-ts/api";
import {
  asArray,
  asRecord,
  asString,
  type Condition,
  findCondition,
  getLabel,
  getName,
  isObject,
} from "@jobset-ts/api/kubernetes";
import { conditionEvidence } from "../../checks/check-results.ts";
import { findObject, type ObjectWithConditions } from "../../view/cluster-facts.ts";
import type { PodInJob } from "../../view/pod-view.ts";
import type { KarpenterFault } from "./node-claims.ts";
import { listRefusals } from "./refusals.ts";

interface NodePool extends ObjectWithConditions {
  readonly spec?: {
    readonly template?: {
      readonly spec?: {
        readonly nodeClassRef?: {
          readonly group?: string;
          readonly kind?: string;
          readonly name?: string;
        };
      };
    };
  };
}

/**
 * Returns why the NodePool that a Pod without room needs is not ready: the one that the Pod selects, or the first of
 * all. Karpenter ignores such NodePools, and creates no Event. Undefined if another NodePool is ready.
 */
export function findNodePoolFault(view: PodInJob): KarpenterFault | undefined {
  const { facts, pod } = view;
  const selected = getLabel(
    { metadata: { labels: asRecord(pod.pod.spec).nodeSelector } },
    "karpenter.sh/nodepool",
  );
  if (selected === undefined && listRefusals(view, "Insufficient").length === 0) return undefined;
  const pools = facts
    .objects<NodePool>("NodePool", "karpenter.sh")
    .filter((pool) => selected === undefined || getName(pool) === selected);
  const [pool] = pools;
  if (pool === undefined || !pools.every(isIdle)) return undefined;
  const name = getName(pool);
  const key = { apiVersion: "karpenter.sh/v1", kind: "NodePool", namespace: "", name };
  const { group, kind, name: className } = asRecord(pool.spec?.template?.spec?.nodeClassRef);
  const nodeClass = findObject(facts, asString(kind), asString(group), {
    name: asString(className),
  });
  // `Ready` sums up the others, of which those of the NodeClass say the most.
  const failed = [...listFalse(nodeClass), ...listFalse(pool)];
  const [why] = failed.filter(({ type }) => type !== "Ready").concat(failed);
  const text = [why?.type, why?.reason, why?.message].map((part) => asString(part)).join(": ");
  return {
    object: key,
    problem: `is not ready: ${text}`,
    evidence: conditionEvidence(key, "Ready", text),
    advice: `correct the NodePool or its NodeClass: kubectl describe nodepool ${name}`,
  };
}

function isIdle({ status }: Unvalidated<NodePool>): boolean {
  return findCondition(status?.conditions, "Ready")?.status === "False";
}

function listFalse(
  object: { readonly status?: { readonly conditions?: unknown } } | undefined,
): readonly Partial<Condition>[] {
  return asArray(object?.status?.conditions as readonly Partial<Condition>[])
    .filter(isObject)
    .filter(({ status }) => status === "False");
}
