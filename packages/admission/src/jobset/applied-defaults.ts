import { fieldPath, type PathStep } from "@jobset-ts/api/errors";
import { isObject } from "@jobset-ts/api/kubernetes";
import type { AdmissionDecision } from "../webhook-shape.ts";

/** Who fills in what is left open. */
export type DefaultRule = "SchemaDefault" | "WebhookDefault";

/**
 * What was filled into an object, a decision for each member.
 *
 * @param before - the object as it was
 * @param after - the same object with its defaults; what had none to fill in is shared with it
 * @example appliedDefaults({ spec: {} }, { spec: { suspend: false } }, "SchemaDefault")[0].message // => "spec.suspend is absent and becomes false"
 */
export function appliedDefaults(
  before: unknown,
  after: unknown,
  rule: DefaultRule,
): readonly AdmissionDecision[] {
  const found: AdmissionDecision[] = [];
  if (before !== after) compare(before, after, { path: [], rule, found });
  return found;
}

interface Place {
  readonly path: readonly PathStep[];
  readonly rule: DefaultRule;
  readonly found: AdmissionDecision[];
}

/** Nothing that has a default lies deeper. */
const MAX_DEPTH = 64;

/** Of two that are not one and the same. */
function compare(before: unknown, after: unknown, place: Place): void {
  if (place.path.length > MAX_DEPTH) return;
  if (Array.isArray(before) && Array.isArray(after)) {
    for (const [index, element] of after.entries()) {
      if (before[index] !== element) compare(before[index], element, below(place, index));
    }
  } else if (isObject(before) && isObject(after)) {
    const members = before as Readonly<Record<string, unknown>>;
    for (const [name, member] of Object.entries(after)) {
      const given = Object.hasOwn(members, name) ? members[name] : undefined;
      if (given !== member) compare(given, member, below(place, name));
    }
  } else if (before === undefined || before === null || before === "") {
    const { path, rule, found } = place;
    const gap = before === "" ? "empty" : "absent";
    const message = `${fieldPath(path)} is ${gap} and becomes ${JSON.stringify(after)}`;
    found.push({ rule, message });
  }
}

function below({ path, ...place }: Place, step: PathStep): Place {
  return { ...place, path: [...path, step] };
}
