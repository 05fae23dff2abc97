import type { EpochMillis } from "@jobset-ts/api";
import {
  JOB_COMPLETION_INDEX_KEY,
  JOB_INDEX_KEY,
  JOB_KEY_KEY,
  JOB_RESTART_ATTEMPT_KEY,
  REPLICATED_JOB_NAME_KEY,
  RESTART_ATTEMPT_KEY,
} from "@jobset-ts/api/keys";
import { getAnnotation, getControllerOf, getLabel, type Pod } from "@jobset-ts/api/kubernetes";
import { START_TIME } from "../kernel/cluster.ts";

/**
 * The behavior of the containers of some Pods, as plain data. The first rule that matches a Pod applies. A Pod without
 * a rule becomes ready at once and runs until it is stopped.
 */
export interface WorkloadRule extends PodSelection, Program {}

/** Selects the Pods of a rule. All specified members must match. */
export interface PodSelection {
  /** The name of the Job. */
  readonly job?: string;
  readonly jobKey?: string;
  readonly replicatedJob?: string;
  readonly jobIndex?: number;
  /** The restart attempt, the sum of those of the JobSet and the Job. */
  readonly attempt?: number;
  /** The completion index. */
  readonly index?: number;
  /** The number of container restarts of the Pod. */
  readonly restarts?: number;
}

/** The behavior of a Pod's containers in one run. Times are in milliseconds. */
export interface Program {
  /**
   * From the binding or the restart to the start of the containers, including init containers and image pulls. Defaults
   * to a random time.
   */
  readonly startMs?: number;
  /** From the start until the Pod is ready. */
  readonly readyMs?: number;
  /** From the start until the containers exit by themselves. Undefined if they do not. */
  readonly runMs?: number;
  /**
   * The time since the start of the simulation at which the containers exit. The rule matches only Pods that are bound
   * before.
   */
  readonly endsAtMs?: number;
  /** The exit code of the first container, or of `container`. The others exit with 0. */
  readonly exitCode?: number;
  readonly container?: string;
  /**
   * The time from the stop signal to the exit, within the grace period. Undefined if the containers run until they are
   * killed.
   */
  readonly stopMs?: number;
  /** The exit code after a stop signal. */
  readonly stopExitCode?: number;
}

/** Returns the program of a Pod's containers after this number of restarts. */
export function compileProgram(
  rules: readonly WorkloadRule[],
  pod: Pod,
  restarts: number,
  now: EpochMillis,
): Program {
  const isToCome = ({ endsAtMs }: Program) => endsAtMs === undefined || now < START_TIME + endsAtMs;
  return rules.find((rule) => isToCome(rule) && matchesPod(rule, pod, restarts)) ?? DEFAULT_PROGRAM;
}

/** A program that stops within a second after the signal. */
const DEFAULT_PROGRAM: Program = { stopMs: 500, stopExitCode: 143 };

function matchesPod(rule: PodSelection, pod: Pod, restarts: number): boolean {
  const numberAt = (key: string) => Number(getLabel(pod, key) ?? 0);
  const attempt = () => numberAt(RESTART_ATTEMPT_KEY) + numberAt(JOB_RESTART_ATTEMPT_KEY);
  return (
    (rule.job === undefined || getControllerOf(pod)?.name === rule.job) &&
    (rule.jobKey === undefined || getLabel(pod, JOB_KEY_KEY) === rule.jobKey) &&
    (rule.replicatedJob === undefined ||
      getLabel(pod, REPLICATED_JOB_NAME_KEY) === rule.replicatedJob) &&
    (rule.jobIndex === undefined || getLabel(pod, JOB_INDEX_KEY) === String(rule.jobIndex)) &&
    (rule.attempt === undefined || attempt() === rule.attempt) &&
    (rule.index === undefined ||
      getAnnotation(pod, JOB_COMPLETION_INDEX_KEY) === String(rule.index)) &&
    (rule.restarts === undefined || restarts === rule.restarts)
  );
}
