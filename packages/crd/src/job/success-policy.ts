import { invalid, required, tooLong, tooMany } from "@jobset-ts/api/errors";
import type { JsonObject } from "@jobset-ts/api/kubernetes";
import { isLongerThan } from "@jobset-ts/api/text";
import { type FoundErrors, negativeErrors } from "../found-errors.ts";
import { elementsIn, integerIn, objectIn, optionalTextIn, textIn } from "../members-of.ts";
import { goStructText } from "../pod-template/go-struct.ts";
import { readIndexList } from "./index-list.ts";

const MAX_RULES = 20;
const MAX_INDEXES_BYTES = 64 * 1024;

/** Yields the errors in the success policy of a Job. */
export function* successPolicyErrors(spec: JsonObject): FoundErrors {
  const policy = objectIn(spec, "successPolicy");
  if (policy === undefined) return;
  const path = "spec.successPolicy";
  if (textIn(spec, "completionMode") !== "Indexed") {
    const shown = goStructText(policy, "JobSuccessPolicy");
    yield invalid(path, policy, "requires indexed completion mode", shown);
    return;
  }
  const rules = elementsIn(policy, "rules", path);
  if (rules.length === 0) {
    const detail = "at least one rules must be specified when the successPolicy is specified";
    yield required(`${path}.rules`, detail);
  }
  if (rules.length > MAX_RULES) yield tooMany(`${path}.rules`, rules.length, MAX_RULES);
  const completions = integerIn(spec, "completions") ?? 0;
  for (const [rule, at] of rules) yield* ruleErrors(rule, completions, at);
}

function* ruleErrors(rule: JsonObject, completions: number, path: string): FoundErrors {
  const indexes = optionalTextIn(rule, "succeededIndexes");
  const count = integerIn(rule, "succeededCount");
  if (indexes === undefined && count === undefined) {
    const detail = "at least one of succeededCount or succeededIndexes must be specified";
    yield required(path, detail);
  }
  const list = readIndexList(indexes ?? "", completions);
  const field = `${path}.succeededIndexes`;
  if (isLongerThan(indexes ?? "", MAX_INDEXES_BYTES)) {
    yield tooLong(field, indexes, MAX_INDEXES_BYTES);
  }
  if (!list.ok) yield invalid(field, indexes, `error parsing succeededIndexes: ${list.message}`);
  if (count === undefined) return;
  const countField = `${path}.succeededCount`;
  yield* negativeErrors(countField, count);
  if (count > completions) {
    const detail = `must be less than or equal to ${completions} (the number of specified completions)`;
    yield invalid(countField, count, detail);
  }
  const total = list.ok ? list.count : 0;
  if (indexes !== undefined && count > total) {
    const detail = `must be less than or equal to ${total} (the number of indexes in the specified succeededIndexes field)`;
    yield invalid(countField, count, detail);
  }
}
