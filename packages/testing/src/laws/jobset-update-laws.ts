import type { JobSet, JobSetSpec, ReplicatedJob } from "@jobset-ts/api";
import { EXCLUSIVE_TOPOLOGY_KEY } from "@jobset-ts/api/keys";
import fc from "fast-check";
import { manifests } from "../arbitraries/arbitrary-manifests.ts";
import { corrupted } from "../arbitraries/hostile-values.ts";
import { type AJobSet, aJobSet } from "../builders/a-jobset.ts";
import { asJson } from "./as-json.ts";
import { createClaimingJobSet } from "./claim-rules.ts";
import { getJobSetDecision } from "./jobset-creation-laws.ts";
import type { Law, LawText } from "./law.ts";
import { replicatedJob } from "./rule-samples.ts";
import { type Edit, memberEdits } from "./schema-edits.ts";
import { inTurn } from "./turns.ts";
import type { ValidatingWebhook, Webhooks } from "./webhook.ts";
import { checkDecision, createWebhookLaw, truncateText, type WebhookCase } from "./webhook-law.ts";
import { callWebhook } from "./webhook-request.ts";

/**
 * Creates a law: the webhook admits or denies updates as JobSet does.
 *
 * @param moreEdits - created when they are needed
 */
function createEditsLaw(
  name: string,
  text: LawText,
  edits: readonly Edit[],
  moreEdits: () => readonly (() => Edit)[] = () => [],
): Law<ValidatingWebhook> {
  return createWebhookLaw(
    name,
    text,
    inTurn(
      () => [...edits.map((edit) => () => edit), ...moreEdits()],
      (make) => fc.constant(make).map(createCase),
    ),
    async (subject: ValidatingWebhook, generated: EditCase) =>
      checkDecision(
        await callWebhook(subject.validate, "JobSet", generated),
        getCachedDecision(generated, subject),
      ),
  );
}

interface EditCase extends WebhookCase {
  readonly make: () => Edit;
}

/**
 * JobSet's decision about an edit, by feature gates. Cached, because a decision takes as long as a webhook call,
 * and a law has thousands of edits.
 */
const decisions = new WeakMap<() => Edit, Map<string, ReturnType<typeof getJobSetDecision>>>();

function getCachedDecision(generated: EditCase, subject: ValidatingWebhook) {
  const gates = [...(subject.features ?? [])].sort().join();
  const known = decisions.get(generated.make) ?? new Map();
  decisions.set(generated.make, known);
  const due = known.get(gates) ?? getJobSetDecision(generated, subject);
  known.set(gates, { ...due, reason: truncateText(due.reason) });
  return due;
}

function createCase(make: () => Edit): EditCase {
  const { says, before, after } = make();
  return {
    make,
    kind: "JobSet",
    situation: says,
    operation: "UPDATE",
    object: asJson(after),
    oldObject: asJson(before),
    cluster: [],
  };
}

// biome-ignore lint/suspicious/noExplicitAny: an edit may be of another type
type Loose = any;

/** A JobSet with every policy. */
const train: AJobSet = aJobSet("train").withSpec({
  startupPolicy: { startupPolicyOrder: "AnyOrder" },
  failurePolicy: { maxRestarts: 3, rules: [{ name: "rule0", action: "FailJobSet" }] },
  volumeClaimPolicies: createClaimingJobSet({
    policy: { retentionPolicy: { whenDeleted: "Retain" } },
  }).spec.volumeClaimPolicies,
  replicatedJobs: [
    replicatedJob(
      "driver",
      {},
      { template: createClaimingJobSet().spec.replicatedJobs?.[0]?.template },
    ),
    replicatedJob("workers", { parallelism: 2, completions: 2 }, { replicas: 2 }),
    replicatedJob("evaluators"),
  ],
});
const suspended = train.suspended();

const spec = (jobSet: AJobSet, members: Loose): AJobSet => jobSet.withSpec(members as JobSetSpec);

const jobNames = ["driver", "workers", "evaluators"] as const;
type JobName = (typeof jobNames)[number];

/** Replaces the ReplicatedJob with this name. */
function withJob(jobSet: AJobSet, name: JobName, change: (job: Loose) => Loose): AJobSet {
  const { replicatedJobs = [] } = jobSet.spec;
  return spec(jobSet, {
    replicatedJobs: replicatedJobs.map((one) => (one.name === name ? change(one) : one)),
  });
}

/** Replaces the ReplicatedJob `workers`. */
function withWorkers(jobSet: AJobSet, change: (job: Loose) => Loose): AJobSet {
  return withJob(jobSet, "workers", change);
}

/** Replaces fields of the Pod template of a ReplicatedJob, and of its Pod spec. */
function withPodTemplate(
  jobSet: AJobSet,
  metadata: Loose,
  podSpec: Loose = {},
  name: JobName = "workers",
): AJobSet {
  return withJob(jobSet, name, (one) => {
    const { template: job } = one;
    const { template: pod } = job.spec;
    const template = { ...pod, metadata, spec: { ...pod.spec, ...podSpec } };
    return { ...one, template: { ...job, spec: { ...job.spec, template } } };
  });
}

/** Replaces fields of the Job spec of a ReplicatedJob. */
function withJobSpec(jobSet: AJobSet, members: Loose, name: JobName = "workers"): AJobSet {
  return withJob(jobSet, name, (one) => ({
    ...one,
    template: { ...one.template, spec: { ...one.template.spec, ...members } },
  }));
}

/** Replaces the metadata of the workers' Jobs. */
function withJobMetadata(jobSet: AJobSet, metadata: Loose): AJobSet {
  return withWorkers(jobSet, (one) => ({ ...one, template: { ...one.template, metadata } }));
}

/**
 * The fields of Pod templates that are mutable in a suspended JobSet. A queue changes them when it admits the
 * workload.
 */
const directives: readonly (readonly [string, metadata: Loose, podSpec?: Loose])[] = [
  ["node selector", undefined, { nodeSelector: { pool: "a" } }],
  ["tolerations", undefined, { tolerations: [{ key: "a", operator: "Exists" }] }],
  ["scheduling gates", undefined, { schedulingGates: [{ name: "a.io/b" }] }],
  ["labels", { labels: { a: "1" } }],
  ["annotations", { annotations: { a: "1" } }],
];

/** The same edits for each ReplicatedJob. */
const directiveEdits: readonly (readonly [string, (jobSet: AJobSet) => AJobSet])[] =
  directives.flatMap(([what, metadata, podSpec]) =>
    jobNames.map(
      (name) =>
        [
          `the ${what} of the Pods of ${name}`,
          (one: AJobSet) => withPodTemplate(one, metadata, podSpec, name),
        ] as const,
    ),
  );

const resumed = (jobSet: AJobSet) => spec(jobSet, { suspend: false });

const owner = { apiVersion: "a.io/v1", kind: "Study", name: "study", uid: "study-uid" };

function withMetadata(members: Loose): JobSet {
  return { ...train, metadata: { ...train.metadata, ...members } };
}

const freeEdits: readonly Edit[] = [
  { says: "it is suspended", before: train, after: suspended },
  { says: "it is resumed", before: suspended, after: resumed(suspended) },
  {
    says: "it gets a TTL",
    before: train,
    after: spec(train, { ttlSecondsAfterFinished: 60 }),
  },
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
      after: resumed(change(suspended)),
    },
    { says: `${what} change as it is suspended`, before: train, after: change(suspended) },
    { says: `${what} are removed as it is suspended`, before: change(train), after: suspended },
  ]),
];

/**
 * Mutable are the suspension, the fields that a queue writes before a resume, the metadata, the coordinator and the
 * TTL.
 */
export const mutableFieldsCanChange: Law<ValidatingWebhook> = createEditsLaw(
  "mutableFieldsCanChange",
  {
    sentence:
      "An update may suspend and resume a JobSet, change metadata, coordinator and TTL, and, while suspended, the scheduling of the Pods.",
    defects: ["#159", "#586", "#623", "#580"],
  },
  freeEdits,
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

const managed = (managedBy?: string) => spec(train, { managedBy });

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
      before: managed("acme.io/a"),
      after: managed("acme.io/b"),
    },
    { says: "a controller manages it now", before: managed(), after: managed("acme.io/a") },
    {
      says: "no specific controller manages it now",
      before: managed("acme.io/a"),
      after: managed(),
    },
    {
      says: "the manager stays",
      before: managed("acme.io/a"),
      after: managed("acme.io/a").withLabels({ a: "b" }),
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

const ended = train.withStatus({
  conditions: [
    {
      type: "Completed",
      status: "True",
      reason: "AllJobsCompleted",
      message: "jobset completed successfully",
      lastTransitionTime: "2026-02-07T06:56:19Z",
    },
  ],
});
/** Scales all ReplicatedJobs, or those that the predicate selects. */
const scaleJobs = (
  jobSet: AJobSet,
  size: number,
  isMeant: (at: number) => boolean = () => true,
) => {
  const jobs: ReplicatedJob[] = (jobSet.spec.replicatedJobs ?? []).map((one, at) => {
    const sizes = isMeant(at) ? { parallelism: size, completions: size } : {};
    return { ...one, template: { ...one.template, spec: { ...one.template.spec, ...sizes } } };
  });
  return spec(jobSet, { replicatedJobs: jobs });
};
const scaled = (
  jobSet: AJobSet,
  parallelism?: number,
  completions = parallelism,
  name: JobName = "workers",
) => withJobSpec(jobSet, { parallelism, completions }, name);

/** Without the feature gate `ElasticJobSet` of the subject, no size may change. */
export const scalingChangesParallelismAndCompletions: Law<ValidatingWebhook> = createEditsLaw(
  "scalingChangesParallelismAndCompletions",
  {
    sentence:
      "An update may change parallelism and completions of Indexed Jobs only with the feature gate, before the JobSet finishes, and to equal positive numbers.",
    defects: [],
  },
  [
    { says: "parallelism and completions grow", before: train, after: scaled(train, 3) },
    { says: "parallelism and completions shrink", before: train, after: scaled(train, 1) },
    { says: "only parallelism grows", before: train, after: scaled(train, 3, 2) },
    { says: "only completions grow", before: train, after: scaled(train, 2, 3) },
    { says: "parallelism and completions become 0", before: train, after: scaled(train, 0) },
    ...jobNames.flatMap((name) => [
      { says: `all Jobs of ${name} grow`, before: train, after: scaled(train, 4, 4, name) },
      {
        says: `all ReplicatedJobs grow, ${name} not in tandem`,
        before: train,
        after: scaled(scaleJobs(train, 3), 4, 3, name),
      },
      {
        says: `all ReplicatedJobs grow, ${name} to 0`,
        before: train,
        after: scaled(scaleJobs(train, 3), 0, 0, name),
      },
      {
        says: `all Jobs of ${name} grow after the JobSet finishes`,
        before: ended,
        after: scaled(ended, 4, 4, name),
      },
    ]),
    {
      says: "parallelism and completions grow after the JobSet finishes",
      before: ended,
      after: scaled(ended, 3),
    },
    {
      says: "replicas grow with them",
      before: train,
      after: withWorkers(scaled(train, 3), (one) => ({ ...one, replicas: 3 })),
    },
    {
      says: "Jobs that are not Indexed grow",
      before: withJobSpec(train, { completionMode: "NonIndexed" }),
      after: scaled(withJobSpec(train, { completionMode: "NonIndexed" }), 3),
    },
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
