import type { JobSet, Unvalidated } from "@jobset-ts/api";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import {
  createContext,
  createSnapshot,
  type Plan,
  type Quirks,
  reconcile,
  type Snapshot,
} from "@jobset-ts/core";
import { executeRecordedPlan } from "./execute-recorded-plan.ts";
import type { Family, ReplayContext, ReplayResult } from "./family.ts";
import { readRecordedInput } from "./recorded-input.ts";
import { type Fault, RecordingServer } from "./recording-server.ts";
import { replayWithQuirks } from "./replay-with-quirks.ts";

interface Input {
  readonly jobset: Unvalidated<JobSet>;
  readonly jobs: readonly Unvalidated<KubernetesObject>[];
  readonly services?: readonly Unvalidated<KubernetesObject>[];
  readonly persistentVolumeClaims?: readonly Unvalidated<KubernetesObject>[];
  readonly pods?: readonly Unvalidated<KubernetesObject>[];
  readonly features?: Readonly<Record<string, boolean>>;
  readonly faults?: readonly Fault[];
  readonly now: string;
}

/** Replays one pass over a JobSet, executed against a server that responds like the recorded one. */
export const reconcileFamily: Family = { family: "reconcile", replay };

/** Replays one pass whose requests fail. */
export const reconcileFaults: Family = { family: "reconcile.faults", replay };

function replay(recorded: unknown, { quirks }: ReplayContext): ReplayResult {
  const input = readRecordedInput<Input>(recorded, ["jobset", "jobs", "now"]);
  return replayWithQuirks(quirks, (under) => computeOutput(input, under));
}

function computeOutput(input: Input, under: Quirks): unknown {
  const { jobset, jobs, services = [], persistentVolumeClaims = [], faults = [] } = input;
  const server = new RecordingServer([...jobs, ...services, ...persistentVolumeClaims], faults);
  const fault = server.getFault("get", "JobSet", jobset.metadata?.name ?? "");
  if (fault !== undefined) {
    const error = fault.reason === "NotFound" ? {} : { error: fault.message };
    return { effects: [], events: [], ...error };
  }
  const { now, features } = input;
  const context = createContext({ now, features, quirks: under });
  return executeAndRecord(reconcile(readSnapshot(input, server), jobset, context), server);
}

/**
 * Returns the content of upstream's caches. Upstream creates PersistentVolumeClaims without reading them, so the
 * snapshot has none, and the server reports the existing ones.
 */
function readSnapshot(
  { jobs, services = [], pods = [] }: Input,
  server: RecordingServer,
): Snapshot {
  const errors = {
    Job: server.getFault("list", "Job", "")?.message,
    Service: server.getFault("get", "Service", undefined)?.message,
    Pod: server.getFault("list", "Pod", "")?.message,
  };
  const readErrors = Object.fromEntries(
    Object.entries(errors).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return createSnapshot([...jobs, ...services, ...pods], { kinds: "all", readErrors });
}

function executeAndRecord(plan: Plan, server: RecordingServer): unknown {
  const { outcome, events } = executeRecordedPlan(plan, server);
  const { effects } = server;
  const status = server.wroteStatus ? { status: plan.status } : {};
  const { metrics } = outcome;
  const counted = metrics.length > 0 ? { metrics: metrics.map(({ name }) => name) } : {};
  const done = { effects, ...status, events: [...events, ...(outcome.ok ? outcome.events : [])] };
  if (!outcome.ok) {
    // Releases that ignore errors of the status write requeue the JobSet after a conflict.
    const isRequeued = outcome.conflict && plan.steps.at(-1)?.onError === "Ignore";
    return {
      ...done,
      ...counted,
      ...(isRequeued ? { requeue: true } : { error: outcome.message }),
    };
  }
  const { requeueAfterSeconds } = outcome;
  return { ...done, ...counted, ...(requeueAfterSeconds !== undefined && { requeueAfterSeconds }) };
}
