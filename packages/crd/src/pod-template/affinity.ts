import { forbidden, invalid, required } from "@jobset-ts/api/errors";
import {
  isObject,
  type JsonObject,
  validateDNS1123Label,
  validateQualifiedName,
} from "@jobset-ts/api/kubernetes";
import { type FoundErrors, invalidForEach } from "../found-errors.ts";
import { elementsIn, integerIn, listIn, mapIn, objectIn, textIn, textsIn } from "../members-of.ts";
import { labelSelectorErrors, nodeSelectorTermErrors } from "../selectors.ts";

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

/** Yields the errors in the affinity of a Pod. */
export function* affinityErrors(affinity: JsonObject | undefined, field: string): FoundErrors {
  if (affinity === undefined) return;
  yield* nodeAffinityErrors(mapIn(affinity, "nodeAffinity"), `${field}.nodeAffinity`);
  for (const kind of ["podAffinity", "podAntiAffinity"]) {
    yield* podAffinityErrors(mapIn(affinity, kind), `${field}.${kind}`);
  }
}

function* nodeAffinityErrors(affinity: JsonObject, field: string): FoundErrors {
  const selector = objectIn(affinity, REQUIRED);
  if (selector !== undefined) {
    const path = `${field}.${REQUIRED}`;
    if (listIn(selector, "nodeSelectorTerms").length === 0) {
      yield required(`${path}.nodeSelectorTerms`, "must have at least one node selector term");
    }
    for (const [term, at] of elementsIn(selector, "nodeSelectorTerms", path)) {
      yield* nodeSelectorTermErrors(term, at, true);
    }
  }
  for (const [preferred, path] of elementsIn(affinity, PREFERRED, field)) {
    yield* weightErrors(preferred, path);
    yield* nodeSelectorTermErrors(mapIn(preferred, "preference"), `${path}.preference`, false);
  }
}

function* podAffinityErrors(affinity: JsonObject, field: string): FoundErrors {
  for (const [term, path] of elementsIn(affinity, REQUIRED, field)) {
    yield* podAffinityTermErrors(term, path);
  }
  for (const [weighted, path] of elementsIn(affinity, PREFERRED, field)) {
    yield* weightErrors(weighted, path);
    yield* podAffinityTermErrors(mapIn(weighted, "podAffinityTerm"), `${path}.podAffinityTerm`);
  }
}

function* weightErrors(term: JsonObject, path: string): FoundErrors {
  const weight = integerIn(term, "weight") ?? 0;
  if (weight < 1 || weight > 100) {
    yield invalid(`${path}.weight`, weight, "must be in the range 1-100");
  }
}

function* podAffinityTermErrors(term: JsonObject, path: string): FoundErrors {
  for (const name of ["labelSelector", "namespaceSelector"]) {
    yield* labelSelectorErrors(objectIn(term, name), `${path}.${name}`);
  }
  for (const namespace of textsIn(term, "namespaces")) {
    yield* invalidForEach(`${path}.namespace`, namespace, validateDNS1123Label(namespace));
  }
  yield* labelKeyErrors(term, path);
  const topologyKey = textIn(term, "topologyKey");
  if (topologyKey === "") yield required(`${path}.topologyKey`, "can not be empty");
  yield* invalidForEach(`${path}.topologyKey`, topologyKey, validateQualifiedName(topologyKey));
}

/**
 * Yields the errors in the label keys that complete the selector of a term.
 *
 * @see Kubernetes `ValidateMatchLabelKeysAndMismatchLabelKeys`
 */
export function* labelKeyErrors(term: JsonObject, path: string): FoundErrors {
  const selector = objectIn(term, "labelSelector");
  for (const name of ["matchLabelKeys", "mismatchLabelKeys"]) {
    const keys = textsIn(term, name);
    if (keys.length > 0 && selector === undefined) {
      yield forbidden(`${path}.${name}`, "must not be specified when labelSelector is not set");
      continue;
    }
    for (const [index, key] of keys.entries()) {
      yield* invalidForEach(`${path}.${name}[${index}]`, key, validateQualifiedName(key));
    }
  }
  const matchKeys = textsIn(term, "matchLabelKeys");
  yield* selectedTwiceErrors(selector, matchKeys, path);
  const mismatchKeys = new Set(textsIn(term, "mismatchLabelKeys"));
  for (const [index, key] of matchKeys.entries()) {
    if (!mismatchKeys.has(key)) continue;
    const detail = "exists in both matchLabelKeys and mismatchLabelKeys";
    yield invalid(`${path}.matchLabelKeys[${index}]`, key, detail);
  }
}

/** The server merges the keys into the expressions, so a key conflicts only with an expression that repeats it. */
function* selectedTwiceErrors(
  selector: JsonObject | undefined,
  matchKeys: readonly string[],
  path: string,
): FoundErrors {
  if (selector === undefined) return;
  const indexes = new Map(matchKeys.map((key, index) => [key, index]));
  const selected = new Set(Object.keys(mapIn(selector, "matchLabels")));
  for (const requirement of listIn(selector, "matchExpressions").filter(isObject)) {
    const key = textIn(requirement, "key");
    const index = indexes.get(key);
    if (index !== undefined && selected.has(key)) {
      yield invalid(`${path}[${index}]`, key, "exists in both matchLabelKeys and labelSelector");
    }
    selected.add(key);
  }
}
