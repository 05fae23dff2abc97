import type { JobSet } from "@jobset-ts/api";
import { EXCLUSIVE_TOPOLOGY_KEY } from "@jobset-ts/api/keys";
import fc from "fast-check";
import { manifests } from "../arbitraries/arbitrary-manifests.ts";
import { corrupted } from "../arbitraries/hostile-values.ts";
import { aJobSet } from "../builders/a-jobset.ts";
import { asJson } from "./as-json.ts";
import { createEditsLaw } from "./edits-law.ts";
import {
  type AnyObject,
  directiveEdits,
  resumeJobSet,
  scaleJobs,
  spec,
  suspended,
  train,
  withJobMetadata,
  withJobSpec,
  withPodTemplate,
  withWorkers,
} from "./jobset-edits.ts";
import type { Law } from "./law.ts";
import { replicatedJob } from "./rule-samples.ts";
import { type Edit, memberEdits } from "./schema-edits.ts";
import type { ValidatingWebhook, Webhooks } from "./webhook.ts";
import { checkDecision, createWebhookLaw, type WebhookCase } from "./webhook-law.ts";
import { callWebhook } from "./webhook-request.ts";

const owner = { apiVersion: "a.io/v1", kind: "Study", name: "study", uid: "study-uid" };

function withMetadata(members: AnyObject): JobSet {
  return { ...train, metadata: { ...train.metadata, ...members } };
}

const freeEdits: readonly Edit[] = [
  { says: "it is suspended", before: train, after: suspended },
  { says: "it is resumed", before: suspended, after: resumeJobSet(suspended) },
  {
    says: "it gets a TTL",
    before: train,
    after: spec(train, { ttlSecondsAfterFinished: 60 }),
  },
  {
    says: "its TTL changes",
    before: spec(train, { ttlSecondsAfterFinished: 60 }),
    after: spec(train, { ttlSecondsAfterFinished: 30 }),
  },
  {
    says: "its labels and annotations change",
    before: train.withLabels({ team: "a" }).withAnnotations({ note: "a" }),
    after: train.withLabels({ team: "b" }).withAnnotations({ note: "b" }),
  },
  { says: "its status changes", before: train, after: train.withStatus({ restarts: 1 }) },
  { says: "it gets a label", before: train, after: train.withLabels({ team: "a" }) },
  { says: "it gets an annotation", before: train, after: train.withAnnotations({ note: "a" }) },
  { says: "it gets a finalizer", before: train, after: withMetadata({ finalizers: ["a.io/b"] }) },
  { says: "it gets an owner", before: train, after: withMetadata({ ownerReferences: [owner] }) },
  {
    says: "it gets a coordinator",
    before: train,
    after: spec(train, { coordinator: { replicatedJob: "driver" } }),
  },
  {
    says: "it gets another coordinator",
    before: spec(train, { coordinator: { replicatedJob: "driver" } }),
    after: spec(train, { coordinator: { replicatedJob: "workers", jobIndex: 1, podIndex: 1 } }),
  },
  ...directiveEdits.flatMap(([what, change]) => [
    { says: `${what} change while it is suspended`, before: suspended, after: change(suspended) },
    {
      says: `${what} change as it is resumed`,
      before: suspended,
      after: resumeJobSet(change(suspended)),
    },
    { says: `${what} change as it is suspended`, before: train, after: change(suspended) },
    { says: `${what} are removed as it is suspended`, before: change(train), after: suspended },
  ]),
];

/**
 * The suspension, the fields that a queue writes before a resume, the metadata, the coordinator and the TTL are
 * mutable.
 */
export const mutableFieldsCanChange: Law<ValidatingWebhook> = createEditsLaw(
  "mutableFieldsCanChange",
  {
    sentence:
      "An update may suspend and resume a JobSet, change metadata, coordinator and TTL, and, while suspended, the scheduling of the Pods.",
    defects: ["#159", "#586", "#623", "#580"],
  },
  freeEdits.flatMap((edit) => [
    edit,
    { says: `it is reverted that ${edit.says}`, before: edit.after, after: edit.before },
  ]),
);

const forbiddenEdits: readonly Edit[] = [
  {
    says: "a ReplicatedJob has more replicas",
    before: train,
    after: withWorkers(train, (one) => ({ ...one, replicas: 3 })),
  },
  {
    says: "a ReplicatedJob is renamed",
    before: suspended,
    after: withWorkers(suspended, (one) => ({ ...one, name: "others" })),
  },
  {
    says: "a ReplicatedJob is added",
    before: suspended,
    after: suspended.withReplicatedJob("more"),
  },
  {
    says: "a ReplicatedJob goes",
    before: suspended,
    after: spec(suspended, { replicatedJobs: suspended.spec.replicatedJobs?.slice(0, 1) }),
  },
  {
    says: "the ReplicatedJobs are reordered",
    before: train,
    after: spec(train, { replicatedJobs: train.spec.replicatedJobs?.toReversed() }),
  },
  {
    says: "a ReplicatedJob moves to another group",
    before: train,
    after: withWorkers(train, (one) => ({ ...one, groupName: "other" })),
  },
  {
    says: "the Jobs' backoff limit changes",
    before: suspended,
    after: withJobSpec(suspended, { backoffLimit: 3 }),
  },
  {
    says: "the Jobs' labels change while it is suspended",
    before: suspended,
    after: withJobMetadata(suspended, { labels: { a: "1" } }),
  },
  {
    says: "the Jobs' annotations change while it is suspended",
    before: suspended,
    after: withJobMetadata(suspended, { annotations: { a: "1" } }),
  },
  {
    says: "the Jobs are no longer Indexed",
    before: suspended,
    after: withJobSpec(suspended, { completionMode: "NonIndexed" }),
  },
  {
    says: "the Pods' image changes while it is suspended",
    before: suspended,
    after: withPodTemplate(suspended, undefined, {
      containers: [{ name: "main", image: "other" }],
    }),
  },
  {
    says: "the Pods' service account changes while it is suspended",
    before: suspended,
    after: withPodTemplate(suspended, undefined, { serviceAccountName: "other" }),
  },
  {
    says: "the Pods' image changes where a queue changes other Pods' node selector",
    before: suspended,
    after: withPodTemplate(
      withPodTemplate(suspended, undefined, { nodeSelector: { pool: "a" } }, "driver"),
      undefined,
      { containers: [{ name: "main", image: "other" }] },
      "evaluators",
    ),
  },
  ...directiveEdits.map(([what, change]) => ({
    says: `${what} change while it runs`,
    before: train,
    after: change(train),
  })),
];

/**
 * ReplicatedJobs are immutable, except for the scheduling of the Pods of a suspended JobSet. The law covers every field
 * of the schema, in every ReplicatedJob and every list element.
 */
export const replicatedJobsAreImmutable: Law<ValidatingWebhook> = createEditsLaw(
  "replicatedJobsAreImmutable",
  {
    sentence:
      "The webhook denies updates that add, remove, rename, move or change ReplicatedJobs, except for fields that are mutable while suspended.",
    defects: ["#580"],
  },
  [...forbiddenEdits, { says: "nothing changes", before: train, after: train }],
  memberEdits,
);

const createManagedJobSet = (managedBy?: string) => spec(train, { managedBy });

/** Two controllers must not manage the same JobSet. */
export const managedByIsImmutable: Law<ValidatingWebhook> = createEditsLaw(
  "managedByIsImmutable",
  {
    sentence: "The webhook denies an update that changes, adds or removes managedBy.",
    defects: ["#528"],
  },
  [
    {
      says: "another controller manages it",
      before: createManagedJobSet("acme.io/a"),
      after: createManagedJobSet("acme.io/b"),
    },
    {
      says: "a controller manages it now",
      before: createManagedJobSet(),
      after: createManagedJobSet("acme.io/a"),
    },
    {
      says: "no specific controller manages it now",
      before: createManagedJobSet("acme.io/a"),
      after: createManagedJobSet(),
    },
    {
      says: "the manager stays",
      before: createManagedJobSet("acme.io/a"),
      after: createManagedJobSet("acme.io/a").withLabels({ a: "b" }),
    },
  ],
);

/**
 * As in jobset-ts, existing policies must stay. Upstream allows their removal (quirk `PolicyRemovable`). The CRD
 * forbids changes of policies, so the law does not check them. It accepts added policies.
 */
export const policiesAreNotRemoved: Law<ValidatingWebhook> = createEditsLaw(
  "policiesAreNotRemoved",
  {
    sentence:
      "The webhook denies an update that removes the network or the success, failure and startup policies, or the VolumeClaimPolicies.",
    defects: ["#1266"],
  },
  [
    ...[
      "successPolicy",
      "failurePolicy",
      "network",
      "startupPolicy",
      "volumeClaimPolicies",
    ].flatMap((member) => [
      { says: `${member} goes`, before: train, after: spec(train, { [member]: undefined }) },
      {
        says: `${member} is removed as it is suspended`,
        before: train,
        after: spec(suspended, { [member]: undefined }),
      },
    ]),
    { says: "all policies stay", before: train, after: suspended },
  ],
);

const long = aJobSet("a".repeat(50)).withSpec({
  replicatedJobs: ["v", "w", "x"].map((name) => replicatedJob(name, {}, { replicas: 10 })),
});
const pinned = spec(train, { coordinator: { replicatedJob: "workers", podIndex: 1 } });
const nonIndexed = (at: number) =>
  aJobSet("train").withSpec({
    replicatedJobs: ["v", "w", "x"].map((name, index) =>
      replicatedJob(name, index === at ? { completionMode: "NonIndexed" } : {}),
    ),
  });

/**
 * As in jobset-ts, an update must not violate creation rules. Upstream checks them only once (quirk
 * `UpdateSkipsCreateChecks`). Violations of the old JobSet are tolerated. The law does not prescribe which
 * violations are tolerated.
 */
export const updatesAreRevalidated: Law<ValidatingWebhook> = createEditsLaw(
  "updatesAreRevalidated",
  {
    sentence:
      "The webhook denies an update that violates a creation rule if the old JobSet satisfied the rule.",
    defects: [],
  },
  [
    {
      says: "the coordinator names no ReplicatedJob of the JobSet",
      before: train,
      after: spec(train, { coordinator: { replicatedJob: "nope" } }),
    },
    {
      says: "the coordinator's Job does not exist",
      before: pinned,
      after: spec(pinned, { coordinator: { replicatedJob: "workers", jobIndex: 2 } }),
    },
    {
      says: "the coordinator's Pod does not exist",
      before: pinned,
      after: spec(pinned, { coordinator: { replicatedJob: "workers", podIndex: 2 } }),
    },
    {
      says: "the topology key of exclusive placement is not a valid label key",
      before: train,
      after: train.withAnnotations({ [EXCLUSIVE_TOPOLOGY_KEY]: "a rack" }),
    },
    ...[0, 1, 2].flatMap((at) => [
      {
        says: `exclusive placement of Jobs without leaders in replicatedJobs[${at}]`,
        before: nonIndexed(at),
        after: nonIndexed(at).withAnnotations({ [EXCLUSIVE_TOPOLOGY_KEY]: "rack" }),
      },
      {
        says: `Pods' names of replicatedJobs[${at}] grow too long`,
        before: long,
        after: scaleJobs(long, 1000, (index) => index === at),
      },
    ]),
    {
      says: "the Pods grow to the limit of their names",
      before: long,
      after: scaleJobs(long, 100),
    },
    { says: "the coordinator's Pod shrinks away", before: pinned, after: scaleJobs(pinned, 1) },
    {
      says: "the coordinator moves",
      before: pinned,
      after: spec(pinned, { coordinator: { replicatedJob: "driver" } }),
    },
  ],
);

/**
 * A JobSet may be older than some rules or than the webhook. It can still be suspended and deleted, so the webhook also
 * admits the removal of the last finalizer.
 */
export const jobSetDeletionIsAllowed: Law<ValidatingWebhook> = createWebhookLaw(
  "jobSetDeletionIsAllowed",
  {
    sentence: "The webhook admits the deletion of every JobSet and the removal of its finalizers.",
    defects: [],
  },
  fc
    .tuple(fc.constantFrom("finalizer", "deletion"), manifests())
    .map(([what, jobSet]): WebhookCase => {
      const finalizers = ["foregroundDeletion"];
      const held = asJson<JobSet>({ ...jobSet, metadata: { ...jobSet.metadata, finalizers } });
      const rest = { kind: "JobSet", oldObject: held, cluster: [] } as const;
      return what === "deletion"
        ? { ...rest, situation: "it is deleted", operation: "DELETE", object: null }
        : {
            ...rest,
            situation: "its finalizer is removed",
            operation: "UPDATE",
            object: asJson(jobSet),
          };
    }),
  async ({ validate }: ValidatingWebhook, generated: WebhookCase) =>
    checkDecision(await callWebhook(validate, "JobSet", generated), {
      allowed: true,
      reason: "the JobSet is only deleted",
    }),
);

/**
 * For every JobSet, both webhooks return an AdmissionReview for the request, with a valid patch or with a denial that
 * has a message. An API server checks the schema only after the mutating webhook.
 */
export const jobSetReviewsGetAResponse: Law<Webhooks> = createWebhookLaw(
  "jobSetReviewsGetAResponse",
  {
    sentence:
      "For every JobSet, the webhook returns a valid response to the request, and each denial has a message.",
    defects: ["#931", "#1304"],
  },
  fc
    .record({
      operation: fc.constantFrom("CREATE" as const, "UPDATE" as const, "DELETE" as const),
      object: corrupted(manifests()),
      oldObject: fc.oneof(manifests(), corrupted(manifests())),
    })
    .map(({ operation, object, oldObject }): WebhookCase => {
      return {
        kind: "JobSet",
        situation: "the JobSet has arbitrary contents",
        operation,
        object: operation === "DELETE" ? null : (asJson(object) ?? null),
        oldObject: operation === "CREATE" ? null : (asJson(oldObject) ?? null),
        cluster: [],
      };
    }),
  async ({ mutate, validate }: Webhooks, generated: WebhookCase) => {
    await callWebhook(mutate, "JobSet", generated);
    await callWebhook(validate, "JobSet", generated);
    return undefined;
  },
);
