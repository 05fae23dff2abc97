import { getSubdomain, type JobSet, volumeClaimName } from "@jobset-ts/api";
import { JOBSET_CONTROLLER_NAME, RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import {
  asArray,
  getControllerOf,
  getName,
  type KubernetesObject,
} from "@jobset-ts/api/kubernetes";
import { reconcile } from "@jobset-ts/core";
import { isFinished } from "@jobset-ts/core/policies";
import type { GeneratedCluster } from "../arbitraries/arbitrary-clusters.ts";
import type { TestApiRequest } from "./api-request.ts";
import { type CheckOptions, type CheckResult, checkController } from "./check-controller.ts";
import { type ControllerSubject, createPlanController } from "./controller.ts";
import type { ControllerCase, Prerequisite } from "./controller-case.ts";
import { getExpected } from "./expected-requests.ts";
import { getOwner } from "./ownership.ts";
import type { ReconcileStage, RequestViolation } from "./violation.ts";

/** Returns all violations of a controller in a cluster that no other client changes. */
export async function findViolations(
  controller: ControllerSubject,
  cluster: GeneratedCluster,
  options: CheckOptions = {},
): Promise<CheckResult> {
  const question = getQuestion(cluster);
  const judge = await checkController(controller, question, options);
  if (!judge.violations.some(isRepeatedChange)) return judge;
  // Some rules request the same action repeatedly, and then no controller converges.
  const own = await checkController(createPlanController(reconcile), question, options);
  const isEndless = own.violations.some(isRepeatedChange);
  const violations = judge.violations.filter(
    (violation) => !isEndless || !isRepeatedChange(violation),
  );
  return { violations, requests: judge.requests, thrown: judge.thrown };
}

function getQuestion({ jobSet, others, context }: GeneratedCluster): ControllerCase {
  const { namespace = "default", name = "" } = jobSet.metadata;
  const now = new Date(context.now).toISOString();
  return {
    objects: [jobSet, ...others],
    pass: { namespace, name, now, features: [...context.features] },
    dueAt: getExpected,
    waitsFor: (state, request) => waitsFor(state, request, { namespace, name }),
    getStage: (object) => getStage(object as JobSet | undefined),
    isAdditional: (object) => isAdditional(object, jobSet),
    getOwner: getOwner,
    kind: "JobSet",
    deletesTogether: false,
  };
}

function isRepeatedChange({ code }: RequestViolation): boolean {
  return code === "NoConvergence";
}

/**
 * Returns whether JobSet does not define an object: it is not one of its Jobs, and it does not have the name of another
 * object of the JobSet.
 */
function isAdditional(object: KubernetesObject, jobSet: JobSet): boolean {
  const name = getName(object);
  const { uid, name: owner = "" } = jobSet.metadata;
  const { replicatedJobs, volumeClaimPolicies } = jobSet.spec;
  switch (object.kind) {
    case "Job":
      return (
        getControllerOf(object)?.uid !== uid &&
        !asArray(replicatedJobs).some((one) => name.startsWith(`${owner}-${one.name}-`))
      );
    case "Service":
      return name !== owner && name !== getSubdomain(jobSet);
    case "PersistentVolumeClaim":
      return !asArray(volumeClaimPolicies)
        .flatMap(({ templates }) => asArray(templates))
        .some(({ metadata }) => name === volumeClaimName(metadata.name ?? "", owner));
    default:
      return object.kind === "Pod";
  }
}

/** Returns whether the controller manages a JobSet, and whether it has finished. */
function getStage(jobSet: JobSet | undefined): ReconcileStage {
  if (jobSet === undefined) return "Gone";
  const managedBy = jobSet.spec?.managedBy ?? JOBSET_CONTROLLER_NAME;
  const isOurs = managedBy === JOBSET_CONTROLLER_NAME;
  if (jobSet.metadata.deletionTimestamp !== undefined || !isOurs) return "Foreign";
  return isFinished(jobSet) ? "Finished" : "Alive";
}

/**
 * Returns the prerequisite of a Job: the Jobs of the previous attempt, its dependencies, or the preceding
 * ReplicatedJobs in startup order.
 */
function waitsFor(
  state: readonly KubernetesObject[],
  { object }: TestApiRequest,
  jobSetOf: { readonly namespace: string; readonly name: string },
): Prerequisite | undefined {
  const { namespace, name } = jobSetOf;
  const jobSet = state.find(
    ({ kind, metadata }) =>
      kind === "JobSet" && metadata.name === name && metadata.namespace === namespace,
  ) as JobSet | undefined;
  if (object.kind !== "Job" || jobSet === undefined) return undefined;
  const { spec, status } = jobSet;
  const attempts = state
    .filter(({ kind }) => kind === "Job")
    .map((job) => Number(job.metadata.labels?.[RESTART_ATTEMPT_KEY]));
  const { restartStrategy } = spec.failurePolicy ?? {};
  const isBehind = attempts.some((attempt) => attempt < (status?.restarts ?? 0));
  if (restartStrategy === "BlockingRecreate" && isBehind)
    return { code: "JobBeforeEarlierJobs", text: "earlier Jobs" };
  const replicatedJob = spec.replicatedJobs?.find((one) =>
    object.metadata?.name?.startsWith(`${name}-${one.name}-`),
  );
  if ((replicatedJob?.dependsOn ?? []).length > 0)
    return { code: "JobBeforeDependencies", text: "its dependencies" };
  return spec.startupPolicy?.startupPolicyOrder === "InOrder"
    ? { code: "JobBeforeItsTurn", text: "its turn" }
    : undefined;
}
