import type { RequestedObject } from "../api-server/api-request.ts";
import { equal } from "../api-server/stored-values.ts";
import type { Component, Process } from "../kernel/component.ts";
import type { Scenario } from "./scenario.ts";

/** The user of a run, who makes what there is at the beginning and does what the scenario says. */
export function user({ objects, actions }: Scenario): Component<undefined> {
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
      if (action !== undefined) process.request(action.request);
    },
  };
}

/** The key by which the user begins. */
export const BEGIN = "begin";

/** Creates an object, and writes the status that it is to have, where the creation has not taken it. */
function begin(object: RequestedObject, process: Process<undefined>): void {
  const created = process.request({ verb: "create", object });
  const { kind, metadata, status } = object;
  if (!created.ok || status === undefined || equal(created.object.status, status)) return;
  const { name, namespace } = metadata ?? {};
  process.request({
    verb: "patch",
    subresource: "status",
    object: { kind, metadata: { name, namespace } as never, status },
  });
}
