import { type JobSet, jobName, namespacedJobValue, type Unvalidated } from "@jobset-ts/api";
import { NAMESPACED_JOB_KEY, NO_SCHEDULE_TAINT_KEY } from "@jobset-ts/api/keys";
import type { Node, Taint } from "@jobset-ts/api/kubernetes";
import { indexedReplicatedJobs, jobCount } from "../desired/job-indexes.ts";
import { asArray, asRecord, getLabel, getName, getNamespace, isObject } from "../jobset-members.ts";
import { toWire } from "../plan/wire-form.ts";

/** The node label that names the pool of a node. It is independent of the topology key. */
const nodePoolKey = "cloud.google.com/gke-nodepool";
/** The maximum length of a label value. */
const maxLabelValueLength = 63;

/** The patches for the nodes of a JobSet's pools, or why planning is impossible. */
export type NodeLabelsPlan =
  | {
      readonly ok: true;
      /** The pool of each Job. Each Job gets one. */
      readonly assignments: readonly PoolAssignment[];
      /** In node order. */
      readonly patches: readonly NodePatch[];
      /** Unusual input that does not prevent the plan. */
      readonly warnings: readonly string[];
    }
  | { readonly ok: false; readonly error: NodeLabelsError };

/** A node pool that is reserved for one Job. */
export interface PoolAssignment {
  readonly pool: string;
  /** `<namespace>_<Job>`, the value in the node selector of the Job's Pods. */
  readonly namespacedJob: string;
  readonly replicatedJob: string;
  /** Starts at 0. */
  readonly jobIndex: number;
  /** The nodes of the pool. */
  readonly nodes: readonly string[];
}

/** The labels that a node gets in addition to its others, and its new taints. */
export interface NodePatch {
  readonly node: string;
  readonly labels: Readonly<Record<string, string>>;
  /** All taints of the node, because the API replaces this list as a whole. */
  readonly taints: readonly Taint[];
}

/** Why no plan is possible. */
export type NodeLabelsError =
  /** Generated names are unknown in advance. */
  | { readonly kind: "NameRequired"; readonly message: string }
  | {
      readonly kind: "CountMismatch";
      readonly poolCount: number;
      readonly jobCount: number;
      readonly message: string;
    }
  /** A node has no pool, in strict mode. */
  | { readonly kind: "NodeWithoutPool"; readonly node: string; readonly message: string };

/**
 * Plans which nodes to label and taint so that every Job of a JobSet gets its own node pool, for the node selector
 * strategy of exclusive placement.
 *
 * All Jobs take part, exclusive or not. The first pool gets the last Job, the second pool the last but one. Nodes of
 * other pools are not changed. The plan is deterministic, and applying it twice has the same effect as applying it
 * once.
 *
 * @param question.pools - names of pools, or as one text with commas, in which spaces are part of the names.
 * Repeated names count once
 * @param question.nodes - all nodes of the cluster; values without a name are ignored
 * @param question.strict - whether a node without a pool prevents the plan. Default: it is skipped with a warning
 * @param question.taints - `merge`, the default, keeps the nodes' other taints; `replace` removes them, as
 * upstream's script does
 * @see JobSet `hack/label_nodes`
 */
export function planNodeLabels(question: {
  readonly jobSet: Unvalidated<JobSet>;
  readonly pools: string | readonly string[];
  readonly nodes: readonly Unvalidated<Node>[];
  readonly strict?: boolean;
  readonly taints?: "merge" | "replace";
}): NodeLabelsPlan {
  const { jobSet = {}, pools: named = [], strict = false, taints = "merge" } = asRecord(question);
  if (getName(jobSet) === "") {
    const message = "metadata.name is required: a generated name cannot be known beforehand";
    return rejectPlan({ kind: "NameRequired", message });
  }
  const pools = splitPools(named);
  const counts = { poolCount: pools.length, jobCount: jobCount(jobSet) };
  if (counts.poolCount !== counts.jobCount) {
    const message = `number of node pools (${counts.poolCount}) does not match number of child jobs (${counts.jobCount})`;
    return rejectPlan({ kind: "CountMismatch", ...counts, message });
  }
  const nodes = nodesByPool(asArray(question?.nodes));
  const [nodeWithoutPool] = nodes.withoutPool;
  if (strict && nodeWithoutPool !== undefined) {
    return rejectPlan({
      kind: "NodeWithoutPool",
      node: nodeWithoutPool,
      message: noPool(nodeWithoutPool),
    });
  }

  const assignments = assign(pools, jobSet, nodes.inPools);
  const jobOfPool = new Map(assignments.map((one) => [one.pool, one.namespacedJob]));
  const patches = nodes.inPools.flatMap(({ pool, node }) => {
    const job = jobOfPool.get(pool);
    return job === undefined ? [] : [createPatch(node, job, taints)];
  });
  const warnings = [
    ...nodes.withoutPool.map((name) => `${noPool(name)}; it is not changed`),
    ...assignments.flatMap(poolWarnings),
  ];
  return { ok: true, assignments, patches, warnings };
}

/** Returns the pools in the order in which they are first named. Empty text is one pool without a name. */
function splitPools(pools: string | readonly string[]): readonly string[] {
  const names = typeof pools === "string" ? pools.split(",") : asArray(pools);
  return [...new Set(names.filter((name) => typeof name === "string"))];
}

interface NodesByPool {
  readonly inPools: readonly { readonly node: Unvalidated<Node>; readonly pool: string }[];
  readonly withoutPool: readonly string[];
}

function nodesByPool(nodes: readonly Unvalidated<Node>[]): NodesByPool {
  const inPools: { node: Unvalidated<Node>; pool: string }[] = [];
  const withoutPool: string[] = [];
  for (const node of nodes) {
    if (getName(node) === "") continue;
    const pool = getLabel(node, nodePoolKey);
    if (pool === undefined) withoutPool.push(getName(node));
    else inPools.push({ node, pool });
  }
  return { inPools, withoutPool };
}

function noPool(node: string): string {
  return `node ${node} has no label ${nodePoolKey}`;
}

/** Assigns to each pool the last Job that has no pool yet. */
function assign(
  pools: readonly string[],
  jobSet: Unvalidated<JobSet>,
  inPools: NodesByPool["inPools"],
): readonly PoolAssignment[] {
  const namespace = getNamespace(jobSet) || "default";
  const nodesOf = new Map<string, string[]>(pools.map((pool) => [pool, []]));
  for (const { pool, node } of inPools) nodesOf.get(pool)?.push(getName(node));
  const jobs = indexedReplicatedJobs(jobSet).flatMap(({ name, replicas }) =>
    Array.from({ length: Math.max(0, replicas) }, (_, jobIndex) => ({ name, jobIndex })),
  );
  return jobs.reverse().map(({ name, jobIndex }, position) => {
    const pool = pools[position] ?? "";
    return {
      pool,
      namespacedJob: namespacedJobValue(namespace, jobName(getName(jobSet), name, jobIndex)),
      replicatedJob: name,
      jobIndex,
      nodes: nodesOf.get(pool) ?? [],
    };
  });
}

function createPatch(node: Unvalidated<Node>, job: string, taints: "merge" | "replace"): NodePatch {
  const others =
    taints === "replace" ? [] : asArray(node?.spec?.taints).filter((one) => !isOurs(one));
  const ours: Taint = { key: NO_SCHEDULE_TAINT_KEY, value: "true", effect: "NoSchedule" };
  return {
    node: getName(node),
    labels: { [NAMESPACED_JOB_KEY]: job },
    taints: [...toWire<readonly Taint[]>(others), ours],
  };
}

/** Reports whether a taint is the one that reserves nodes. Key and effect identify taints. */
function isOurs(taint: Unvalidated<Taint>): boolean {
  return isObject(taint) && taint.key === NO_SCHEDULE_TAINT_KEY && taint.effect === "NoSchedule";
}

function poolWarnings({ pool, namespacedJob: value, nodes }: PoolAssignment): readonly string[] {
  return [
    ...(nodes.length === 0 ? [`node pool ${pool} has no nodes`] : []),
    ...(value.length > maxLabelValueLength
      ? [
          `${value} has ${value.length} characters, and a label value at most ${maxLabelValueLength}`,
        ]
      : []),
  ];
}

function rejectPlan(error: NodeLabelsError): NodeLabelsPlan {
  return { ok: false, error };
}
