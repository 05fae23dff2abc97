import { admitJobSet, type Denial, type WebhookRequest } from "@jobset-ts/admission";
import { type FeatureGates, featureGates } from "@jobset-ts/api";
import { NO_FIELD } from "@jobset-ts/api/errors";
import type { Context, Snapshot } from "@jobset-ts/core";
import type { InputObject } from "../input/objects.ts";
import type { Diagnostic } from "../output/diagnostics.ts";

type Gate = keyof typeof featureGates;

/** Errors by a text that identifies each of them. */
type Complaints<Complaint> = ReadonlyMap<string, Complaint>;

/**
 * Returns the disabled gates that cause an error: if the gate is enabled, the error disappears.
 *
 * @param complaintsUnder - returns the errors under other gates
 * @returns each gate with the first error that it causes
 */
export function findGatesBehind<Complaint>(
  complaints: Complaints<Complaint>,
  features: FeatureGates,
  complaintsUnder: (features: FeatureGates) => Complaints<Complaint>,
): readonly (readonly [gate: Gate, complaint: Complaint])[] {
  if (complaints.size === 0) return [];
  const off = (Object.keys(featureGates) as Gate[]).filter((gate) => !features.has(gate));
  return off.flatMap((gate) => {
    const others = complaintsUnder(new Set([...features, gate]));
    const gone = [...complaints].find(([complaint]) => !others.has(complaint));
    return gone === undefined ? [] : [[gate, gone[1]] as const];
  });
}

/** Returns a hint that says how to enable a disabled gate. */
export function formatGateHint(gate: Gate): string {
  return `the feature gate ${gate} is disabled; use --feature-gates ${gate}=true to enable it`;
}

/** Names the disabled gates that cause JobSet's webhook to deny a JobSet. */
export function listGateHints(
  answer: AdmissionResult,
  request: WebhookRequest,
  snapshot: Snapshot,
  context: Pick<Context, "features" | "quirks">,
  diagnose: InputObject["diagnose"],
): readonly Diagnostic[] {
  const refusedUnder = (features: FeatureGates) =>
    listDeniedFields(admitJobSet(request, snapshot, { ...context, features }));
  return findGatesBehind(listDeniedFields(answer), context.features, refusedUnder).map(
    ([gate, field]) => diagnose(field === NO_FIELD ? "" : field, formatGateHint(gate), "note"),
  );
}

type AdmissionResult =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly stage: string; readonly denial: Denial };

/**
 * Returns the denied fields by rule and field. The API server rejects before it calls the webhook and does not know
 * JobSet's gates.
 */
function listDeniedFields(answer: AdmissionResult): Complaints<string> {
  if (answer.allowed || answer.stage !== "validate") return new Map();
  return new Map(
    answer.denial.roots.map(({ id, fieldError: { field } = { field: NO_FIELD } }) => [
      `${id} ${field}`,
      field,
    ]),
  );
}
