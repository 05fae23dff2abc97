import { type JobSet, jobName, type Unvalidated } from "@jobset-ts/api";
import { JOBSET_CONTROLLER_NAME } from "@jobset-ts/api/keys";
import { asArray, asRecord } from "@jobset-ts/api/kubernetes";
import { suggestName } from "@jobset-ts/api/text";
import { indexedReplicatedJobs } from "@jobset-ts/core/desired";
import { QUEUE_NAME_KEY } from "@jobset-ts/kueue";
import {
  type Scenario,
  type SimulationOptions,
  type SimulationResult,
  scenarioForJobSets,
} from "@jobset-ts/sim";
import { recordTrace, type TraceOptions } from "@jobset-ts/sim/history";
import type { StepResult } from "@jobset-ts/sim/kernel";
import { admitJobSets } from "../admission/admit-jobsets.ts";
import type { FieldValidation } from "../admission/field-validation.ts";
import type { FileOptions } from "../input/cluster.ts";
import { getNames } from "../input/jobset-selector.ts";
import type { Files } from "../input/sources.ts";
import { type BehaviorOptions, resolveBehavior } from "../jobset-version/behavior.ts";
import type { CommandResult } from "../output/command-result.ts";
import type { Diagnostic } from "../output/diagnostics.ts";
import type { Progress } from "../output/progress.ts";
import { chooseTraceFormat, formatTrace, type TraceFormat } from "../output/trace.ts";
import { suggestJobs } from "./simulation/job-failure.ts";
import { reportRejectedChildren } from "./simulation/rejected-children.ts";
import { explainStuckJobSets } from "./simulation/stuck-jobsets.ts";
import { FailureWatch, type TimedFailure } from "./simulation/timed-failures.ts";
import {
  createSimulatedUpgrade,
  type TimedUpgrade,
  toSimulationOptions,
} from "./simulation/upgrade.ts";
import { toSeconds } from "./simulation/virtual-time.ts";

/** The options of `simulate`. */
export interface SimulateOptions extends FileOptions, BehaviorOptions {
  readonly output: TraceFormat;
  /** Whether to print a summary instead of the timeline. */
  readonly summary?: boolean;
  readonly nodes?: number;
  readonly fail?: readonly TimedFailure[];
  readonly seed: number;
  readonly validate: FieldValidation;
  /** An upgrade during the run. The run starts with its old version. */
  readonly upgrade?: TimedUpgrade;
}

/** Simulates JobSets on a new cluster, and prints the run. */
export async function simulate(settings: SimulateOptions, files: Files): Promise<CommandResult> {
  const { upgrade } = settings;
  const options = upgrade === undefined ? settings : { ...settings, jobsetVersion: upgrade.from };
  const { fail = [], nodes, seed } = options;
  const behavior = resolveBehavior(options);
  const admitted = await admitJobSets({ ...options, output: "yaml" }, files);
  if (admitted.exitCode !== 0) return { output: [], ...admitted };
  const jobSets = admitted.jobSets.map(({ jobSet }) => jobSet);
  const failures = fail.map((one) => resolveFailure(jobSets, one));
  const unknown = failures.flatMap((one) => ("message" in one ? [one] : []));
  if (unknown.length > 0) return { output: [], diagnostics: unknown, exitCode: 1 };
  const named = failures.flatMap((one) => ("message" in one ? [] : [one]));
  const scenario = scenarioForJobSets(jobSets, {
    seed,
    features: behavior.features,
    ...(nodes !== undefined && { nodes }),
    failures: named,
  });
  const rejected = reportRejectedChildren(admitted.jobSets, scenario, behavior);
  if (rejected.length > 0) return { output: [], diagnostics: rejected, exitCode: 1 };
  const title = `JobSet ${jobSets.map((one) => getNames(one).name).join(", ")}`;
  const notes = jobSets.flatMap((jobSet) => noteSurroundings(jobSet, scenario));
  const diagnostics = [...admitted.diagnostics, ...notes];
  const failureText: TraceOptions["failureText"] = ({ job, endsAtMs }) => {
    const isOne = (one: TimedFailure) => one.job === job && one.at === endsAtMs;
    const failure = fail[failures.findIndex((one) => "job" in one && isOne(one))];
    return `--fail ${failure?.job ?? job}@${Number(endsAtMs) / 1000}s`;
  };
  const watch = new FailureWatch(named);
  const { progress } = files;
  return runScenario(scenario, {
    ...toSimulationOptions(behavior),
    // A release violates some laws, and the user wants to see what happens next.
    continueAfterViolation: options.jobsetVersion !== undefined,
    ...(upgrade !== undefined && createSimulatedUpgrade(upgrade, options)),
    title,
    failureText,
    output: chooseTraceFormat(options),
    diagnostics,
    progress,
    onTurn: (turn) => watch.onTurn(turn),
    failed: () => watch.listMissedFailures(),
  });
}

/** Reports which parts of a JobSet's environment are simulated, and which are not. */
function noteSurroundings(
  jobSet: Unvalidated<JobSet>,
  { objects }: Scenario,
): readonly Diagnostic[] {
  const { suspend, managedBy = JOBSET_CONTROLLER_NAME } = jobSet.spec ?? {};
  const queue = asRecord(jobSet.metadata?.labels)[QUEUE_NAME_KEY] ?? "";
  const labels = listAffinityLabels(
    jobSet,
    objects.filter(({ kind }) => kind === "Node"),
  );
  const createNote = (part: string): Diagnostic => ({
    severity: "note",
    message: `${getNames(jobSet).name} ${part}`,
  });
  return [
    ...(queue === ""
      ? []
      : [createNote(`is in queue ${queue} of a simulated Kueue, which has quota for it`)]),
    ...(suspend === true && queue === ""
      ? [createNote("is suspended, and nothing resumes it")]
      : []),
    ...(managedBy === JOBSET_CONTROLLER_NAME
      ? []
      : [createNote(`is managed by ${managedBy}, which this cluster does not run`)]),
    ...(labels.length === 0
      ? []
      : [createNote(`requires node affinity: nodes have the labels ${labels.join(", ")}`)]),
  ];
}

/** Returns the labels of nodes whose keys the required node affinity of a JobSet's Pods names. */
function listAffinityLabels(
  jobSet: Unvalidated<JobSet>,
  nodes: Scenario["objects"],
): readonly string[] {
  const keys = new Set(
    asArray(jobSet.spec?.replicatedJobs).flatMap((replicatedJob) => {
      const { affinity } = asRecord(replicatedJob?.template?.spec?.template?.spec);
      const required: NodeSelector = asRecord(asRecord(affinity?.nodeAffinity)[REQUIRED]);
      return asArray(required.nodeSelectorTerms).flatMap((term) =>
        asArray(term?.matchExpressions).map((requirement) => requirement?.key),
      );
    }),
  );
  const labels = nodes.flatMap(({ metadata }) => Object.entries(asRecord(metadata?.labels)));
  const named = labels.filter(([key]) => keys.has(key)).map(([key, value]) => `${key}=${value}`);
  return [...new Set(named)];
}

interface NodeSelector {
  readonly nodeSelectorTerms?: readonly {
    readonly matchExpressions?: readonly { readonly key?: string }[];
  }[];
}

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";

/** This many turns take about a tenth of a second. */
const TURNS_BETWEEN_PROGRESS = 1_000;

/** Runs a scenario and prints it. The exit code is 1 if the run violates a law. */
export function runScenario(
  scenario: Scenario,
  {
    title,
    output,
    diagnostics,
    progress,
    law,
    onTurn = () => {},
    failed: reportFailed = () => [],
    ...options
  }: Pick<
    SimulationOptions,
    "quirks" | "schema" | "upgrade" | "steadyStateLaws" | "continueAfterViolation"
  > & {
    readonly title: string;
    readonly failureText?: TraceOptions["failureText"];
    readonly output: TraceFormat;
    readonly diagnostics: readonly Diagnostic[];
    readonly progress: Progress | undefined;
    /** The law that a finding names. */
    readonly law?: string | undefined;
    readonly onTurn?: (turn: StepResult) => void;
    /** User requests that had no effect, although the run violates no law. */
    readonly failed?: () => readonly Diagnostic[];
  },
): CommandResult {
  const events: StepResult["events"][number][] = [];
  let turns = 0;
  const { trace, result } = recordTrace(scenario, {
    ...options,
    onTurn: (turn) => {
      onTurn(turn);
      events.push(...turn.events);
      turns += 1;
      if (turns % TURNS_BETWEEN_PROGRESS === 0) progress?.(formatProgress(turn.cluster));
    },
  });
  const rejections = listRejections(result);
  if (rejections.length > 0) return { output: [], diagnostics: rejections, exitCode: 1 };
  const violations = listViolations(result);
  const satisfiesLaws = violations.length === 0;
  const failed = satisfiesLaws ? reportFailed() : [];
  const finalNotes =
    satisfiesLaws || options.continueAfterViolation
      ? [...reportUnfinished(result), ...explainStuckJobSets(result, events)]
      : [];
  const notes = [...failed, ...finalNotes].map(({ message }) => message);
  return {
    output: formatTrace(trace, { title, notes }, output),
    diagnostics: [
      ...failed,
      ...diagnostics,
      ...violations,
      ...noteOtherViolation(result, law),
      ...finalNotes,
    ],
    exitCode: satisfiesLaws && failed.length === 0 ? 0 : 1,
  };
}

function listRejections({ rejectedRequests }: SimulationResult): readonly Diagnostic[] {
  return rejectedRequests.map(({ request, rejection }) => ({
    severity: "error",
    message: `${request.object.kind} ${request.object.metadata?.name}: ${rejection.message}`,
  }));
}

function listViolations({ violations }: SimulationResult): readonly Diagnostic[] {
  return violations.map(({ law, sentence, message }) => ({
    severity: "error",
    message: `${law}: ${message} (${sentence})`,
  }));
}

function formatProgress({ now, revision }: SimulationResult["end"]): string {
  return `simulated ${toSeconds(now)}, ${revision} changes`;
}

/** Reports that a run violates a different law from the one in the finding. */
function noteOtherViolation(
  { violations }: SimulationResult,
  named: string | undefined,
): readonly Diagnostic[] {
  if (named === undefined || violations.length === 0) return [];
  if (violations.some(({ law }) => law === named)) return [];
  return [
    {
      severity: "note",
      message: `the finding is about the law ${named}, but this run satisfies it`,
    },
  ];
}

/** Reports that a run stopped early, and what the next action would be. */
function reportUnfinished({ isIdle, end, abortReason }: SimulationResult): readonly Diagnostic[] {
  const next = end.turns.first;
  if (isIdle || next === undefined) return [];
  const why = `, because ${abortReason ?? `the simulated time ends at ${toSeconds(end.now)}`}`;
  const message = `the run stopped early${why}: the next step is ${next.component} at ${toSeconds(next.at)}`;
  return [{ severity: "note", message }];
}

/** Finds the Job of a failure by its name, with or without the JobSet's name. */
function resolveFailure(
  jobSets: readonly Unvalidated<JobSet>[],
  { job, at }: TimedFailure,
): TimedFailure | Diagnostic {
  for (const jobSet of jobSets) {
    const { name } = getNames(jobSet);
    for (const replicatedJob of indexedReplicatedJobs(jobSet)) {
      const [, index] = /-(\d{1,9})$/.exec(job) ?? [];
      if (index === undefined || Number(index) >= replicatedJob.replicas) continue;
      const own = jobName(name, replicatedJob.name, Number(index));
      if (job === own || `${name}-${job}` === own) return { job: own, at };
    }
  }
  const [first] = jobSets;
  const example = first === undefined ? undefined : indexedReplicatedJobs(first)[0]?.name;
  const known = jobSets.flatMap((jobSet) => {
    const names = suggestJobs(jobSet, job);
    return [...names.map((name) => name.slice(getNames(jobSet).name.length + 1)), ...names];
  });
  const suggestion = suggestName(job, known) || `; a Job has a name like ${example ?? "workers"}-0`;
  const message = `--fail: no JobSet has a Job "${job}"${suggestion}`;
  return { severity: "error", message };
}
