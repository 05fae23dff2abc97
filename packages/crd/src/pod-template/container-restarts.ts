import { duplicate, invalid, required, tooMany } from "@jobset-ts/api/errors";
import type { JsonObject } from "@jobset-ts/api/kubernetes";
import { jsonQuote } from "@jobset-ts/api/text";
import { choiceErrors, type FoundErrors, requiredChoiceErrors } from "../found-errors.ts";
import { elementsIn, listIn, objectIn, optionalTextIn, textIn } from "../members-of.ts";

const MAX_RULES = 20;
const MAX_EXIT_CODES = 255;

/**
 * Yields the errors in the restart policy of one container and with its rules.
 *
 * @param isInit - the rules of an init container without a restart policy are not validated
 */
export function* containerRestartErrors(
  container: JsonObject,
  path: string,
  isInit: boolean,
): FoundErrors {
  const policy = optionalTextIn(container, "restartPolicy");
  const rules = elementsIn(container, "restartPolicyRules", path);
  const field = `${path}.restartPolicy`;
  if (policy !== undefined) yield* choiceErrors(field, policy, ["Always", "Never", "OnFailure"]);
  else if (rules.length > 0) {
    yield required(field, "must specify restartPolicy when restart rules are used");
  }
  if (isInit && policy === undefined) return;
  if (rules.length > MAX_RULES) {
    yield tooMany(`${path}.restartPolicyRules`, rules.length, MAX_RULES);
  }
  for (const [rule, at] of rules) {
    const actions = ["Restart", "RestartAllContainers"];
    yield* choiceErrors(`${at}.action`, textIn(rule, "action"), actions);
    const exitCodes = objectIn(rule, "exitCodes");
    if (exitCodes === undefined) {
      yield required(`${at}.exitCodes`, "must be specified");
      continue;
    }
    yield* choiceErrors(`${at}.exitCodes.operator`, textIn(exitCodes, "operator"), ["In", "NotIn"]);
    const count = listIn(exitCodes, "values").length;
    if (count > MAX_EXIT_CODES) yield tooMany(`${at}.exitCodes.values`, count, MAX_EXIT_CODES);
  }
}

/**
 * Yields the errors in the resize policies of a container. For most errors of an element, upstream names only the list.
 */
export function* resizePolicyErrors(
  container: JsonObject,
  field: string,
  podRestartPolicy: string,
): FoundErrors {
  const list = `${field}.resizePolicy`;
  const seen = new Set<string>();
  for (const [policy, path] of elementsIn(container, "resizePolicy", field)) {
    const resource = textIn(policy, "resourceName");
    const restart = textIn(policy, "restartPolicy");
    if (seen.has(resource)) yield duplicate(path, resource, jsonQuote(resource));
    seen.add(resource);
    yield* requiredChoiceErrors(list, resource, ["cpu", "memory"]);
    yield* requiredChoiceErrors(list, restart, ["NotRequired", "RestartContainer"]);
    if (podRestartPolicy === "Never" && restart !== "NotRequired") {
      const detail = "must be 'NotRequired' when pod `restartPolicy` is 'Never'";
      yield invalid(list, restart, detail, jsonQuote(restart));
    }
  }
}
