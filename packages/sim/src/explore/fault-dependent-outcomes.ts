import { asArray, isObject } from "@jobset-ts/api/kubernetes";
import type { WorkloadRule } from "../kubelet/workload.ts";
import { compareFinalStates, summarizeFinalState } from "../laws/final-state.ts";
import type { SteadyStateLaw } from "../laws/law.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { SimulationResult } from "../scenario/simulate.ts";

const SENTENCE = "In an idle cluster, JobSets have finished as they do without faults.";

/**
 * Returns the laws for a scenario whose outcome does not depend on faults: its JobSets finish as they do without
 * faults. This is the case if no user acts, the JobSets wait for all their Jobs and for no quota, no Job has a deadline
 * or a TTL, and at most one Job fails. For a failed JobSet, its Jobs and its startup conditions are not compared,
 * because they depend on when the failure is seen.
 *
 * @param undisturbed - the final state of the scenario without faults
 * @returns an empty list if the result may depend on timing
 * @example
 * const scenario = { ...randomScenario(1), actions: [], faults: [] };
 * findFaultDependentOutcomes(scenario, simulate(scenario)).length <= 1 // => true
 */
export function findFaultDependentOutcomes(
  scenario: Scenario,
  { end, isIdle, violations }: Pick<SimulationResult, "end" | "isIdle" | "violations">,
): readonly SteadyStateLaw[] {
  if (!hasOneEnd(scenario) || !isIdle || violations.length > 0) return [];
  const expected = comparable(summarizeFinalState(end.objects));
  return [
    {
      name: "endsAsWithoutFaults",
      sentence: SENTENCE,
      onSteadyState: (objects) =>
        findDifference(expected, comparable(summarizeFinalState(objects))),
    },
  ];
}

function hasOneEnd({ objects, workload, actions, queueing }: Scenario): boolean {
  if (actions.length > 0 || queueing !== undefined) return false;
  const failing = workload.filter(({ exitCode = 0 }) => exitCode !== 0);
  if (failing.length > 1 || !failing.every(isFromOneJob)) return false;
  return objects.every(({ kind, spec }) => kind !== "JobSet" || waitsForAllJobs(spec));
}

/** Reports whether a workload rule matches one Job, at any time. */
function isFromOneJob({ job, replicatedJob, jobIndex, endsAtMs }: WorkloadRule): boolean {
  const isNamed = job !== undefined || (replicatedJob !== undefined && jobIndex !== undefined);
  return isNamed && endsAtMs === undefined;
}

/** Reports whether a JobSet finishes only when all its Jobs have finished, independent of the time. */
function waitsForAllJobs(spec: unknown): boolean {
  const { successPolicy, replicatedJobs } = membersIn(spec);
  const { operator = "All", targetReplicatedJobs } = membersIn(successPolicy);
  if (operator !== "All" || asArray(targetReplicatedJobs as readonly unknown[]).length > 0) {
    return false;
  }
  return asArray(replicatedJobs as readonly unknown[]).every((one) => {
    const job = membersIn(membersIn(membersIn(one).template).spec);
    const pod = membersIn(membersIn(job.template).spec);
    const times = [
      job.activeDeadlineSeconds,
      job.ttlSecondsAfterFinished,
      pod.activeDeadlineSeconds,
    ];
    return times.every((time) => time === undefined || time === null);
  });
}

function membersIn(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? (value as Readonly<Record<string, unknown>>) : {};
}

function comparable(outcome: readonly string[]): readonly string[] {
  const hasFailed = outcome.some((line) => /^JobSet .*: Failed, /.test(line));
  if (!hasFailed) return outcome;
  return outcome.filter((line) => !/^Job |^JobSet .*: StartupPolicy/.test(line));
}

function findDifference(
  expected: readonly string[],
  actual: readonly string[],
): string | undefined {
  const { missing, added } = compareFinalStates(expected, actual);
  if (missing.length === 0 && added.length === 0) return undefined;
  return `the final state has ${listText(added)} instead of ${listText(missing)}`;
}

function listText(lines: readonly string[]): string {
  const shown = lines.slice(0, 3).join("; ");
  if (lines.length === 0) return "nothing";
  return lines.length > 3 ? `${shown} and ${lines.length - 3} more` : shown;
}
