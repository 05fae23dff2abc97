import { fieldPath, type PathStep } from "@jobset-ts/api/errors";
import { isObject } from "@jobset-ts/api/kubernetes";
import type { AdmissionDecision } from "../webhook-shape.ts";

/** The source of a default. */
export type DefaultRule = "SchemaDefault" | "WebhookDefault";

/**
 * Returns one decision for each member that a default filled in.
 *
 * @param before - the object as it was
 * @param after - the same object with its defaults; what had none to fill in is shared with it
 * @example listAppliedDefaults({ spec: {} }, { spec: { suspend: false } }, "SchemaDefault")[0].message // => "spec.suspend is absent and becomes false"
 */
export function listAppliedDefaults(
  before: unknown,
  after: unknown,
  rule: DefaultRule,
): readonly AdmissionDecision[] {
  const found: AdmissionDecision[] = [];
  // All values share one path object, because few of them are reported.
  const path: PathStep[] = [];
  const compareAt = (step: PathStep, original: unknown, member: unknown): void => {
    path.push(step);
    compare(original, member);
    path.pop();
  };

  /** Compares two different values. */
  function compare(original: unknown, filled: unknown): void {
    if (path.length > MAX_DEPTH) return;
    if (Array.isArray(original) && Array.isArray(filled)) {
      for (let index = 0; index < filled.length; index++) {
        if (original[index] !== filled[index]) compareAt(index, original[index], filled[index]);
      }
    } else if (isObject(original) && isObject(filled)) {
      for (const name of Object.keys(filled)) {
        const own = Object.hasOwn(original, name) ? original[name] : undefined;
        if (own !== filled[name]) compareAt(name, own, filled[name]);
      }
    } else if (original === undefined || original === null || original === "") {
      const gap = original === "" ? "empty" : "absent";
      const message = `${fieldPath(path)} is ${gap} and becomes ${JSON.stringify(filled)}`;
      found.push({ rule, message });
    }
  }

  if (before !== after) compare(before, after);
  return found;
}

/** No default is nested more deeply. */
const MAX_DEPTH = 64;
