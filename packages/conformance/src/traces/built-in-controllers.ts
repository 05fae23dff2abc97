import { keyOf, type Pod } from "@jobset-ts/api/kubernetes";
import type { Component } from "@jobset-ts/sim";
import type { Trace } from "./trace.ts";

/** The components of the control plane that a trace is played against. */
export function builtInControllers(_kind: Trace["kind"]): readonly Component[] {
  return [binder as Component];
}

/** Stands in for the scheduler where only Jobs matter: binds each Pod at once to one of four big nodes. */
const binder: Component<undefined> = {
  name: "scheduler",
  memory: undefined,
  watches: ["Pod"],
  observe: ({ after }, process) => {
    const pod = after as Pod | undefined;
    if (pod === undefined || pod.spec.nodeName !== undefined) return;
    if (pod.metadata.deletionTimestamp !== undefined) return;
    if (pod.spec.schedulingGates?.length) return;
    process.wake(keyOf(pod), 5);
  },
  act: (key, process) => {
    const [namespace = "", name = ""] = key.split("/");
    const pod = process.objects.get<Pod>("Pod", namespace, name);
    if (pod === undefined) return;
    process.edit(pod, (draft) => {
      draft.spec.nodeName = `big${Math.floor(process.draw("node", name) * 4)}`;
    });
  },
};
