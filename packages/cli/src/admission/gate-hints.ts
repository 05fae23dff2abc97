import { admitJobSet, type Denial, type WebhookRequest } from "@jobset-ts/admission";
import type { FeatureGates } from "@jobset-ts/api";
import { NO_FIELD } from "@jobset-ts/api/errors";
import type { Snapshot } from "@jobset-ts/core";
import type { InputObject } from "../input/objects.ts";
import type { Behavior, FeatureGateName } from "../jobset-version/behavior.ts";
import type { Diagnostic } from "../output/diagnostics.ts";

/** Errors by a text that identifies each of them. */
type ErrorsById<Item> = ReadonlyMap<string, Item>;

/**
 * Returns the disabled gates that cause an error: if the gate is enabled, the error disappears.
 *
 * @param errorsUnder - returns the errors under other gates
 * @returns each gate with the first error that it causes
 */
export function findGatesBehind<Item>(
  errors: ErrorsById<Item>,
  { features, gates }: Pick<Behavior, "features" | "gates">,
  errorsUnder: (features: FeatureGates) => ErrorsById<Item>,
): readonly (readonly [gate: FeatureGateName, error: Item])[] {
  if (errors.size === 0) return [];
  const disabled = gates.filter((gate) => !features.has(gate));
  return disabled.flatMap((gate) => {
    const others = errorsUnder(new Set([...features, gate]));
    const fixed = [...errors].find(([error]) => !others.has(error));
    return fixed === undefined ? [] : [[gate, fixed[1]] as const];
  });
}

/** Returns a hint that says how to enable a disabled gate. */
export function formatGateHint(gate: FeatureGateName): string {
  return `the feature gate ${gate} is disabled; use --feature-gates ${gate}=true to enable it`;
}

/** Names the disabled gates that cause JobSet's webhook to deny a JobSet. */
export function listGateHints(
  answer: AdmissionResult,
  request: WebhookRequest,
  snapshot: Snapshot,
  context: Behavior,
  diagnose: InputObject["diagnose"],
): readonly Diagnostic[] {
  const isDeniedUnder = (features: FeatureGates) =>
    listDeniedFields(admitJobSet(request, snapshot, { ...context, features }));
  return findGatesBehind(listDeniedFields(answer), context, isDeniedUnder).map(([gate, field]) =>
    diagnose(field === NO_FIELD ? "" : field, formatGateHint(gate), "note"),
  );
}

type AdmissionResult =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly stage: string; readonly denial: Denial };

/**
 * Returns the denied fields by rule and field. The API server rejects before it calls the webhook and does not know
 * JobSet's gates.
 */
function listDeniedFields(answer: AdmissionResult): ErrorsById<string> {
  if (answer.allowed || answer.stage !== "validate") return new Map();
  return new Map(
    answer.denial.roots.map(({ id, fieldError: { field } = { field: NO_FIELD } }) => [
      `${id} ${field}`,
      field,
    ]),
  );
}
