import type { Unvalidated } from "@jobset-ts/api";
import { asString, getLabel, type KubernetesObject } from "@jobset-ts/api/kubernetes";
import {
  createKey,
  type DiagnosisCheck,
  failWaiting,
  fieldEvidence,
  jobSetKey,
  pass,
} from "../../checks/check-results.ts";
import type { FindingId } from "../../checks/finding-ids.ts";
import type { JobSetView } from "../../view/jobset-view.ts";
import { QUEUE_NAME_KEY } from "../../view/queue-name.ts";
import { type ChainedOwner, findTopOwner, listOwnerChain } from "./owner-chain.ts";

/** A controller of a JobSet, with the members that the checks read. */
interface Owner extends KubernetesObject {
  readonly spec?: {
    readonly suspend?: boolean;
    /** The runtime of a TrainJob. */
    readonly runtimeRef?: { readonly kind?: string; readonly name?: string };
  };
}

/** The checks of the controllers above a JobSet. */
export const ownerChecks: readonly DiagnosisCheck<JobSetView>[] = [
  {
    id: "owner-suspended",
    causes: [],
    run: (view) => {
      const suspended = listOwners(view).filter(
        ({ object }) => asOwner(object)?.spec?.suspend === true,
      );
      const owner = suspended[suspended.length - 1];
      if (owner?.object === undefined) return pass;
      const object = createKey(owner.kind, owner.object);
      const name = `${owner.kind} ${owner.name}`;
      const queue = getLabel(owner.object, QUEUE_NAME_KEY);
      const inQueue = queue === undefined ? "" : ` in queue ${queue}`;
      return failWaiting(`${name} is suspended${inQueue}, so its JobSet is suspended too`, {
        objects: [object, jobSetKey(view)],
        evidence: [
          fieldEvidence(object, "spec.suspend", "true"),
          ...(queue === undefined
            ? []
            : [fieldEvidence(object, `metadata.labels[${QUEUE_NAME_KEY}]`, queue)]),
        ],
        advice:
          queue === undefined
            ? [
                `resume ${name}: its controller then resumes the JobSet: kubectl patch ${formatResource(owner)} -n ${view.namespace} --type merge -p '{"spec":{"suspend":false}}'`,
              ]
            : [
                `wait until Kueue admits the Workload of ${name}: kubectl get workloads -n ${view.namespace}`,
              ],
      });
    },
  },
];

function asOwner(object: ChainedOwner["object"]) {
  return object as Unvalidated<Owner> | undefined;
}

/** Returns the controllers above a JobSet, the direct one first. */
function listOwners(view: JobSetView): readonly ChainedOwner[] {
  return listOwnerChain(view).slice(1);
}

/** Returns the kind and name of an object in kubectl's notation, such as `trainjob yolo`. */
function formatResource({ kind, name }: ChainedOwner): string {
  return `${kind.toLowerCase()} ${name}`;
}

/** A command that changes a JobSet. The controller above it reverts the change, or creates the JobSet again. */
const changesJobSet =
  /kubectl (?:annotate|apply|delete|edit|label|patch|replace|set)\b.*\bjobsets?\b/;

/** Directs advice about a JobSet to the controller above it. */
export function adviseOwner(
  view: JobSetView,
  id: FindingId,
  advice: readonly string[],
): readonly string[] {
  const owner = findTopOwner(view);
  if (owner.kind === "JobSet" || id === "owner-suspended") return advice;
  const name = `${owner.kind} ${owner.name}`;
  const describe = `kubectl describe ${formatResource(owner)} -n ${view.namespace}`;
  if (id === "suspended" || id === "queued") {
    return [`check why ${name}, which owns this JobSet, keeps it suspended: ${describe}`];
  }
  const runtime = asOwner(owner.object)?.spec?.runtimeRef;
  const runtimeName = asString(runtime?.name);
  const orRuntime =
    runtimeName === ""
      ? ""
      : ` or ${asString(runtime?.kind) || "ClusterTrainingRuntime"} ${runtimeName}`;
  return [
    ...advice.filter((line) => !changesJobSet.test(line)),
    `change ${name}${orRuntime}, which owns this JobSet, instead of the JobSet; recreate ${name} if the field is immutable: ${describe}`,
  ];
}
