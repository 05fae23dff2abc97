import type { Unvalidated } from "@jobset-ts/api";
import { asString, getControllerOf, getUid } from "@jobset-ts/api/kubernetes";
import type { ObjectWithConditions } from "../../view/cluster-facts.ts";
import type { JobSetView } from "../../view/jobset-view.ts";

const GROUP = "kueue.x-k8s.io";

/** Returns the Workload of a JobSet or of its owner, such as a TrainJob. */
export function findWorkload({
  jobSet,
  facts,
}: JobSetView): Unvalidated<ObjectWithConditions> | undefined {
  const owners = [getUid(jobSet), asString(getControllerOf(jobSet)?.uid)];
  return owners
    .filter((uid) => uid !== "")
    .flatMap((uid) => facts.controlledBy(uid, "Workload", GROUP))[0];
}
