import type { Effect, Plan, Step } from "@jobset-ts/core";
import type { FilesAndCluster } from "../live/kubectl.ts";
import type { CommandResult } from "../output/command-result.ts";
import { foldRows } from "../output/fold-rows.ts";
import { formatReport } from "../output/report.ts";
import { type Cell, formatTable } from "../output/table.ts";
import { type ClusterOptions, type PlannedJobSet, planJobSets } from "./cluster/plan-jobsets.ts";

/** Prints the next actions of the controller for every JobSet of a cluster dump, with reasons. */
export async function plan(
  options: ClusterOptions,
  files: FilesAndCluster,
): Promise<CommandResult> {
  const { planned, diagnostics, exitCode } = await planJobSets(options, files);
  const items = planned.map((one) => one.plan);
  const table = formatTable(headings, foldRows(formatRows(planned)));
  return formatReport({ items, table, diagnostics, exitCode }, options.output);
}

const headings = ["JOBSET", "PHASE", "ACTION", "OBJECT", "WHY"];

function* formatRows(
  planned: readonly PlannedJobSet[],
): Generator<readonly Cell[], void, undefined> {
  for (const { jobSet, plan } of planned) {
    let any = false;
    for (const [phase, action, object, why] of listActions(plan)) {
      any = true;
      yield [jobSet, phase, action, object, why];
    }
    if (!any) yield [jobSet, undefined, "none", undefined, "nothing to do"];
  }
}

type Row = readonly [phase: string, action: string, object: Cell, why: string];

/** Yields the actions of a plan in order, and decisions without an action. */
function* listActions(plan: Plan): Generator<Row, void, undefined> {
  const isWrite = ({ phase }: Step) => phase === "write-status";
  yield* listEffects(plan.steps.filter((step) => !isWrite(step)));
  // A rule that creates a step makes no decision without a step.
  const carriedOut = new Set(plan.steps.map(({ phase, rule }) => `${phase}/${rule}`));
  for (const { phase, rule, object, message } of plan.decisions) {
    if (carriedOut.has(`${phase}/${rule}`)) continue;
    yield [phase, rule, `${object.kind}/${object.name}`, message];
  }
  yield* listEffects(plan.steps.filter(isWrite));
  for (const { type, reason, message } of plan.events) {
    yield ["write-status", "emit", `${type} ${reason}`, message];
  }
  if (plan.requeueAfterSeconds !== undefined) {
    const why = `reconcile again in ${plan.requeueAfterSeconds} s`;
    yield ["requeue", "wait", `JobSet/${plan.jobSet.name}`, why];
  }
}

function* listEffects(steps: readonly Step[]): Generator<Row, void, undefined> {
  for (const { phase, effects, message } of steps) {
    for (const effect of effects) yield [phase, effect.verb, formatTarget(effect), message];
  }
}

function formatTarget({ target: { kind, name } }: Effect): string {
  return `${kind}/${name}`;
}
