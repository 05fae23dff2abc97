import { admitJobSet, type Denial, type WebhookRequest } from "@jobset-ts/admission";
import { type FeatureGates, featureGates } from "@jobset-ts/api";
import { NO_FIELD } from "@jobset-ts/api/errors";
import type { Context, Snapshot } from "@jobset-ts/core";
import type { InputObject } from "../input/objects.ts";
import type { Diagnostic } from "../output/diagnostics.ts";

type Gate = keyof typeof featureGates;

/** Complaints by a text that identifies each of them. */
type Complaints<Complaint> = ReadonlyMap<string, Complaint>;

/**
 * The gates that are off and behind a complaint: with the gate on, it is gone.
 *
 * @param complaintsUnder - what is complained of under other gates
 * @returns each gate with the first complaint that it is behind
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

/** How a gate that is off is switched on. */
export function formatGateHint(gate: Gate): string {
  return `the feature gate ${gate} is off; --feature-gates ${gate}=true switches it on`;
}

/** Names the gates that are off and for which JobSet's webhook refuses a JobSet. */
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

/** By rule and field. The API server, which rejects before it calls the webhook, does not know JobSet's gates. */
function listDeniedFields(answer: AdmissionResult): Complaints<string> {
  if (answer.allowed || answer.stage !== "validate") return new Map();
  return new Map(
    answer.denial.roots.map(({ id, fieldError: { field } = { field: NO_FIELD } }) => [
      `${id} ${field}`,
      field,
    ]),
  );
}
