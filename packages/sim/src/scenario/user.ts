import {
  getName,
  getNamespace,
  isEqualJson,
  type KubernetesObject,
  matchesLabelSelector,
  type ObjectMeta,
} from "@jobset-ts/api/kubernetes";
import type { RequestedObject, ServerRequest } from "../api-server/api-request.ts";
import type { Objects } from "../api-server/objects.ts";
import { deepCopy } from "../api-server/stored-values.ts";
import type { Component, Process } from "../kernel/component.ts";
import type { Scenario, UserAction } from "./scenario.ts";

/** Creates the user of a run, who creates the initial objects and performs the actions of the scenario. */
export function user(scenario: Scenario): Component<undefined> {
  // The copy makes frozen scenarios usable, and the run keeps no reference to the scenario.
  const objects = deepCopy(scenario.objects);
  const actions = deepCopy(scenario.actions);
  return {
    name: "user",
    memory: undefined,
    watches: [],
    act: (key, process) => {
      if (key === BEGIN) {
        for (const object of objects) begin(object, process);
        actions.forEach(({ at }, index) => void process.wake(String(index), at));
        return;
      }
      const action = actions[Number(key)];
      if (action === undefined) return;
      for (const request of listRequests(action, process.objects)) process.request(request);
    },
  };
}

/** Returns the requests of an action: one, or one for each selected object. */
function listRequests(
  { request, selector }: UserAction,
  objects: Objects,
): readonly ServerRequest[] {
  if (selector === undefined) return [request];
  const { kind, metadata } = request.object;
  return objects
    .ofKind(kind)
    .filter(
      (stored) =>
        getNamespace(stored) === getNamespace(request.object as KubernetesObject) &&
        matchesLabelSelector({ matchLabels: selector }, stored.metadata.labels),
    )
    .map((stored) => {
      const named = { ...metadata, name: getName(stored) } as ObjectMeta;
      return { ...request, object: { ...request.object, metadata: named } };
    });
}

/** The key of the user's first turn. */
export const BEGIN = "begin";

/** Creates an object. Writes its status if the creation did not store it. */
function begin(object: RequestedObject, process: Process<undefined>): void {
  const created = process.request({ verb: "create", object });
  const { kind, metadata, status } = object;
  if (!created.ok || status === undefined || isEqualJson(created.object.status, status)) return;
  const { name, namespace } = metadata ?? {};
  process.request({
    verb: "patch",
    subresource: "status",
    object: { kind, metadata: { name, namespace } as never, status },
  });
}
