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
 * What the containers of some Pods do: plain data, and the first rule that is about a Pod counts for it. A Pod that no rule
 * is about becomes ready at once and runs until it is stopped.
 */
export interface WorkloadRule extends PodSelection, Program {}

/** Which Pods a rule is about: all that it names has to hold. */
export interface PodSelection {
  /** The Job's name. */
  readonly job?: string;
  readonly jobKey?: string;
  readonly replicatedJob?: string;
  readonly jobIndex?: number;
  /** The restart attempt, of the JobSet and of the Job together. */
  readonly attempt?: number;
  /** The completion index. */
  readonly index?: number;
  /** How often the containers have been restarted in place. */
  readonly restarts?: number;
}

/** What the containers of a Pod do in one run, in milliseconds. */
export interface Program {
  /** From the binding, or the restart, until they run; init containers and images included. Left open, it is chance. */
  readonly startMs?: number;
  /** From the start until the Pod is ready. */
  readonly readyMs?: number;
  /** From the start until they end by themselves; absent: they do not. */
  readonly runMs?: number;
  /** Since the beginning of the run: they end then. A rule with it is about Pods that are bound before. */
  readonly endsAtMs?: number;
  /** With which code the first one, or `container`, ends; the others end with 0. */
  readonly exitCode?: number;
  readonly container?: string;
  /** How long they take to stop when asked, if they have so long; absent: until they are killed. */
  readonly stopMs?: number;
  /** With which code they end then. */
  readonly stopExitCode?: number;
}

/** What a Pod's containers do after so many restarts. */
export function compileProgram(
  rules: readonly WorkloadRule[],
  pod: Pod,
  restarts: number,
  now: EpochMillis,
): Program {
  const isToCome = ({ endsAtMs }: Program) => endsAtMs === undefined || now < START_TIME + endsAtMs;
  return rules.find((rule) => isToCome(rule) && matchesPod(rule, pod, restarts)) ?? DEFAULT_PROGRAM;
}

/** A program that stops within a second of the signal. */
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
