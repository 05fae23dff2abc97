import { EXCLUSIVE_TOPOLOGY_KEY } from "@jobset-ts/api/keys";
import type { RequestedObject } from "../api-server/api-request.ts";
import type { Scenario, UserAction } from "../scenario/scenario.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** Changes a random scenario into a kind that is rare by chance. */
export type Situation = (scenario: Scenario, chance: SeededRandom) => Scenario;

/** The part of a scenario's JobSet that situations edit. */
export interface DraftJobSet {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: DraftSpec;
}

export interface DraftSpec {
  readonly replicatedJobs: readonly DraftReplicatedJob[];
  readonly [member: string]: unknown;
}

export interface DraftReplicatedJob {
  readonly name: string;
  readonly replicas?: number;
  readonly template: { readonly spec: { readonly template: { readonly spec: object } } };
  readonly [member: string]: unknown;
}

/** Returns the JobSet of a scenario, which is the last of its objects. */
export function getJobSet({ objects }: Scenario): DraftJobSet {
  return objects.at(-1) as unknown as DraftJobSet;
}

/** Returns the first ReplicatedJob. Each JobSet of a random scenario has one. */
export function firstReplicatedJob({ spec }: Pick<DraftJobSet, "spec">): DraftReplicatedJob {
  return spec.replicatedJobs[0] as DraftReplicatedJob;
}

/** Reports whether an action deletes a JobSet, at once or after it has finished. */
export function deletesJobSet({ request: { verb, object } }: UserAction): boolean {
  if (object.kind !== "JobSet") return false;
  const { ttlSecondsAfterFinished } = (object.spec ?? {}) as DraftSpec;
  return verb === "delete" || typeof ttlSecondsAfterFinished === "number";
}

export function withJobSet(
  scenario: Scenario,
  edit: (jobSet: DraftJobSet) => DraftJobSet,
): Scenario {
  const jobSet = edit(getJobSet(scenario)) as unknown as RequestedObject;
  return { ...scenario, objects: [...scenario.objects.slice(0, -1), jobSet] };
}

export function withSpec(jobSet: DraftJobSet, members: Partial<DraftSpec>): DraftJobSet {
  return { ...jobSet, spec: { ...jobSet.spec, ...members } as DraftSpec };
}

/** Returns a JobSet with a change in every ReplicatedJob. */
export function withEach(
  jobSet: DraftJobSet,
  edit: (replicatedJob: DraftReplicatedJob) => DraftReplicatedJob,
): DraftJobSet {
  return withSpec(jobSet, { replicatedJobs: jobSet.spec.replicatedJobs.map(edit) });
}

export function withAnnotations(
  jobSet: DraftJobSet,
  annotations: Readonly<Record<string, string>>,
): DraftJobSet {
  return { ...jobSet, metadata: { ...jobSet.metadata, annotations } };
}

/** Requests a topology domain for each Job alone. */
export const EXCLUSIVE = { [EXCLUSIVE_TOPOLOGY_KEY]: "rack" };

/** Adds a PersistentVolumeClaim that all Pods mount. */
export function withClaim(
  jobSet: DraftJobSet,
  name: string,
  whenDeleted: "Delete" | "Retain",
): DraftJobSet {
  const volumeMounts = [{ name, mountPath: "/data" }];
  const containers = [{ name: "main", image: "busybox", volumeMounts }];
  const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
  const volumeClaimPolicies = [
    { templates: [{ metadata: { name }, spec }], retentionPolicy: { whenDeleted } },
  ];
  return withSpec(
    withEach(jobSet, (one) => withPodSpec(one, { containers })),
    { volumeClaimPolicies },
  );
}

/** Returns a ReplicatedJob with other members in its Job's spec. */
export function withJobSpec(
  replicatedJob: DraftReplicatedJob,
  members: object,
): DraftReplicatedJob {
  const { template } = replicatedJob;
  return { ...replicatedJob, template: { ...template, spec: { ...template.spec, ...members } } };
}

/** Returns a ReplicatedJob with other members in its Pods' spec. */
export function withPodSpec(
  replicatedJob: DraftReplicatedJob,
  members: object,
): DraftReplicatedJob {
  const { template } = replicatedJob.template.spec;
  return withJobSpec(replicatedJob, {
    template: { ...template, spec: { ...template.spec, ...members } },
  });
}

/** Creates an action in which a user changes the spec of the JobSet. */
export function createPatch(at: number, scenario: Scenario, spec: object): UserAction {
  const { kind, metadata } = getJobSet(scenario);
  const { name, namespace } = metadata;
  const object = { kind, metadata: { name, namespace }, spec } as unknown as RequestedObject;
  return { at, request: { verb: "patch", object } };
}

/** Creates an action in which a user creates another object. */
export function createCreation(at: number, object: object): UserAction {
  return { at, request: { verb: "create", object: object as RequestedObject } };
}

/** Removes all limits on the start: suspension, startup order and dependencies. */
export const startEverything = (scenario: Scenario): Scenario =>
  withJobSet(scenario, (jobSet) =>
    withSpec(
      withEach(jobSet, (one) => ({ ...one, dependsOn: undefined })),
      { suspend: undefined },
    ),
  );
