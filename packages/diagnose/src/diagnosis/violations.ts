import type { JobSet, Observed } from "@jobset-ts/api";
import { parseIntegerLabel } from "@jobset-ts/api";
import {
  CONDITION_COMPLETED,
  CONDITION_FAILED,
  CONDITION_RESTARTING,
  CONDITION_STARTUP_COMPLETED,
  CONDITION_STARTUP_IN_PROGRESS,
} from "@jobset-ts/api/conditions";
import { JOB_KEY_KEY, PRIORITY_KEY, RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import {
  controllerOf,
  isObject,
  labelOf,
  listOf,
  membersOf,
  nameOf,
  namespaceOf,
  type Pod,
  textOf,
} from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";
import type { ObjectKey, Snapshot } from "@jobset-ts/core";
import { isLeaderPod } from "@jobset-ts/core/placement";
import { keyOfObject } from "./answers.ts";
import { type ClusterFacts, clusterFacts, occupiesItsNode } from "./cluster-facts.ts";
import { key } from "./jobset-checks.ts";
import { type JobSetView, jobSetView, topologyKeyOf } from "./jobset-view.ts";
import { contradictionsIn } from "./numbers.ts";

/**
 * An invariant of JobSet's that a cluster breaks.
 *
 * @example
 * import { snapshotOf } from "@jobset-ts/core";
 * const status = { restarts: 1, restartsCountTowardsMax: 2 };
 * const jobSet = { apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet", metadata: { name: "train", namespace: "ml" }, status };
 * const [broken]: readonly Violation[] = violations(snapshotOf([jobSet]));
 * broken?.message // => "JobSet ml/train counts 2 restarts towards its limit and 1 in all"
 */
export interface Violation {
  readonly id: InvariantId;
  /** What is so, in a sentence. */
  readonly message: string;
  /** A hundred at most. */
  readonly objects: readonly ObjectKey[];
}

/**
 * The invariants that can be judged from one state of a cluster:
 *
 * - `restarts-add-up`: no count is negative, and none counts more towards the limit than it counts in all
 * - `terminal-state-once`: a JobSet has completed or failed, not both, and its `terminalState` says the same
 * - `conditions-agree`: no two conditions are of one type, startup is in progress or completed, and what has ended does not restart
 * - `counts-fit-replicas`: the status has each ReplicatedJob once, and no more Jobs of it than there are to be
 * - `in-place-attempts-ordered`: the attempt that Pods have left is not beyond the one they are to reach
 * - `attempt-recorded`: no Job is of a restart attempt that the JobSet's status does not know yet
 * - `no-blocked-creation`: under `BlockingRecreate`, no Job of a new attempt exists beside one of an earlier attempt
 * - `one-job-per-key`: the Pods with one job key belong to one Job
 * - `one-active-leader`: a Job has one active Pod of index 0
 * - `follower-in-leader-domain`: a follower is bound to the domain of its leader, and runs there
 * - `domain-exclusive`: a domain with a leader under exclusive placement holds no Pods of other Jobs of the same priority
 * - `pods-add-up`: the Pods of a Job are not counted twice or contradict themselves
 *
 * @example const id: InvariantId = "domain-exclusive"; // => "domain-exclusive"
 */
export type InvariantId =
  | "restarts-add-up"
  | "terminal-state-once"
  | "conditions-agree"
  | "counts-fit-replicas"
  | "in-place-attempts-ordered"
  | "attempt-recorded"
  | "no-blocked-creation"
  | "one-job-per-key"
  | "one-active-leader"
  | "follower-in-leader-domain"
  | "domain-exclusive"
  | "pods-add-up";

/**
 * The invariants of JobSet's that a cluster breaks now, with the objects that break them. Some end by themselves, such as two
 * leaders while a restart goes on; in a cluster at rest there are none.
 *
 * What was not read breaks nothing.
 *
 * @returns by JobSet, then by domain; the same whatever the order in which objects were listed
 * @example
 * import { snapshotOf } from "@jobset-ts/core";
 * violations(snapshotOf([])) // => []
 */
export function violations(snapshot: Snapshot): readonly Violation[] {
  const facts = clusterFacts(snapshot);
  const ofJobSets = snapshot.jobSets.flatMap((jobSet) => {
    const view = jobSetView(jobSet, facts, 0);
    return [...statusViolations(jobSet, view), ...childViolations(view)];
  });
  return [...ofJobSets, ...keyViolations(snapshot), ...domainViolations(snapshot, facts)];
}

const MAX_OBJECTS = 100;

function broken(id: InvariantId, message: string, objects: readonly ObjectKey[]): Violation {
  return { id, message, objects: objects.slice(0, MAX_OBJECTS) };
}

function statusViolations(jobSet: Observed<JobSet>, view: JobSetView): readonly Violation[] {
  const { status } = jobSet;
  if (!isObject(status)) return [];
  const object = key(view);
  const who = `JobSet ${object.namespace}/${object.name}`;
  const found: Violation[] = [];
  const say = (id: InvariantId, text: string) => found.push(broken(id, `${who} ${text}`, [object]));

  const { restarts = 0, restartsCountTowardsMax: counted = 0 } = status;
  if (counted > restarts) {
    say("restarts-add-up", `counts ${counted} restarts towards its limit and ${restarts} in all`);
  }
  if (restarts < 0 || counted < 0) say("restarts-add-up", "counts fewer than no restarts");

  const isTrue = trueTypes(status.conditions);
  const ends = [CONDITION_COMPLETED, CONDITION_FAILED].filter((type) => isTrue.has(type));
  if (ends.length > 1) say("terminal-state-once", "has both completed and failed");
  const state = textOf(status.terminalState);
  if (ends.length === 1 && state !== "" && !isTrue.has(state)) {
    say("terminal-state-once", `has the terminal state ${state} and the condition ${ends[0]}`);
  }
  const types = listOf(status.conditions)
    .filter(isObject)
    .map((one) => textOf(one.type));
  for (const type of new Set(types.filter((one, at) => types.indexOf(one) !== at))) {
    say("conditions-agree", `has several conditions ${type}`);
  }
  if (isTrue.has(CONDITION_STARTUP_IN_PROGRESS) && isTrue.has(CONDITION_STARTUP_COMPLETED)) {
    say("conditions-agree", "has its startup both in progress and completed");
  }
  if (ends.length > 0 && isTrue.has(CONDITION_RESTARTING)) {
    say("conditions-agree", "has ended and restarts");
  }

  const { previousInPlaceRestartAttempt: left, currentInPlaceRestartAttempt: reached } = status;
  if (left !== undefined && reached !== undefined && left > reached) {
    say(
      "in-place-attempts-ordered",
      `has left in-place attempt ${left} and is to reach ${reached}`,
    );
  }
  return [...found, ...countViolations(view, who)];
}

function countViolations(view: JobSetView, who: string): readonly Violation[] {
  const found: Violation[] = [];
  const say = (id: InvariantId, text: string) =>
    found.push(broken(id, `${who} ${text}`, [key(view)]));
  const seen = new Set<string>();
  for (const entry of listOf(view.jobSet.status?.replicatedJobsStatus).filter(isObject)) {
    const name = textOf(entry.name);
    if (seen.has(name)) say("counts-fit-replicas", `counts ReplicatedJob ${name} twice`);
    seen.add(name);
    const replicas = view.named.get(name)?.replicas;
    const { ready = 0, succeeded = 0, failed = 0, active = 0, suspended = 0 } = entry;
    const most = Math.max(ready + succeeded + failed, active, suspended);
    if (replicas !== undefined && most > replicas) {
      say(
        "counts-fit-replicas",
        `counts ${most} Jobs of ReplicatedJob ${name}, which has ${replicas}`,
      );
    }
    const restarts = listOf(entry.jobRestarts);
    for (const [index, counted] of listOf(entry.jobRestartsCountTowardsMax).entries()) {
      const all = restarts[index] ?? 0;
      if (counted <= all) continue;
      const job = `${name} ${index}`;
      say(
        "restarts-add-up",
        `counts ${counted} restarts of Job ${job} towards its limit and ${all} in all`,
      );
    }
  }
  return found;
}

function trueTypes(
  conditions: readonly { readonly type?: string; readonly status?: string }[] | undefined,
): ReadonlySet<string> {
  const all = listOf(conditions).filter(isObject);
  return new Set(all.filter(({ status }) => status === "True").map(({ type }) => textOf(type)));
}

function childViolations(view: JobSetView): readonly Violation[] {
  const found: Violation[] = [];
  const restarts = view.jobSet.status?.restarts ?? 0;
  for (const job of view.childJobs) {
    const attempt = parseIntegerLabel(labelOf(job, RESTART_ATTEMPT_KEY));
    if (!attempt.ok || attempt.value <= restarts) continue;
    const text = `Job ${nameOf(job)} is of restart attempt ${attempt.value}, and its JobSet knows of ${restarts}`;
    found.push(broken("attempt-recorded", text, [keyOfObject("Job", job), key(view)]));
  }
  const strategy = view.jobSet.spec?.failurePolicy?.restartStrategy;
  const { previousJobs, childJobs } = view;
  if (strategy === "BlockingRecreate" && previousJobs.length > 0) {
    const isPrevious = new Set(previousJobs);
    const current = childJobs.filter((job) => !isPrevious.has(job));
    const text = `${current.length} Jobs exist beside ${previousJobs.length} of an earlier restart attempt`;
    const objects = [...previousJobs, ...current].map((job) => keyOfObject("Job", job));
    if (current.length > 0) found.push(broken("no-blocked-creation", text, objects));
  }
  for (const { jobs } of view.replicatedJobs) {
    for (const job of jobs) {
      if (job.leaderState === "duplicated") {
        const leaders = job.leaders.filter(({ isActive }) => isActive);
        const text = `Job ${job.name} has ${leaders.length} active leaders`;
        const objects = leaders.map(({ pod }) => keyOfObject("Pod", pod));
        found.push(broken("one-active-leader", text, objects));
      }
      for (const text of contradictionsIn(job.numbers, job.name)) {
        const objects = job.pods.map(({ pod }) => keyOfObject("Pod", pod));
        found.push(broken("pods-add-up", text, objects));
      }
    }
  }
  return found;
}

/** A restart that does not wait for Pods to go makes two Jobs of one name, one after the other, have Pods at a time. */
function keyViolations(snapshot: Snapshot): readonly Violation[] {
  const byKey = new Map<string, Map<string, Observed<Pod>[]>>();
  for (const pod of snapshot.objects("Pod") as readonly Observed<Pod>[]) {
    const jobKey = labelOf(pod, JOB_KEY_KEY);
    if (jobKey === undefined) continue;
    const at = `${namespaceOf(pod)}/${jobKey}`;
    const byOwner = byKey.get(at) ?? new Map<string, Observed<Pod>[]>();
    byKey.set(at, byOwner);
    const owner = textOf(controllerOf(pod)?.uid);
    const pods = byOwner.get(owner);
    if (pods === undefined) byOwner.set(owner, [pod]);
    else pods.push(pod);
  }
  return [...byKey.keys()].sort(compareBytes).flatMap((at) => {
    const byOwner = byKey.get(at) ?? new Map<string, Observed<Pod>[]>();
    if (byOwner.size < 2) return [];
    const pods = [...byOwner.values()].flat().sort((a, b) => compareBytes(nameOf(a), nameOf(b)));
    const names = new Set(pods.map((pod) => textOf(controllerOf(pod)?.name)));
    const text = `Pods of ${byOwner.size} Jobs have the job key of ${[...names].sort(compareBytes).join(", ")}`;
    return [
      broken(
        "one-job-per-key",
        text,
        pods.map((pod) => keyOfObject("Pod", pod)),
      ),
    ];
  });
}

interface BoundPod {
  readonly pod: Observed<Pod>;
  readonly jobKey: string;
  readonly isExclusiveLeader: boolean;
}

/** Every topology key that exclusive Pods name is looked at once. */
function domainViolations(snapshot: Snapshot, facts: ClusterFacts): readonly Violation[] {
  const bound = (snapshot.objects("Pod") as readonly Observed<Pod>[]).filter(
    (pod) => labelOf(pod, JOB_KEY_KEY) !== undefined && occupiesItsNode(pod),
  );
  const topologyKeys = new Set<string>();
  for (const { metadata = {} } of bound) {
    const topologyKey = topologyKeyOf(metadata);
    if (topologyKey !== undefined) topologyKeys.add(topologyKey);
  }
  return [...topologyKeys]
    .sort(compareBytes)
    .flatMap((topologyKey) => [
      ...sharedDomains(snapshot, bound, topologyKey),
      ...misplacedFollowers(facts, bound, topologyKey),
    ]);
}

function sharedDomains(
  snapshot: Snapshot,
  bound: readonly Observed<Pod>[],
  topologyKey: string,
): readonly Violation[] {
  const byDomain = new Map<string, BoundPod[]>();
  for (const pod of bound) {
    const domain = domainOf(snapshot, pod, topologyKey);
    if (domain === undefined) continue;
    const at = `${domain} at priority ${labelOf(pod, PRIORITY_KEY) ?? "none"}`;
    const isExclusive = topologyKeyOf(pod.metadata ?? {}) === topologyKey;
    const one = {
      pod,
      jobKey: labelOf(pod, JOB_KEY_KEY) ?? "",
      isExclusiveLeader: isExclusive && isLeaderPod(pod),
    };
    const list = byDomain.get(at);
    if (list === undefined) byDomain.set(at, [one]);
    else list.push(one);
  }
  return [...byDomain.keys()].sort(compareBytes).flatMap((at) => {
    const pods = byDomain.get(at) ?? [];
    const jobKeys = new Set(pods.map(({ jobKey }) => jobKey));
    if (jobKeys.size < 2 || !pods.some(({ isExclusiveLeader }) => isExclusiveLeader)) return [];
    const jobs = new Set(
      pods.map(({ pod }) => `${namespaceOf(pod)}/${textOf(controllerOf(pod)?.name)}`),
    );
    const names = [...jobs].sort(compareBytes).slice(0, MAX_NAMED).join(", ");
    const text = `${topologyKey} ${at} holds Pods of ${jobKeys.size} Jobs: ${names}`;
    return [
      broken(
        "domain-exclusive",
        text,
        pods.map(({ pod }) => keyOfObject("Pod", pod)),
      ),
    ];
  });
}

const MAX_NAMED = 10;

function misplacedFollowers(
  { snapshot }: ClusterFacts,
  bound: readonly Observed<Pod>[],
  topologyKey: string,
): readonly Violation[] {
  const exclusive = bound.filter((pod) => topologyKeyOf(pod.metadata ?? {}) === topologyKey);
  const leaders = new Map<string, Observed<Pod>>();
  for (const pod of exclusive) if (isLeaderPod(pod)) leaders.set(ownerOf(pod), pod);
  return exclusive.flatMap((pod) => {
    const leader = leaders.get(ownerOf(pod));
    if (leader === undefined || isLeaderPod(pod) || ownerOf(pod) === "") return [];
    const wanted = domainOf(snapshot, leader, topologyKey);
    if (wanted === undefined) return [];
    const selector = membersOf(pod.spec?.nodeSelector);
    const declared = Object.hasOwn(selector, topologyKey) ? textOf(selector[topologyKey]) : wanted;
    const actual = domainOf(snapshot, pod, topologyKey) ?? wanted;
    if (declared === wanted && actual === wanted) return [];
    const is = actual === wanted ? `is bound to ${declared}` : `runs in ${actual}`;
    const text = `follower ${nameOf(pod)} ${is}, and its leader runs in ${wanted}`;
    const objects = [pod, leader].map((one) => keyOfObject("Pod", one));
    return [broken("follower-in-leader-domain", text, objects)];
  });
}

function ownerOf(pod: Observed<Pod>): string {
  return textOf(controllerOf(pod)?.uid);
}

function domainOf(snapshot: Snapshot, pod: Observed<Pod>, topologyKey: string): string | undefined {
  const node = snapshot.node(textOf(pod.spec?.nodeName));
  return node && labelOf(node, topologyKey);
}
