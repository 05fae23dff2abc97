import { getControllerOf, getNamespace } from "@jobset-ts/api/kubernetes";
import { createRedactor } from "@jobset-ts/api/redaction";
import type { ManagerMemory } from "../jobset-controller/manager-memory.ts";
import type { StepResult } from "../kernel/advance.ts";
import { START_TIME } from "../kernel/cluster.ts";
import { type Change, getChangedObject } from "../kernel/component.ts";
import type { WorkloadRule } from "../kubelet/workload.ts";
import { type Fault, faultText } from "../scenario/fault.ts";
import { MANAGERS } from "../scenario/interventions.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { type SimulationResult, simulate } from "../scenario/simulate.ts";
import type { SimulationOptions } from "../scenario/simulation-options.ts";
import { FaultWatch, noTargetNote } from "./fault-watch.ts";
import { createHistory, createViolationEntry, type HistoryEntry, isAction } from "./history.ts";
import { stateText } from "./object-state.ts";

/** The complete record of a run, from which all views are made. Times are milliseconds since its start. */
export interface Trace {
  readonly seed: number;
  readonly endsAt: number;
  /** Whether nothing was left to do at the end. */
  readonly isIdle: boolean;
  /** The time of the next event; until then nothing changes. Undefined if nothing was left to do. */
  readonly nextAt?: number;
  /** In order of time. Violations follow all others. */
  readonly entries: readonly HistoryEntry[];
  /** JobSets, each with its Jobs, each with its Pods; then the nodes. */
  readonly rows: readonly TraceRow[];
}

/** The states of one object over time. Successive objects with one name share a row. */
export interface TraceRow {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** The number of owners above it. */
  readonly depth: number;
  readonly spans: readonly TraceSpan[];
  /** When the last object with this name was deleted. Undefined if it exists at the end. */
  readonly goneAt?: number;
  /** Indexes of the entries about it that change no state: Events, rejections and user changes. */
  readonly marks: readonly number[];
}

/** The time in which an object has one state. */
export interface TraceSpan {
  readonly from: number;
  readonly until: number;
  readonly state: string;
  /** The index of the entry that caused it. */
  readonly entry: number;
}

/** The options of a simulation, and the texts that describe it. */
export interface TraceOptions extends SimulationOptions {
  /** Returns the description of a rule with timed failures. Default: as in `train-workers-1 fails`. */
  readonly failureText?: (rule: WorkloadRule) => string;
}

/**
 * Plays a scenario and records everything that happens. If the run continues after violations, only the first one of
 * each law is recorded.
 *
 * @example recordTrace(randomScenario(1)).trace.seed // => 1
 */
export function recordTrace(
  scenario: Scenario,
  settings: TraceOptions = {},
): { readonly trace: Trace; readonly result: SimulationResult } {
  const entries: HistoryEntry[] = [];
  const rows = new Map<string, GrowingRow>();
  const pending: TimedEntry[] = [
    ...listTimedFaults(scenario),
    ...listTimedFailures(scenario, settings.failureText ?? failureText),
    ...listUpgrades(settings),
  ].sort((one, other) => one.entry.at - other.entry.at);
  const activeFaults: { readonly place: number; readonly fault: Fault }[] = [];
  const watch = new FaultWatch(scenario.faults);
  let requestCount = 0;
  const simulated = simulate(scenario, {
    ...settings,
    onTurn: (turn) => {
      settings.onTurn?.(turn);
      const now = turn.cluster.now - START_TIME;
      watch.onTurn(turn);
      while (pending[0] !== undefined && pending[0].entry.at <= now) {
        for (const { entry, begins } of pending.splice(0, 1)) {
          const place = entries.push(entry) - 1;
          if (begins !== undefined) activeFaults.push({ place, fault: begins });
        }
      }
      const sent = Math.max(...MANAGERS.map((name) => listRequests(turn, name)));
      if (sent > requestCount)
        entries.push(...listRequestsFaults(scenario, requestCount, sent, now));
      requestCount = sent;
      recordEntries(turn, entries, rows);
    },
  });
  const result = settings.continueAfterViolation ? withFirstViolations(simulated) : simulated;
  for (const { place, fault } of activeFaults) {
    const [entry, why] = [entries[place], noTargetNote(fault)];
    if (entry === undefined || why === undefined || !watch.hadNoTarget(fault)) continue;
    entries[place] = { ...entry, text: `${entry.text}: ${why}`, hadNoTarget: true };
  }
  const endsAt = result.end.now - START_TIME;
  const { redactObject, redactText } = createRedactor();
  if (result.violations.length > 0) redactObject(scenario.objects);
  const broken = result.violations.map(createViolationEntry);
  entries.push(...broken.map((entry) => ({ ...entry, text: redactText(entry.text) })));
  const { seed } = scenario;
  const next = result.end.turns.first;
  const trace = {
    seed,
    endsAt,
    isIdle: result.isIdle,
    ...(next !== undefined && { nextAt: next.at - START_TIME }),
    entries,
    rows: sortRows(rows, endsAt),
  };
  return { trace, result };
}

/** Keeps the first violation of each law. A run that continues can violate the same law at every turn. */
function withFirstViolations(result: SimulationResult): SimulationResult {
  const first = new Map(result.violations.toReversed().map((one) => [one.law, one]));
  return { ...result, violations: result.violations.filter((one) => first.get(one.law) === one) };
}

function listRequests({ cluster }: StepResult, manager: string): number {
  return (cluster.memories.get(manager) as ManagerMemory | undefined)?.requestCount ?? 0;
}

interface GrowingRow extends TraceRow {
  readonly owner: string | undefined;
  readonly spans: { from: number; until: number; state: string; entry: number }[];
  readonly marks: number[];
  isThere: boolean;
}

const SHOWN_KINDS: ReadonlySet<string> = new Set(["JobSet", "Job", "Pod", "Node"]);

function recordEntries(
  turn: StepResult,
  entries: HistoryEntry[],
  rows: Map<string, GrowingRow>,
): void {
  const news = createHistory(turn);
  // A history lists all changes of a turn first, in the same order.
  news.forEach((entry, index) => {
    const place = entries.push(entry) - 1;
    const change = turn.changes[index];
    if (change !== undefined) keepChange(change, entry, place, rows);
    else rows.get(entryKey(entry))?.marks.push(place);
  });
}

function keepChange(
  change: Change,
  entry: HistoryEntry,
  place: number,
  rows: Map<string, GrowingRow>,
): void {
  const { kind, namespace, name, at } = entry;
  if (!SHOWN_KINDS.has(kind)) return;
  const key = entryKey(entry);
  const row = rows.get(key) ?? {
    kind,
    namespace,
    name,
    owner: getOwnerKey(change),
    depth: 0,
    spans: [],
    marks: [],
    isThere: false,
  };
  rows.set(key, row);
  const last = row.isThere ? row.spans.at(-1) : undefined;
  const state = change.after === undefined ? undefined : stateText(change.after);
  if (last !== undefined && last.state === state) {
    // User actions would otherwise be invisible.
    if (isAction(entry)) row.marks.push(place);
    return;
  }
  if (last !== undefined) last.until = at;
  row.isThere = state !== undefined;
  if (state !== undefined) row.spans.push({ from: at, until: at, state, entry: place });
}

function entryKey({ kind, namespace, name }: Pick<HistoryEntry, "kind" | "namespace" | "name">) {
  return `${kind}/${namespace}/${name}`;
}

function getOwnerKey(change: Change): string | undefined {
  const object = getChangedObject(change);
  const { kind = "", name = "" } = getControllerOf(object) ?? {};
  return kind === "" ? undefined : entryKey({ kind, namespace: getNamespace(object), name });
}

/** Sorts owners before their objects, otherwise by creation, and nodes last. */
function sortRows(rows: ReadonlyMap<string, GrowingRow>, endsAt: number): readonly TraceRow[] {
  const children = new Map<string | undefined, [string, GrowingRow][]>();
  for (const [key, row] of rows) {
    const owner = row.owner !== undefined && rows.has(row.owner) ? row.owner : undefined;
    const siblings = children.get(owner) ?? [];
    siblings.push([key, row]);
    children.set(owner, siblings);
  }
  const listRowsBelow = (owner: string | undefined, depth: number): TraceRow[] =>
    (children.get(owner) ?? []).flatMap(([key, { isThere, owner: _, ...row }]) => {
      const last = row.spans.at(-1);
      if (isThere && last !== undefined) last.until = endsAt;
      const gone = isThere || last === undefined ? {} : { goneAt: last.until };
      return [{ ...row, ...gone, depth }, ...listRowsBelow(key, depth + 1)];
    });
  const all = listRowsBelow(undefined, 0);
  return [
    ...all.filter(({ kind }) => kind !== "Node"),
    ...all.filter(({ kind }) => kind === "Node"),
  ];
}

/** An entry whose time is known in advance. */
interface TimedEntry {
  readonly entry: HistoryEntry;
  /** The fault that starts with it. */
  readonly begins?: Fault;
}

/** Returns the start and end of faults that have a duration. */
function listTimedFaults({ faults }: Scenario): readonly TimedEntry[] {
  return faults.flatMap((fault): readonly TimedEntry[] => {
    if ("request" in fault) return [];
    const { fault: name } = fault;
    const text = faultText(fault);
    const at = "from" in fault ? fault.from : "at" in fault ? fault.at : 0;
    const begin = { entry: faultEntry(at, name, text), begins: fault };
    if (!("until" in fault)) return [begin];
    return [begin, { entry: faultEntry(fault.until, name, `over: ${text}`) }];
  });
}

/** Returns when containers fail at a requested time. */
function listTimedFailures(
  { workload }: Scenario,
  textOf: (rule: WorkloadRule) => string,
): readonly TimedEntry[] {
  return workload.flatMap((rule) => {
    const { endsAtMs, exitCode = 0 } = rule;
    if (endsAtMs === undefined || exitCode === 0) return [];
    return [{ entry: faultEntry(endsAtMs, POD_FAILURE, textOf(rule)) }];
  });
}

/** Returns when JobSet is replaced by another version. */
function listUpgrades({ upgrade }: SimulationOptions): readonly TimedEntry[] {
  if (upgrade === undefined) return [];
  const text = `upgrade of JobSet to ${upgrade.version}`;
  return [{ entry: faultEntry(upgrade.at, UPGRADE, text) }];
}

function failureText({ job, replicatedJob, jobIndex }: WorkloadRule): string {
  if (job !== undefined) return `${job} fails`;
  if (replicatedJob === undefined) {
    return jobIndex === undefined ? "Pods fail" : `Pods of job index ${jobIndex} fail`;
  }
  return jobIndex === undefined
    ? `Pods of ${replicatedJob} fail`
    : `${replicatedJob}-${jobIndex} fails`;
}

function listRequestsFaults(
  { faults }: Scenario,
  before: number,
  sent: number,
  now: number,
): readonly HistoryEntry[] {
  return faults.flatMap((fault) =>
    "request" in fault && fault.request > before && fault.request <= sent
      ? [faultEntry(now, fault.fault, faultText(fault))]
      : [],
  );
}

/** The name of requested failures among the faults. */
export const POD_FAILURE = "PodFailure";

/** The name of an upgrade of JobSet among the faults. */
export const UPGRADE = "Upgrade";

function faultEntry(at: number, name: string, text: string): HistoryEntry {
  return { at, actor: "", what: "Fault", kind: "", namespace: "", name, text };
}
