import { getReplicatedJobs, type JobSet } from "@jobset-ts/api";
import { EXCLUSIVE_TOPOLOGY_KEY, JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import {
  asArray,
  getAnnotation,
  getControllerOf,
  getLabel,
  isEqualJson,
  isObject,
  type Job,
  type JobTemplateSpec,
  namespacedName,
  type Pod,
  type PodSpec,
  type PodTemplateSpec,
} from "@jobset-ts/api/kubernetes";
import { emptyMap, type PersistentMap } from "@jobset-ts/core/persistent-map";
import type { Objects } from "../api-server/objects.ts";
import type { Change } from "../kernel/component.ts";
import { getJobSetVersions, isTerminal } from "./jobset-facts.ts";
import { isByManager, type SafetyLaw } from "./law.ts";
import { getLeader, isFollower, isLeader } from "./pod-roles.ts";

export const onlyFollowersAreDenied: SafetyLaw = {
  name: "onlyFollowersAreDenied",
  sentence: "JobSet's webhooks deny only Pods that are followers under exclusive placement.",
  validUnder: "Always",
  appliesTo: "BuiltInController",
  memory: undefined,
  onRejection: ({ request, rejection }) => {
    if (!isDeniedPod(request, rejection) || isFollower(request.object as unknown as Pod))
      return undefined;
    return `the webhook denies a Pod that is not a follower: ${rejection.message}`;
  },
};

export const denialsNameTheRootCause: SafetyLaw = {
  name: "denialsNameTheRootCause",
  sentence:
    "The webhook denies a follower for its node selector only if its leader is on a node; otherwise, the denial names the leader as the reason.",
  // A webhook replica with stale caches cannot know that the leader is gone.
  validUnder: "WebhooksAgree",
  appliesTo: "BuiltInController",
  memory: undefined,
  onRejection: ({ request, rejection }, { objects }) => {
    if (!isDeniedPod(request, rejection)) return undefined;
    if (!rejection.message.includes("follower pod node selector")) return undefined;
    const leader = getLeader(request.object as unknown as Pod, objects);
    return leader?.spec.nodeName
      ? undefined
      : `the denial is "${rejection.message}", but ${leader === undefined ? "there is no leader" : "the leader is not on a node"}`;
  },
};

function isDeniedPod(
  { verb, object }: { readonly verb: string; readonly object: { readonly kind: string } },
  { message }: { readonly message: string },
): boolean {
  return verb === "create" && object.kind === "Pod" && message.includes('"vpod.kb.io" denied');
}

export const podsGetOnlyRequiredChanges: SafetyLaw = {
  name: "podsGetOnlyRequiredChanges",
  sentence:
    "Under exclusive placement, a leader gets each affinity term once and a follower gets the node selector of a domain; other Pods keep the affinity and node selector of their Job.",
  validUnder: "Always",
  appliesTo: "BuiltInController",
  memory: undefined,
  kinds: ["Pod"],
  onChange: ({ verb, after, actor }, { objects }) => {
    if (verb !== "Added" || after?.kind !== "Pod" || actor !== "job-controller") return undefined;
    const pod = after as unknown as Pod;
    if (getLabel(pod, JOBSET_NAME_KEY) === undefined) return undefined;
    const job = createJob(pod, objects);
    if (job === undefined) return undefined;
    const [own, template] = [pod.spec, job.spec.template.spec ?? {}];
    const { name } = pod.metadata;
    if (isLeader(pod)) {
      const twice = listTerms(own).find((term, at, terms) =>
        terms.slice(0, at).some((earlier) => isEqualJson(earlier, term)),
      );
      if (twice !== undefined) return `the leader ${name} has an affinity term twice`;
    } else if (!isEqualJson(own.affinity, (template as Pod["spec"]).affinity)) {
      return `the affinity of Pod ${name} differs from that of its Job`;
    }
    const added = isFollower(pod) ? (getAnnotation(pod, EXCLUSIVE_TOPOLOGY_KEY) ?? "") : "";
    const desired = (template as Pod["spec"]).nodeSelector;
    const [had, has] = [desired, own.nodeSelector].map((selector) =>
      Object.entries(selector ?? {}).filter(([key]) => key !== added),
    );
    return isEqualJson(had, has)
      ? undefined
      : `the node selector of Pod ${name} differs from that of its Job`;
  },
};

function createJob(pod: Pod, objects: Objects): Job | undefined {
  const owner = getControllerOf(pod);
  const job = objects.get<Job>("Job", pod.metadata.namespace ?? "", owner?.name ?? "");
  return job?.metadata.uid === owner?.uid ? job : undefined;
}

/** Returns the required terms of a Pod's affinity and anti-affinity to other Pods. */
function listTerms({ affinity }: Pod["spec"]): readonly unknown[] {
  const groups = isObject(affinity) ? [affinity.podAffinity, affinity.podAntiAffinity] : [];
  return groups.flatMap((group, at) =>
    isObject(group)
      ? asArray(group.requiredDuringSchedulingIgnoredDuringExecution as object[]).map((term) => [
          at,
          term,
        ])
      : [],
  );
}

export const admittedJobSetsCanBeCreated: SafetyLaw = {
  name: "admittedJobSetsCanBeCreated",
  sentence:
    "If the webhooks admit a JobSet, the API server never rejects the objects that it requests as invalid.",
  validUnder: "Always",
  memory: undefined,
  onRejection: (rejected) => {
    const { request, rejection, actor } = rejected;
    const { kind, metadata } = request.object;
    if (request.verb !== "create" || rejection.code !== 422) return undefined;
    const isOfJobSet = isByManager(rejected) || (actor === "job-controller" && kind === "Pod");
    return isOfJobSet
      ? `${kind} ${metadata?.name ?? metadata?.generateName}: ${rejection.message}`
      : undefined;
  },
};

/** The immutable members of a JobSet's spec. */
const POLICIES = [
  "failurePolicy",
  "successPolicy",
  "startupPolicy",
  "network",
  "volumeClaimPolicies",
] as const;

export const policiesAreImmutable: SafetyLaw = {
  name: "policiesAreImmutable",
  sentence: "The policies and managedBy of a JobSet are immutable.",
  validUnder: "Always",
  appliesTo: "BuiltInController",
  memory: undefined,
  kinds: ["JobSet"],
  onChange: (change) => {
    const [before, after] = getChangedSpecs(change) ?? [];
    if (before === undefined || after === undefined) return undefined;
    const changed = POLICIES.find(
      (name) => before[name] !== undefined && !isEqualJson(before[name], after[name]),
    );
    if (changed !== undefined) return `spec.${changed} changes`;
    return before.managedBy === after.managedBy ? undefined : "spec.managedBy changes";
  },
};

export const replicatedJobsAreImmutable: SafetyLaw = {
  name: "replicatedJobsAreImmutable",
  sentence:
    "The ReplicatedJobs of a JobSet are immutable, except parallelism and completions that are equal until it finishes, and Pod labels, annotations, resources and scheduling directives while it is suspended.",
  validUnder: "Always",
  appliesTo: "BuiltInController",
  memory: undefined,
  kinds: ["JobSet"],
  onChange: (change) => {
    const specs = getChangedSpecs(change);
    if (specs === undefined) return undefined;
    const mayScale = !isTerminal(change.before as unknown as JobSet);
    const mayBeScheduledAnew = specs.some(({ suspend }) => suspend === true);
    const [had = [], has = []] = specs.map(({ replicatedJobs }) => asArray(replicatedJobs));
    const [was, is] = [had, has].map((all) =>
      all.map(({ template, ...others }) => ({
        ...others,
        template: immutablePart(template, mayBeScheduledAnew),
      })),
    );
    const isResized = has.some(
      ({ template }, at) => !keepsSize(had[at]?.template, template, mayScale),
    );
    return isEqualJson(was, is) && !isResized
      ? undefined
      : "an immutable part of its ReplicatedJobs changes";
  },
};

/** Returns the spec of a JobSet before and after a change. */
function getChangedSpecs(change: Change): readonly [JobSet["spec"], JobSet["spec"]] | undefined {
  const { before, after } = getJobSetVersions(change) ?? {};
  if (before === undefined || after === undefined || before.spec === after.spec) return undefined;
  return [before.spec, after.spec];
}

/** Reports whether parallelism and completions are unchanged, or become the same number where they may change. */
function keepsSize(
  before: JobTemplateSpec | undefined,
  { spec: { parallelism, completions } }: JobTemplateSpec,
  mayScale: boolean,
): boolean {
  const stays =
    before?.spec.parallelism === parallelism && before?.spec.completions === completions;
  return stays || (mayScale && parallelism === completions);
}

/** Returns the immutable part of a Job template. Empty metadata equals absent metadata. */
function immutablePart(
  { metadata = {}, spec }: JobTemplateSpec,
  mayBeScheduledAnew: boolean,
): object {
  const { parallelism: _parallelism, completions: _completions, template, ...others } = spec;
  const { metadata: ofPods = {}, spec: givenSpec = {} } = template as Partial<PodTemplateSpec>;
  const podSpec = withoutEmptyResources(givenSpec as Partial<PodSpec>);
  if (!mayBeScheduledAnew) return { metadata, ofPods, podSpec, others };
  const { labels: _, annotations: __, ...ownMetadata } = ofPods;
  const { nodeSelector, tolerations, schedulingGates, ...ownSpec } = podSpec;
  const [containers, initContainers] = [ownSpec.containers, ownSpec.initContainers].map((list) =>
    asArray(list).map(({ resources, ...container }) => container),
  );
  const ownParts = { ...ownSpec, containers, initContainers };
  return { metadata, ofPods: ownMetadata, podSpec: ownParts, others };
}

/** A container without resource requests may have an empty `resources` member or none. */
function withoutEmptyResources(podSpec: Partial<PodSpec>): Partial<PodSpec> {
  const withoutEmptyLists = (list: PodSpec["initContainers"]) =>
    list?.map(({ resources, ...container }) =>
      Object.keys(resources ?? {}).length === 0 ? container : { ...container, resources },
    );
  const { containers, initContainers, ...others } = podSpec;
  return {
    ...others,
    ...(containers && { containers: withoutEmptyLists(containers) as PodSpec["containers"] }),
    ...(initContainers && {
      initContainers: withoutEmptyLists(initContainers) as PodSpec["containers"],
    }),
  };
}

export const coordinatorsExist: SafetyLaw = {
  name: "coordinatorsExist",
  sentence: "The coordinator of a JobSet is one of its Pods.",
  validUnder: "Always",
  appliesTo: "BuiltInController",
  memory: undefined,
  kinds: ["JobSet"],
  onChange: ({ before, after }) => {
    if (after?.kind !== "JobSet") return undefined;
    const { spec } = after as unknown as JobSet;
    const { coordinator } = spec;
    if (coordinator === undefined || (before as unknown as JobSet | undefined)?.spec === spec)
      return undefined;
    const { replicatedJob, jobIndex = 0, podIndex = 0 } = coordinator;
    const named = getReplicatedJobs(after as unknown as JobSet).find(
      ({ name }) => name === replicatedJob,
    );
    if (named === undefined) return `the ReplicatedJob ${replicatedJob} does not exist`;
    if (jobIndex >= (named.replicas ?? 1)) return `${replicatedJob} has no Job ${jobIndex}`;
    const { completions, parallelism = 1 } = named.template?.spec ?? {};
    return podIndex >= (completions ?? parallelism)
      ? `the Jobs of ${replicatedJob} have no Pod with index ${podIndex}`
      : undefined;
  },
};

export const validationErrorsNameTheirField: SafetyLaw = {
  name: "validationErrorsNameTheirField",
  sentence:
    "An invalid JobSet is denied with the name of the invalid field, not with an internal error.",
  validUnder: "Always",
  appliesTo: "BuiltInController",
  memory: undefined,
  onRejection: ({ request, rejection }) =>
    request.object.kind === "JobSet" &&
    rejection.code === 422 &&
    rejection.message.includes("Internal error")
      ? rejection.message
      : undefined,
};

export const admittedObjectsAreAdmittedAgain: SafetyLaw<PersistentMap<unknown>> = {
  name: "admittedObjectsAreAdmittedAgain",
  sentence:
    "If a JobSet was admitted once, it is admitted again after its deletion, whatever objects it left.",
  validUnder: "Always",
  memory: emptyMap(),
  kinds: ["JobSet"],
  onChange: ({ verb, after }, context) => {
    if (verb !== "Added" || after?.kind !== "JobSet") return undefined;
    context.memory = context.memory.set(namespacedName(after), after.spec);
    return undefined;
  },
  onRejection: ({ request, rejection }, context) => {
    const { object, verb } = request;
    if (object.kind !== "JobSet" || verb !== "create" || rejection.code !== 422) return undefined;
    const stored = context.memory.get(`${object.metadata?.namespace}/${object.metadata?.name}`);
    return stored !== undefined && isPartOf(object.spec, stored) ? rejection.message : undefined;
  },
};

/** Reports whether a value contains everything in another value. It may contain more. */
function isPartOf(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part) && Array.isArray(whole)) {
    return part.length === whole.length && part.every((one, at) => isPartOf(one, whole[at]));
  }
  if (!isObject(part) || !isObject(whole)) return isEqualJson(part, whole);
  return Object.entries(part).every(([name, member]) => isPartOf(member, whole[name]));
}
