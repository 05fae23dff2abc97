import { forbidden, invalid, required } from "@jobset-ts/api/errors";
import {
  type JsonObject,
  validateDNS1123Subdomain,
  validateLabelValue,
  validateQualifiedName,
} from "@jobset-ts/api/kubernetes";
import { jsonQuote } from "@jobset-ts/api/text";
import { type FoundErrors, invalidForEach } from "./found-errors.ts";
import { elementsIn, mapIn, textIn, textsIn } from "./members-of.ts";

const VALUES_REQUIRED = "must be specified when `operator` is 'In' or 'NotIn'";
const VALUES_FORBIDDEN = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
const UNKNOWN_OPERATOR = "not a valid selector operator";

/**
 * Yields errors in labels or in the labels of a selector. Messages do not name the key.
 *
 * @see Kubernetes `metav1/validation.ValidateLabels`
 */
export function* labelErrors(labels: JsonObject, field: string): FoundErrors {
  for (const key of Object.keys(labels)) {
    const value = textIn(labels, key);
    yield* invalidForEach(field, key, validateQualifiedName(key));
    yield* invalidForEach(field, value, validateLabelValue(value));
  }
}

/**
 * Yields errors in a label selector.
 *
 * @see Kubernetes `metav1/validation.ValidateLabelSelector`
 */
export function* labelSelectorErrors(selector: JsonObject | undefined, field: string): FoundErrors {
  if (selector === undefined) return;
  yield* labelErrors(mapIn(selector, "matchLabels"), `${field}.matchLabels`);
  for (const [requirement, path] of elementsIn(selector, "matchExpressions", field)) {
    yield* valueCountErrors(requirement, path);
    yield* invalidForEach(`${path}.key`, ...keyMessages(requirement));
    yield* labelValueErrors(requirement, path);
  }
}

function* valueCountErrors(requirement: JsonObject, path: string): FoundErrors {
  const operator = textIn(requirement, "operator");
  const count = textsIn(requirement, "values").length;
  switch (operator) {
    case "In":
    case "NotIn":
      if (count === 0) yield required(`${path}.values`, VALUES_REQUIRED);
      return;
    case "Exists":
    case "DoesNotExist":
      if (count > 0) yield forbidden(`${path}.values`, VALUES_FORBIDDEN);
      return;
    default:
      yield invalid(`${path}.operator`, operator, UNKNOWN_OPERATOR, jsonQuote(operator));
  }
}

function keyMessages(requirement: JsonObject): readonly [string, readonly string[]] {
  const key = textIn(requirement, "key");
  return [key, validateQualifiedName(key)];
}

function* labelValueErrors(requirement: JsonObject, path: string): FoundErrors {
  for (const [index, value] of textsIn(requirement, "values").entries()) {
    yield* invalidForEach(`${path}.values[${index}]`, value, validateLabelValue(value));
  }
}

/**
 * Yields errors in a term that selects nodes.
 *
 * @param isRequired - the values of a preferred term are not checked
 * @see Kubernetes `ValidateNodeSelectorTerm`
 */
export function* nodeSelectorTermErrors(
  term: JsonObject,
  field: string,
  isRequired: boolean,
): FoundErrors {
  for (const [requirement, path] of elementsIn(term, "matchExpressions", field)) {
    const operator = textIn(requirement, "operator");
    if (operator !== "Gt" && operator !== "Lt") yield* valueCountErrors(requirement, path);
    else if (textsIn(requirement, "values").length !== 1) {
      yield required(
        `${path}.values`,
        "must be specified single value when `operator` is 'Lt' or 'Gt'",
      );
    }
    yield* invalidForEach(`${path}.key`, ...keyMessages(requirement));
    if (isRequired) yield* labelValueErrors(requirement, path);
  }
  for (const [requirement, path] of elementsIn(term, "matchFields", field)) {
    yield* nodeFieldErrors(requirement, path);
  }
}

/** The only field of nodes that a selector can name is `metadata.name`. */
function* nodeFieldErrors(requirement: JsonObject, path: string): FoundErrors {
  const operator = textIn(requirement, "operator");
  const key = textIn(requirement, "key");
  const values = textsIn(requirement, "values");
  if (operator !== "In" && operator !== "NotIn") {
    yield invalid(`${path}.operator`, operator, UNKNOWN_OPERATOR, jsonQuote(operator));
  } else if (values.length !== 1) {
    yield required(
      `${path}.values`,
      "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
    );
  }
  if (key !== "metadata.name") {
    yield invalid(`${path}.key`, key, "not a valid field selector key");
    return;
  }
  for (const [index, value] of values.entries()) {
    yield* invalidForEach(`${path}.values[${index}]`, value, validateDNS1123Subdomain(value));
  }
}
