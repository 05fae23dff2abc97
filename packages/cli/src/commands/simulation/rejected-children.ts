import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { namespacedName } from "@jobset-ts/api/kubernetes";
import type { Context } from "@jobset-ts/core";
import { createJobFactories, desiredService, desiredVolumeClaims } from "@jobset-ts/core/desired";
import {
  type Scenario,
  type ServerReply,
  type ServerRequest,
  type SimulationResult,
  simulate,
} from "@jobset-ts/sim";
import { applyExternally, createClusterConfig, newCluster } from "@jobset-ts/sim/kernel";
import type { AdmittedJobSet } from "../../admission/admit-jobsets.ts";
import { reportRejectedJobs } from "../../admission/rejected-jobs.ts";
import type { Diagnostic } from "../../output/diagnostics.ts";

/**
 * Reports the child objects that the API server of a scenario rejects although it admits their JobSets, with positions
 * in the files. No controller can create them.
 */
export function reportRejectedChildren(
  jobSets: readonly AdmittedJobSet[],
  scenario: Scenario,
  context: Pick<Context, "features" | "quirks">,
): readonly Diagnostic[] {
  const [tooLarge] = simulate(scenario, { maxTurns: 0 }).rejectedRequests;
  if (tooLarge !== undefined) return [reportTooLarge(tooLarge, jobSets)];
  const world = createClusterConfig(scenario);
  const cluster = newCluster(world);
  const replyTo = (object: unknown): ServerReply | undefined => {
    let reply: ServerReply | undefined;
    applyExternally(world, cluster, "user", (process) => {
      reply = process.request({ verb: "create", object: object as ServerRequest["object"] });
    });
    return reply;
  };
  return jobSets.flatMap(({ jobSet, diagnose }) => {
    const rejectedJobs = reportRejectedJobs(jobSet, context.features, diagnose, "error");
    if (rejectedJobs.length > 0) return rejectedJobs;
    return listChildren(jobSet, context).flatMap(({ child, field }): readonly Diagnostic[] => {
      const reply = replyTo(child);
      if (reply === undefined || reply.ok) return [];
      return [diagnose(field, `the API server rejects a child object: ${reply.message}`)];
    });
  });
}

/** Reports the fields with which JobSets request more than a simulation can hold. */
function reportTooLarge(
  { request: { object }, rejection }: SimulationResult["rejectedRequests"][number],
  jobSets: readonly AdmittedJobSet[],
): Diagnostic {
  const [, field = "", text = rejection.message] = /^(\S+): (.*)$/s.exec(rejection.message) ?? [];
  const isRequested = ({ jobSet }: AdmittedJobSet) =>
    namespacedName(jobSet) === namespacedName(object);
  const diagnose = jobSets.find(isRequested)?.diagnose;
  return diagnose?.(field, text) ?? { severity: "error", message: rejection.message };
}

/**
 * Returns the child objects of a JobSet. For each ReplicatedJob, returns only the first Job, because the others are
 * equal.
 */
function listChildren(
  jobSet: Unvalidated<JobSet>,
  context: Pick<Context, "features" | "quirks">,
): readonly { readonly child: unknown; readonly field: string }[] {
  const jobs = createJobFactories(jobSet, context).map(({ replicas, jobAt }, index) => ({
    child: replicas > 0 ? jobAt(0) : undefined,
    field: `spec.replicatedJobs[${index}].template`,
  }));
  const service = { child: desiredService(jobSet), field: "spec.network" };
  const claims = desiredVolumeClaims(jobSet).map((child) => ({
    child,
    field: "spec.volumeClaimPolicies",
  }));
  return [service, ...claims, ...jobs].filter(({ child }) => child !== undefined);
}
