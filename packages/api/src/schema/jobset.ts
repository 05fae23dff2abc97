import * as z from "zod";
import type { Condition } from "../condition.ts";
import type { JobTemplateSpec } from "../job.ts";
import {
  type FailurePolicy,
  JOBSET_API_VERSION,
  JOBSET_KIND,
  type JobSet,
  type JobSetSpec,
  type JobSetStatus,
  type ReplicatedJob,
  type VolumeClaimPolicy,
} from "../jobset.ts";
import type { LabelSelector } from "../label-selector.ts";
import type { PersistentVolumeClaimSpec } from "../persistent-volume-claim.ts";
import type { PodTemplateSpec } from "../pod.ts";
import { createOpaqueSchema, optional } from "./members.ts";
import { objectMetaSchema } from "./object-meta.ts";

/** Creates the schema of a JobSet. */
export function makeJobSetSchema() {
  return z.looseObject({
    apiVersion: z.literal(JOBSET_API_VERSION),
    kind: z.literal(JOBSET_KIND),
    metadata: objectMetaSchema(),
    spec: specSchema(),
    status: optional(statusSchema()),
  }) satisfies z.ZodType<JobSet>;
}

function specSchema(): z.ZodType<JobSetSpec> {
  return z.looseObject({
    replicatedJobs: optional(z.array(replicatedJobSchema())),
    network: optional(
      z.looseObject({
        enableDNSHostnames: optional(z.boolean()),
        subdomain: optional(z.string()),
        publishNotReadyAddresses: optional(z.boolean()),
      }),
    ),
    successPolicy: optional(
      z.looseObject({
        operator: z.enum(["All", "Any"]),
        targetReplicatedJobs: optional(z.array(z.string())),
      }),
    ),
    failurePolicy: optional(failurePolicySchema()),
    startupPolicy: optional(z.looseObject({ startupPolicyOrder: z.enum(["AnyOrder", "InOrder"]) })),
    suspend: optional(z.boolean()),
    coordinator: optional(
      z.looseObject({
        replicatedJob: z.string(),
        jobIndex: optional(z.int()),
        podIndex: optional(z.int()),
      }),
    ),
    managedBy: optional(z.string()),
    ttlSecondsAfterFinished: optional(z.int32()),
    volumeClaimPolicies: optional(z.array(volumeClaimPolicySchema())),
  });
}

function replicatedJobSchema(): z.ZodType<ReplicatedJob> {
  const dependsOn = z.looseObject({
    name: z.string(),
    status: z.enum(["Ready", "Complete"]),
  });
  return z.looseObject({
    name: z.string(),
    groupName: optional(z.string()),
    template: jobTemplateSchema(),
    replicas: optional(z.int32()),
    dependsOn: optional(z.array(dependsOn)),
  });
}

function jobTemplateSchema(): z.ZodType<JobTemplateSpec> {
  const spec = z.looseObject({
    parallelism: optional(z.int32()),
    completions: optional(z.int32()),
    completionMode: optional(z.enum(["NonIndexed", "Indexed"])),
    activeDeadlineSeconds: optional(z.int()),
    backoffLimit: optional(z.int32()),
    backoffLimitPerIndex: optional(z.int32()),
    maxFailedIndexes: optional(z.int32()),
    suspend: optional(z.boolean()),
    selector: optional(createOpaqueSchema<LabelSelector>()),
    manualSelector: optional(z.boolean()),
    podReplacementPolicy: optional(z.enum(["TerminatingOrFailed", "Failed"])),
    ttlSecondsAfterFinished: optional(z.int32()),
    managedBy: optional(z.string()),
    template: createOpaqueSchema<PodTemplateSpec>(),
  });
  return z.looseObject({ metadata: optional(objectMetaSchema()), spec });
}

function failurePolicySchema(): z.ZodType<FailurePolicy> {
  const rule = z.looseObject({
    name: optional(z.string()),
    action: z.enum([
      "FailJobSet",
      "RestartJobSet",
      "RestartJobSetAndIgnoreMaxRestarts",
      "RestartJob",
      "RestartJobAndIgnoreMaxRestarts",
    ]),
    onJobFailureReasons: optional(z.array(z.string())),
    onJobFailureMessagePatterns: optional(z.array(z.string())),
    targetReplicatedJobs: optional(z.array(z.string())),
  });
  return z.looseObject({
    maxRestarts: optional(z.int32()),
    restartStrategy: optional(z.enum(["Recreate", "BlockingRecreate", "InPlaceRestart"])),
    rules: optional(z.array(rule)),
  });
}

function volumeClaimPolicySchema(): z.ZodType<VolumeClaimPolicy> {
  const template = z.looseObject({
    metadata: objectMetaSchema(),
    spec: createOpaqueSchema<PersistentVolumeClaimSpec>(),
  });
  const retentionPolicy = z.looseObject({ whenDeleted: optional(z.enum(["Delete", "Retain"])) });
  return z.looseObject({
    templates: optional(z.array(template)),
    retentionPolicy: optional(retentionPolicy),
  });
}

function statusSchema(): z.ZodType<JobSetStatus> {
  const replicatedJobStatus = z.looseObject({
    name: z.string(),
    ready: z.int32(),
    succeeded: z.int32(),
    failed: z.int32(),
    active: z.int32(),
    suspended: z.int32(),
    jobRestarts: optional(z.array(z.int32())),
    jobRestartsCountTowardsMax: optional(z.array(z.int32())),
  });
  return z.looseObject({
    conditions: optional(z.array(conditionSchema())),
    restarts: z.int32(),
    restartsCountTowardsMax: optional(z.int32()),
    terminalState: optional(z.enum(["Completed", "Failed"])),
    replicatedJobsStatus: optional(z.array(replicatedJobStatus)),
    previousInPlaceRestartAttempt: optional(z.int32()),
    currentInPlaceRestartAttempt: optional(z.int32()),
    executionAttempts: optional(z.int32()),
  });
}

function conditionSchema(): z.ZodType<Condition> {
  return z.looseObject({
    type: z.string(),
    status: z.enum(["True", "False", "Unknown"]),
    observedGeneration: optional(z.int()),
    lastTransitionTime: z.string(),
    reason: z.string(),
    message: z.string(),
  });
}
