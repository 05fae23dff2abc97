import { invalid, notSupported } from "@jobset-ts/api/errors";
import {
  type JsonObject,
  validateLabelValue,
  validateQualifiedName,
} from "@jobset-ts/api/kubernetes";
import { jsonQuote } from "@jobset-ts/api/text";
import { choiceErrors, type FoundErrors, invalidForEach } from "../found-errors.ts";
import { elementsIn, integerIn, textIn } from "../members-of.ts";

/** Yields the errors in the tolerations of a Pod. */
export function* tolerationErrors(spec: JsonObject, field: string): FoundErrors {
  for (const [toleration, path] of elementsIn(spec, "tolerations", field)) {
    const key = textIn(toleration, "key");
    const operator = textIn(toleration, "operator");
    const effect = textIn(toleration, "effect");
    if (key !== "") yield* invalidForEach(`${path}.key`, key, validateQualifiedName(key));
    if (key === "" && operator !== "Exists") {
      const detail =
        'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      yield invalid(`${path}.operator`, operator, detail, jsonQuote(operator));
    }
    if (integerIn(toleration, "tolerationSeconds") !== undefined && effect !== "NoExecute") {
      const detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
      yield invalid(`${path}.effect`, effect, detail, jsonQuote(effect));
    }
    yield* operatorErrors(operator, textIn(toleration, "value"), `${path}.operator`);
    if (effect !== "") {
      const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
      yield* choiceErrors(`${path}.effect`, effect, effects);
    }
  }
}

function* operatorErrors(operator: string, value: string, field: string): FoundErrors {
  switch (operator) {
    case "":
    case "Equal": {
      const messages = validateLabelValue(value);
      if (messages.length > 0) yield invalid(field, value, messages.join(";"));
      return;
    }
    case "Exists":
      if (value !== "")
        yield invalid(field, value, "value must be empty when `operator` is 'Exists'");
      return;
    // The gate TaintTolerationComparisonOperators, off by default, allows `Lt` and `Gt`.
    case "Lt":
    case "Gt":
      yield notSupported(field, operator, ["Equal", "Exists", "Lt", "Gt"]);
      return;
    default:
      yield* choiceErrors(field, operator, ["Equal", "Exists"]);
  }
}
