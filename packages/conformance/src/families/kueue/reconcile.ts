import { type JobSet, parseTime, type Unvalidated } from "@jobset-ts/api";
import { getName } from "@jobset-ts/api/kubernetes";
import {
  type KueueCluster,
  type KueueContext,
  type KueueEffect,
  type KueueFeatureGates,
  reconcileKueue,
} from "@jobset-ts/kueue";
import { ensureOneWorkload } from "../../../../kueue/src/reconcile/ensure-one.ts";
import type { Family } from "../family.ts";
import {
  fromRecordedConfig,
  type KueueInput,
  kueueFamily,
  type RecordedConfig,
  toRecordedEvents,
} from "./kueue-family.ts";

interface EnsureOneInput extends KueueInput, KueueCluster {
  readonly jobSet: Unvalidated<JobSet>;
  readonly config: RecordedConfig;
  readonly now: string;
}

interface ReconcileInput extends KueueInput, KueueCluster {
  readonly jobSet?: Unvalidated<JobSet>;
  /** The key of the requested JobSet, if it does not exist. */
  readonly request?: { readonly namespace: string; readonly name: string };
  readonly config: RecordedConfig;
  readonly now: string;
}

/** Families for Kueue's reconcile of one JobSet. */
export const reconcileFamilies: readonly Family[] = [
  kueueFamily<EnsureOneInput>("ensureOne", ["jobSet", "config", "now"], (input, features) => {
    const { jobSet } = input;
    const ensured = ensureOneWorkload(jobSet, input, createScenarioContext(input, features));
    return {
      match: ensured.workload && getName(ensured.workload),
      effects: ensured.effects.map(toRecordedEffect),
      events: toRecordedEvents(ensured.events, getName(jobSet)),
      error: ensured.refusal?.message,
    };
  }),
  kueueFamily<ReconcileInput>("reconcile", ["config", "now"], (input, features) => {
    const { jobSet } = input;
    const { namespace = "", name = "" } = jobSet?.metadata ?? input.request ?? {};
    const pass = reconcileKueue(
      { namespace, name, jobSet },
      input,
      createScenarioContext(input, features),
    );
    return {
      effects: pass.effects.map(toRecordedEffect),
      events: toRecordedEvents(pass.events, name),
      error: pass.refusal?.message,
    };
  }),
];

function createScenarioContext(
  { config, now }: Pick<EnsureOneInput, "config" | "now">,
  features: KueueFeatureGates,
): KueueContext {
  return { now: parseTime(now) ?? 0, config: fromRecordedConfig(config), features };
}

/** Keeps only the metadata that a client may change. */
function toRecordedEffect({ target, ...effect }: KueueEffect): unknown {
  const { kind, name } = target;
  if (!("metadata" in effect)) return { ...effect, kind, name };
  const { labels, annotations, finalizers, ownerReferences } = effect.metadata ?? {};
  const metadata = { labels, annotations, finalizers, ownerReferences };
  return { ...effect, metadata, kind, name };
}
