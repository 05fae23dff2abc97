import type { Features, JobSet, Observed } from "@jobset-ts/api";
import { keyOf } from "@jobset-ts/api/kubernetes";
import { desiredService, desiredVolumeClaims, jobConstructors } from "@jobset-ts/core/desired";
import { type ApiReply, type ApiRequest, type Played, play, type Scenario } from "@jobset-ts/sim";
import { intervene, newCluster, worldOf } from "@jobset-ts/sim/kernel";
import type { AdmittedJobSet } from "../../admission/admitted-jobsets.ts";
import type { Diagnostic } from "../../output/diagnostics.ts";

/**
 * What the API server of a scenario refuses of what JobSets ask for although they were admitted, each where it stands in
 * the file: no controller can make it.
 */
export function refusedChildren(
  jobSets: readonly AdmittedJobSet[],
  scenario: Scenario,
  features: Features,
): readonly Diagnostic[] {
  const [tooLarge] = play(scenario, { maxTurns: 0 }).refused;
  if (tooLarge !== undefined) return [tooLargeDiagnostic(tooLarge, jobSets)];
  const world = worldOf(scenario);
  const cluster = newCluster(world);
  const replyTo = (object: unknown): ApiReply | undefined => {
    let reply: ApiReply | undefined;
    intervene(world, cluster, "user", ({ request }) => {
      reply = request({ verb: "create", object: object as ApiRequest["object"] });
    });
    return reply;
  };
  return jobSets.flatMap(({ jobSet, diagnose }) =>
    childrenOf(jobSet, features).flatMap(({ child, field }): readonly Diagnostic[] => {
      const reply = replyTo(child);
      if (reply === undefined || reply.ok) return [];
      return [diagnose(field, `no controller can make what it asks for: ${reply.message}`)];
    }),
  );
}

/** Says where in the files JobSets request more than a simulation can hold. */
function tooLargeDiagnostic(
  { request: { object }, refusal }: Played["refused"][number],
  jobSets: readonly AdmittedJobSet[],
): Diagnostic {
  const [, field = "", text = refusal.message] = /^(\S+): (.*)$/s.exec(refusal.message) ?? [];
  const isRequested = ({ jobSet }: AdmittedJobSet) => keyOf(jobSet) === keyOf(object);
  const diagnose = jobSets.find(isRequested)?.diagnose;
  return diagnose?.(field, text) ?? { severity: "error", message: refusal.message };
}

/** What a JobSet asks for, of each ReplicatedJob the first Job, since the others are like it. */
function childrenOf(
  jobSet: Observed<JobSet>,
  features: Features,
): readonly { readonly child: unknown; readonly field: string }[] {
  const jobs = jobConstructors(jobSet, { features }).map(({ replicas, jobAt }, index) => ({
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
