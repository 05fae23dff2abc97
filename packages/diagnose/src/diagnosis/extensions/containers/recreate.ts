import { asString, getControllerOf } from "@jobset-ts/api/kubernetes";
import type { JobSetView } from "../../view/jobset-view.ts";

/** Returns the advice to change something in the Pod template, which is immutable while the JobSet exists. */
export function adviseRecreation({ jobSet, name }: JobSetView, change: string): string {
  const owner = getControllerOf(jobSet);
  const target =
    owner === undefined ? `JobSet ${name}` : `${asString(owner.kind)} ${asString(owner.name)}`;
  return `${change} and recreate ${target}: the Pod template of a JobSet is immutable`;
}
