import type { Component } from "../kernel/component.ts";
import type { Scenario } from "./scenario.ts";

/** The user of a run, who makes what there is at the beginning and does what the scenario says. */
export function user({ objects, actions }: Scenario): Component<undefined> {
  return {
    name: "user",
    memory: undefined,
    watches: [],
    act: (key, process) => {
      if (key === BEGIN) {
        for (const object of objects) process.request({ verb: "create", object });
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
