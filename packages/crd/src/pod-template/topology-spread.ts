import { duplicate, invalid, required } from "@jobset-ts/api/errors";
import type { JsonObject } from "@jobset-ts/api/kubernetes";
import { choiceErrors, type FoundErrors } from "../found-errors.ts";
import { elementsIn, integerIn, objectIn, optionalTextIn, textIn } from "../members-of.ts";
import { labelSelectorErrors } from "../selectors.ts";
import { labelKeyErrors } from "./affinity.ts";

/** Yields the errors in the topology spread constraints of a Pod. */
export function* topologySpreadErrors(spec: JsonObject, field: string): FoundErrors {
  const constraints = elementsIn(spec, "topologySpreadConstraints", field);
  const remaining = countPairs(constraints.map(([constraint]) => constraint));
  for (const [constraint, path] of constraints) {
    const whenUnsatisfiable = textIn(constraint, "whenUnsatisfiable");
    yield* positiveErrors(`${path}.maxSkew`, integerIn(constraint, "maxSkew") ?? 0);
    if (textIn(constraint, "topologyKey") === "") {
      yield required(`${path}.topologyKey`, "can not be empty");
    }
    yield* choiceErrors(`${path}.whenUnsatisfiable`, whenUnsatisfiable, [
      "DoNotSchedule",
      "ScheduleAnyway",
    ]);
    const pair = formatUniqueKey(constraint);
    const later = (remaining.get(pair) ?? 1) - 1;
    remaining.set(pair, later);
    if (later > 0) yield duplicate(`${path}.{topologyKey, whenUnsatisfiable}`, pair);
    yield* minDomainsErrors(constraint, path);
    for (const name of ["nodeAffinityPolicy", "nodeTaintsPolicy"]) {
      const policy = optionalTextIn(constraint, name);
      if (policy !== undefined) {
        yield* choiceErrors(`${path}.${name}`, policy, ["Honor", "Ignore"]);
      }
    }
    yield* labelKeyErrors(withoutMismatchKeys(constraint), path);
    yield* labelSelectorErrors(objectIn(constraint, "labelSelector"), `${path}.labelSelector`);
  }
}

function countPairs(constraints: readonly JsonObject[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const pair of constraints.map(formatUniqueKey))
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  return counts;
}

/** Returns the members that no two constraints may share, as the message shows them. */
function formatUniqueKey(constraint: JsonObject): string {
  return `{${textIn(constraint, "topologyKey")}, ${textIn(constraint, "whenUnsatisfiable")}}`;
}

function* positiveErrors(field: string, value: number): FoundErrors {
  if (value <= 0) yield invalid(field, value, "must be greater than zero");
}

function* minDomainsErrors(constraint: JsonObject, path: string): FoundErrors {
  const minDomains = integerIn(constraint, "minDomains");
  const whenUnsatisfiable = textIn(constraint, "whenUnsatisfiable");
  if (minDomains === undefined) return;
  yield* positiveErrors(`${path}.minDomains`, minDomains);
  if (whenUnsatisfiable !== "DoNotSchedule") {
    const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`;
    yield invalid(`${path}.minDomains`, minDomains, detail);
  }
}

function withoutMismatchKeys({ mismatchLabelKeys: _, ...constraint }: JsonObject): JsonObject {
  return constraint;
}
