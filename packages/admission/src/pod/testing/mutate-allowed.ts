import type { Unvalidated } from "@jobset-ts/api";
import type { Pod } from "@jobset-ts/api/kubernetes";
import { deepFreeze } from "../../../../testing/src/testing/freezing.ts";
import type { Operation } from "../../webhook-shape.ts";
import { mutatePod } from "../mutate-pod.ts";
import { contextWithQuirks, createCluster } from "../testdata/zone-pods.ts";

/** Returns the response of the mutating webhook, which must allow the Pod. */
export function mutateAllowed(
  pod: Unvalidated<Pod>,
  snapshot = createCluster(),
  context = contextWithQuirks(),
  operation: Operation = "CREATE",
) {
  const result = mutatePod({ operation, object: deepFreeze(pod) }, snapshot, context);
  if (!result.allowed) throw new Error(`refused: ${result.denial.status.message}`);
  return result;
}

/** Returns the rules of a response in order. */
export const listRules = ({ decisions }: ReturnType<typeof mutateAllowed>) =>
  decisions.map(({ rule }) => rule);
