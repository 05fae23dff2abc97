import { type JobSet, podHostname, type ReplicatedJob, type Unvalidated } from "@jobset-ts/api";
import { EXCLUSIVE_TOPOLOGY_KEY } from "@jobset-ts/api/keys";
import {
  getName,
  type Job,
  validateDNS1035Label,
  validateDNS1123Label,
  validateDNS1123Subdomain,
  validateLabelValue,
  validateQualifiedName,
} from "@jobset-ts/api/kubernetes";
import {
  type Context,
  createContext,
  createSnapshot,
  NO_QUIRKS,
  quirks,
  type Snapshot,
} from "@jobset-ts/core";
import {
  desiredJobs,
  desiredService,
  desiredVolumeClaims,
  usesNodeSelectorStrategy,
} from "@jobset-ts/core/desired";
import { aJob, aJobSet, aReplicatedJob } from "@jobset-ts/testing";
import { manifests } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import type { resumeJob } from "../../../../core/src/child-jobs/resume-job.ts";
import { corrupted, hostileValues } from "../../../../testing/src/arbitraries/hostile-values.ts";
import { claim, claimSame } from "../../../../testing/src/laws/claim.ts";
import { deepFreeze, findFrozenPath } from "../../../../testing/src/testing/freezing.ts";
import type {
  AdmissionContext,
  JobSetAdmissionResult,
  ValidationResult,
  WebhookRequest,
} from "../../index.ts";

/** All stages of a request in a cluster. */
export type AdmitJobSet = (
  request: WebhookRequest,
  snapshot: Snapshot,
  context: AdmissionContext,
) => JobSetAdmissionResult;

/** The validating webhook. */
export type ValidateJobSet = (
  request: WebhookRequest,
  snapshot: Snapshot,
  context: AdmissionContext,
) => ValidationResult;

/** A function that resumes a suspended Job. */
export type ResumeJob = (
  jobSet: Unvalidated<JobSet>,
  replicatedJob: Unvalidated<ReplicatedJob>,
  job: Unvalidated<Job>,
  context: Context,
) => ReturnType<typeof resumeJob>;

const emptyCluster = createSnapshot([], { kinds: ["PersistentVolumeClaim"] });
const contextWithGates = createContext({
  now: 0,
  features: { ElasticJobSet: true, RestartJob: true },
});

/** Defaulting is idempotent. An object that already has all defaults is returned unchanged. */
export function defaultingIsIdempotent(
  subject: (jobSet: Unvalidated<JobSet>) => unknown,
): fc.IProperty<unknown> {
  return fc.property(fc.oneof(manifests(), corrupted(manifests())), (jobSet) => {
    const once = subject(jobSet as Unvalidated<JobSet>);
    const twice = subject(once as Unvalidated<JobSet>);
    claim(Object.is(twice, once), "the second time changes something", jobSet);
  });
}

/** The mutating webhook does not change updates, so a default that a user removed later is not added again. */
export function updatesGetNoDefaults(subject: AdmitJobSet): fc.IProperty<unknown> {
  return fc.property(manifests(), (manifest) => {
    const created = subject(
      { operation: "CREATE", object: manifest },
      emptyCluster,
      contextWithGates,
    );
    if (!created.allowed) return;
    const { stored: oldObject } = created;
    const { network: _, successPolicy: __, ...spec } = { ...oldObject?.spec };
    const object = { ...oldObject, spec };
    const context = { ...contextWithGates, quirks: new Set(["PolicyRemovable"] as const) };
    const updated = subject({ operation: "UPDATE", object, oldObject }, emptyCluster, context);
    claim(updated.allowed, "the update is refused", updated);
    if (updated.allowed) claimSame(updated.stored, object, "the update was changed");
  });
}

/**
 * If a JobSet is admitted, the API server accepts the names, labels, selectors and volumes of its Service,
 * PersistentVolumeClaims, Jobs and Pods at every index. Values from its templates are not checked.
 */
export function admittedJobSetsMakeValidObjects(subject: AdmitJobSet): fc.IProperty<unknown> {
  return fc.property(manifests(), (object) => {
    const admitted = subject({ operation: "CREATE", object }, emptyCluster, contextWithGates);
    const { stored } = admitted.allowed ? admitted : {};
    if (stored === undefined) return;
    for (const job of desiredJobs(stored, contextWithGates)) jobIsValid(job);
    const service = desiredService(stored);
    if (service !== undefined) {
      claimSame(validateDNS1123Label(getName(service)), [], `the Service ${getName(service)}`);
      labelsAreValid(service.spec?.selector, "the Service's selector");
    }
    for (const { metadata } of desiredVolumeClaims(stored)) {
      claimSame(validateDNS1123Subdomain(metadata.name ?? ""), [], `the claim ${metadata.name}`);
      labelsAreValid(metadata.labels, "the claim's label");
    }
  });
}

function labelsAreValid(labels: Readonly<Record<string, string>> = {}, what: string): void {
  for (const [key, value] of Object.entries(labels)) {
    claimSame(validateQualifiedName(key), [], `${what} ${key}`);
    claimSame(validateLabelValue(value), [], `${what} ${key} is ${value}`);
  }
}

function jobIsValid(job: Job): void {
  claimSame(validateDNS1035Label(getName(job)), [], `the Job ${getName(job)}`);
  const { metadata, spec } = job.spec.template;
  labelsAreValid(job.metadata.labels, "the label");
  labelsAreValid(metadata?.labels, "the Pods' label");
  labelsAreValid(spec?.nodeSelector, "the node selector");
  const { subdomain = "", volumes = [] } = spec ?? {};
  claimSame(
    subdomain === "" ? [] : validateDNS1123Label(subdomain),
    [],
    `the subdomain ${subdomain}`,
  );
  for (const { name } of volumes) claimSame(validateDNS1123Label(name), [], `the volume ${name}`);
  const annotations = metadata?.annotations ?? {};
  const topologyKey = annotations[EXCLUSIVE_TOPOLOGY_KEY];
  if (topologyKey !== undefined && !usesNodeSelectorStrategy(annotations)) {
    claimSame(validateQualifiedName(topologyKey), [], `the topology key ${topologyKey}`);
  }
  const { completionMode, completions } = job.spec;
  if (completionMode !== "Indexed") return;
  for (let index = 0; index < (completions ?? 0); index += 1) {
    const pod = `${podHostname(getName(job), index)}-abcde`;
    claimSame(validateDNS1035Label(pod), [], `the Pod ${pod}`);
  }
}

/** An update that changes only metadata is admitted for any JobSet, so a finalizer can always be removed. */
export function finalizersCanBeRemoved(subject: ValidateJobSet): fc.IProperty<unknown> {
  return fc.property(
    manifests(),
    fc.constantFrom(contextWithGates, createUpstreamContext()),
    (jobSet, context) => {
      const withFinalizers = { ...jobSet.metadata, finalizers: ["foregroundDeletion"] };
      const oldObject = { ...jobSet, metadata: withFinalizers };
      const result = subject(
        { operation: "UPDATE", object: jobSet, oldObject },
        emptyCluster,
        context,
      );
      claim(result.allowed, "the finalizer cannot go", result);
    },
  );
}

/**
 * If a JobSet is admitted on creation and an update of it is admitted, the updated JobSet would also be admitted on
 * creation.
 */
export function updatesKeepWhatCreationChecks(subject: ValidateJobSet): fc.IProperty<unknown> {
  return fc.property(manifests(), manifests(), fc.nat(200), (oldObject, other, size) => {
    const call = (request: WebhookRequest) =>
      subject(request, emptyCluster, contextWithGates).allowed;
    if (!call({ operation: "CREATE", object: oldObject })) return;
    const edits = [
      { coordinator: other.spec.coordinator },
      { failurePolicy: other.spec.failurePolicy },
      { replicatedJobs: oldObject.spec.replicatedJobs?.map((one) => resizeJobs(one, size)) },
    ];
    for (const edit of edits) {
      const metadata = { ...oldObject.metadata, annotations: other.metadata.annotations };
      const object = { ...oldObject, metadata, spec: { ...oldObject.spec, ...edit } };
      if (!call({ operation: "UPDATE", object, oldObject })) continue;
      claim(call({ operation: "CREATE", object }), "the update breaks it", oldObject, object);
    }
  });
}

function resizeJobs(one: ReplicatedJob, size: number): ReplicatedJob {
  const spec = { ...one.template.spec, parallelism: size, completions: size };
  return { ...one, template: { ...one.template, spec } };
}

/**
 * A JobSet that is admitted without quirks is also admitted with upstream's quirks, because each defect admits too
 * much. `RetainedClaimRejected` is the exception and is excluded.
 */
export function quirksOnlyAdmitMore(subject: ValidateJobSet): fc.IProperty<unknown> {
  const upstream = createUpstreamContext();
  return fc.property(manifests(), manifests(), fc.boolean(), (object, other, isUpdate) => {
    const oldObject = {
      ...other,
      spec: { ...other.spec, replicatedJobs: object.spec.replicatedJobs },
    };
    const request: WebhookRequest = isUpdate
      ? { operation: "UPDATE", object, oldObject }
      : { operation: "CREATE", object };
    if (!subject(request, emptyCluster, { ...contextWithGates, quirks: NO_QUIRKS }).allowed) return;
    claim(subject(request, emptyCluster, upstream).allowed, "upstream refuses it", request);
  });
}

function createUpstreamContext(): Context {
  return {
    ...contextWithGates,
    quirks: new Set(quirks.filter((quirk) => quirk !== "RetainedClaimRejected")),
  };
}

/**
 * The members of a Pod template that may change while the JobSet is suspended are those that a resume copies to the
 * Jobs, with and without KEP-1150. Otherwise, a change could be admitted and lost.
 */
export function editsWhileSuspendedReachJobs(
  validate: ValidateJobSet,
  resume: ResumeJob,
): fc.IProperty<unknown> {
  const gates = fc.record({ MutablePodResourcesForSuspendedJobSets: fc.boolean() });
  return fc.property(fc.constantFrom(...podTemplateEdits), gates, (edit, features) => {
    const context = createContext({ now: 0, features });
    const [oldObject, object] = [suspendedJobSet({}), suspendedJobSet(edit)];
    const request: WebhookRequest = { operation: "UPDATE", object, oldObject };
    const mayChange = validate(request, emptyCluster, context).allowed;
    const [before, after] = [oldObject, object].map((jobSet) =>
      resumeFirstJob(jobSet, resume, context),
    );
    const isHandedOn = JSON.stringify(before) !== JSON.stringify(after);
    claim(mayChange === isHandedOn, "only one of the two knows it", {
      edit,
      mayChange,
      isHandedOn,
    });
  });
}

interface PodTemplateEdit {
  readonly jobSpec?: object;
  readonly metadata?: object;
  readonly spec?: object;
  readonly container?: object;
}

const podTemplateEdits: readonly PodTemplateEdit[] = [
  { metadata: { labels: { a: "1" } } },
  { metadata: { annotations: { a: "1" } } },
  { metadata: { finalizers: ["a.io/b"] } },
  { spec: { nodeSelector: { pool: "a" } } },
  { spec: { tolerations: [{ key: "a" }] } },
  { spec: { schedulingGates: [{ name: "a.io/b" }] } },
  { spec: { affinity: { nodeAffinity: {} } } },
  { spec: { hostNetwork: true } },
  { spec: { priorityClassName: "high" } },
  { spec: { schedulerName: "other" } },
  { spec: { serviceAccountName: "sa" } },
  { spec: { terminationGracePeriodSeconds: 5 } },
  { spec: { volumes: [{ name: "v", emptyDir: {} }] } },
  { spec: { initContainers: [{ name: "i", image: "img" }] } },
  { spec: { restartPolicy: "OnFailure" } },
  { container: { image: "other" } },
  { container: { env: [{ name: "A", value: "1" }] } },
  { container: { resources: { requests: { cpu: "1" } } } },
  { container: { resources: { limits: { memory: "1Gi" } } } },
  { container: { resources: { claims: [{ name: "gpu" }] } } },
  { jobSpec: { backoffLimit: 3 } },
  { jobSpec: { activeDeadlineSeconds: 3 } },
  { jobSpec: { parallelism: 2 } },
];

function suspendedJobSet({ jobSpec, metadata = {}, spec = {}, container = {} }: PodTemplateEdit) {
  const { template } = aReplicatedJob("w");
  const containers = [{ name: "main", image: "img", ...container }];
  const pod = { metadata, spec: { restartPolicy: "Never" as const, containers, ...spec } };
  return aJobSet("train")
    .withReplicatedJob("w", { template: { spec: { ...template.spec, template: pod, ...jobSpec } } })
    .suspended();
}

/** The Job of the JobSet before the update, resumed under the JobSet after it. */
function resumeFirstJob(jobSet: JobSet, resume: ResumeJob, context: Context): unknown {
  const [job] = desiredJobs(suspendedJobSet({}), context);
  const [replicatedJob = aReplicatedJob("w")] = jobSet.spec.replicatedJobs ?? [];
  return resume(jobSet, replicatedJob, job ?? aJob("train-w-0"), context).job;
}

/**
 * Every request gets a response, whatever it contains. The response is plain data and the same for frozen input, and
 * the input is not changed. A denial has a root, or names the missing fact.
 */
export function anyJobSetRequestGetsResponse(
  subject: AdmitJobSet | ValidateJobSet,
): fc.IProperty<unknown> {
  const objects = fc.oneof(
    { arbitrary: corrupted(manifests()), weight: 3 },
    { arbitrary: hostileValues(), weight: 1 },
  );
  const request = fc.record({
    operation: fc.constantFrom("CREATE" as const, "UPDATE" as const, "DELETE" as const),
    object: objects,
    oldObject: objects,
  });
  const contexts = fc.constantFrom(contextWithGates, createUpstreamContext());
  return fc.property(request, contexts, fc.boolean(), (drawn, context, knowsClaims) => {
    const snapshot = knowsClaims ? emptyCluster : createSnapshot([]);
    subject(drawn, snapshot, context); // Also in the form that a typed client returns.
    const wire: WebhookRequest = JSON.parse(JSON.stringify(drawn));
    const text = JSON.stringify(wire);
    const result = subject(wire, snapshot, context);
    claimSame(JSON.stringify(wire), text, "the input has changed");
    claimSame(findFrozenPath(wire), undefined, "the input has been frozen");
    claimSame(subject(deepFreeze(wire), snapshot, context), result, "frozen input differs");
    claimSame(JSON.parse(JSON.stringify(result)), result, "the answer is not plain data");
    if (!result.allowed) expectReason(result.denial);
  });
}

function expectReason({
  roots,
  unknown,
  status,
}: Extract<ValidationResult, { allowed: false }>["denial"]) {
  claim(roots.length + unknown.length > 0, "the denial has neither root nor unknown");
  claim(status.message !== "" && status.code >= 400, "the status says nothing", status);
}
