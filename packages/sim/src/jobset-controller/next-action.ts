import { isObject } from "@jobset-ts/api/kubernetes";
import type { ServerRequest } from "../api-server/api-request.ts";
import type { PassAction, PassRun } from "./pass-run.ts";

/**
 * Returns the next action of a pass, and the pass after it.
 *
 * @throws TypeError if the controller returns anything else
 */
export function chooseNextAction(run: PassRun): {
  readonly action: PassAction;
  readonly after: PassRun;
} {
  const { action, after } = run.next();
  if (!isAction(action))
    throw new TypeError(`a reconcile returned an unknown action: ${formatValue(action)}`);
  return { action, after };
}

function isAction(value: unknown): value is PassAction {
  if (!isObject(value)) return false;
  const { action, request, event, events } = value as Readonly<Record<string, unknown>>;
  switch (action) {
    case "Perform":
      return isRequest(request);
    case "Emit":
      return isEvent(event);
    case "Wait":
      return true;
    case "Done":
      return Array.isArray(events) && events.every(isEvent);
    default:
      return false;
  }
}

const VERBS: Readonly<Record<ServerRequest["verb"], true>> = {
  create: true,
  update: true,
  patch: true,
  delete: true,
};

function isRequest(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { verb, object } = value as Readonly<Record<string, unknown>>;
  return typeof verb === "string" && Object.hasOwn(VERBS, verb) && isObject(object);
}

function isEvent(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { type, reason, message } = value as Readonly<Record<string, unknown>>;
  return [type, reason, message].every((text) => typeof text === "string");
}

function formatValue(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}
