import { type JobSet, resolveFeatureGates, type Unvalidated } from "@jobset-ts/api";
import { REPLICATED_JOB_NAME_KEY, RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import { type Condition, getLabel } from "@jobset-ts/api/kubernetes";
import { type Scenario, scenarioForJobSets, simulate } from "@jobset-ts/sim";
import { type AdmittedJobSet, admitWithQuota } from "./quota.ts";
import type { Manifest, Story } from "./stories.ts";

/** The observed results of a run. */
export interface ScenarioResult
  extends Pick<Story, "starts" | "pods" | "restarts" | "restartsCountTowardsMax"> {
  readonly ends?: string;
  readonly reason?: string;
  /** Permanent rejections, without the transient ones that JobSet itself reports as such. */
  readonly rejected: readonly string[];
  /** The violated invariants. */
  readonly violations: readonly string[];
}

/** The denial of followers whose leader has no node yet. */
const TRANSIENT = "this is an expected, transient error";

/**
 * Plays a scenario from start to finish.
 *
 * @param jobSet - as the cluster stores it
 */
export function playStory(
  jobSet: Unvalidated<JobSet>,
  manifest: Manifest,
  story: Story,
): ScenarioResult {
  const starts: string[][] = [];
  const rejections: string[] = [];
  let pods = 0;
  let last: Unvalidated<JobSet> | undefined;
  const { violations } = simulate(createScenario(jobSet, manifest, story), {
    onTurn: (turn) => {
      for (const { verb, after } of turn.changes) {
        if (after?.kind === "JobSet") last = after as Unvalidated<JobSet>;
        if (verb !== "Added" || after === undefined) continue;
        if (after.kind === "Pod") pods += 1;
        if (after.kind === "Job") recordStart(after, starts);
      }
      for (const { rejection } of turn.rejectedRequests)
        if (!rejection.message.includes(TRANSIENT)) rejections.push(rejection.message);
    },
  });
  const { status } = last ?? {};
  const ends = status?.terminalState;
  const conditions = (status?.conditions ?? []) as readonly Condition[];
  const reason = conditions.find(({ type }) => type === ends)?.reason;
  return {
    starts,
    pods,
    ...(ends !== undefined && { ends }),
    ...(reason !== undefined && { reason }),
    restarts: status?.restarts ?? 0,
    restartsCountTowardsMax: status?.restartsCountTowardsMax ?? 0,
    rejected: rejections,
    violations: violations.map(({ message }) => message),
  };
}

/** Records the ReplicatedJob of a created Job, once per attempt. */
function recordStart(job: Parameters<typeof getLabel>[0], starts: string[][]): void {
  const attempt = Number(getLabel(job, RESTART_ATTEMPT_KEY) ?? 0);
  const name = getLabel(job, REPLICATED_JOB_NAME_KEY) ?? "";
  starts[attempt] ??= [];
  if (!starts[attempt].includes(name)) starts[attempt].push(name);
}

function createScenario(
  jobSet: Unvalidated<JobSet>,
  { nodes, flavor, workload = [] }: Manifest,
  story: Story,
): Scenario {
  const admitted: AdmittedJobSet | undefined = flavor && admitWithQuota(jobSet, flavor, 10_000);
  const life = scenarioForJobSets([admitted?.jobSet ?? jobSet], {
    seed: 1,
    ...(nodes !== undefined && { nodes }),
    failures: [],
    features: resolveFeatureGates({}),
  });
  // The actions of the story resume the JobSet, so a simulated Kueue is not needed.
  const { queueing: _, ...withoutKueue } = life;
  return {
    ...withoutKueue,
    objects: life.objects.map((one) => (one.kind === "JobSet" ? (jobSet as typeof one) : one)),
    workload: [...(story.workload ?? []), ...workload, ...life.workload],
    actions: [...(admitted?.actions ?? []), ...(story.actions ?? [])],
  };
}
