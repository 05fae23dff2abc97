import { getReplicatedJobs, type JobSet } from "@jobset-ts/api";
import { EXCLUSIVE_TOPOLOGY_KEY, JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import {
  asArray,
  getAnnotation,
  getControllerOf,
  getLabel,
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
import { isEqualJson } from "../api-server/stored-values.ts";
import type { Change } from "../kernel/component.ts";
import { getJobSetVersions, isTerminal } from "./jobset-facts.ts";
import { isByManager, type SafetyLaw } from "./law.ts";
import { getLeader, isFollower, isLeader } from "./pod-roles.ts";

export const onlyFollowersAreKeptOut: SafetyLaw = {
  name: "onlyFollowersAreKeptOut",
  sentence: "JobSet's webhooks refuse no Pod but followers under exclusive placement.",
  validUnder: "Always",
  appliesTo: "BuiltInController",
  memory: undefined,
  onRefusal: ({ request, rejection }) => {
    if (!isDeniedPod(request, rejection) || isFollower(request.object as unknown as Pod))
      return undefined;
    return `a Pod that follows nobody is refused: ${rejection.message}`;
  },
};

export const denialsNameTheRootCause: SafetyLaw = {
  name: "denialsNameTheRootCause",
  sentence:
    "A follower is refused for its node selector only while its leader is on a node; before that the leader is the reason.",
  // One that does not know that its leader is gone cannot know better.
  validUnder: "WebhooksAgree",
  appliesTo: "BuiltInController",
  memory: undefined,
  onRefusal: ({ request, rejection }, { objects }) => {
    if (!isDeniedPod(request, rejection)) return undefined;
    if (!rejection.message.includes("follower pod node selector")) return undefined;
    const leader = getLeader(request.object as unknown as Pod, objects);
    return leader?.spec.nodeName
      ? undefined
      : `it is told that ${rejection.message}, and ${leader === undefined ? "there is no leader" : "its leader is on no node"}`;
  },
};

function isDeniedPod(
  { verb, object }: { readonly verb: string; readonly object: { readonly kind: string } },
  { message }: { readonly message: string },
): boolean {
  return verb === "create" && object.kind === "Pod" && message.includes('"vpod.kb.io" denied');
}

export const podsAreChangedAsFarAsTheyHaveTo: SafetyLaw = {
  name: "podsAreChangedAsFarAsTheyHaveTo",
  sentence:
    "Under exclusive placement a leader gets affinity, each term once, and a follower the node selector of a domain; other Pods keep both as their Job has them.",
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
    const [own, asked] = [pod.spec, job.spec.template.spec ?? {}];
    const { name } = pod.metadata;
    if (isLeader(pod)) {
      const twice = listTerms(own).find((term, at, terms) =>
        terms.slice(0, at).some((earlier) => isEqualJson(earlier, term)),
      );
      if (twice !== undefined) return `the leader ${name} has a term of its affinity twice`;
    } else if (!isEqualJson(own.affinity, (asked as Pod["spec"]).affinity)) {
      return `Pod ${name} gets another affinity than its Job has`;
    }
    const added = isFollower(pod) ? (getAnnotation(pod, EXCLUSIVE_TOPOLOGY_KEY) ?? "") : "";
    const wanted = (asked as Pod["spec"]).nodeSelector;
    const [had, has] = [wanted, own.nodeSelector].map((selector) =>
      Object.entries(selector ?? {}).filter(([key]) => key !== added),
    );
    return isEqualJson(had, has)
      ? undefined
      : `Pod ${name} gets another node selector than its Job has`;
  },
};

function createJob(pod: Pod, objects: Objects): Job | undefined {
  const owner = getControllerOf(pod);
  const job = objects.get<Job>("Job", pod.metadata.namespace ?? "", owner?.name ?? "");
  return job?.metadata.uid === owner?.uid ? job : undefined;
}

/** The required terms of a Pod's affinity to other Pods, and of its anti-affinity. */
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

export const whatIsLetInCanBeMade: SafetyLaw = {
  name: "whatIsLetInCanBeMade",
  sentence: "What a JobSet that was let in asks for is never invalid to the API server.",
  validUnder: "Always",
  memory: undefined,
  onRefusal: (refused) => {
    const { request, rejection, actor } = refused;
    const { kind, metadata } = request.object;
    if (request.verb !== "create" || rejection.code !== 422) return undefined;
    const isOfJobSet = isByManager(refused) || (actor === "job-controller" && kind === "Pod");
    return isOfJobSet
      ? `${kind} ${metadata?.name ?? metadata?.generateName}: ${rejection.message}`
      : undefined;
  },
};

/** The members of a JobSet's spec that stay as they are once they are there. */
const POLICIES = [
  "failurePolicy",
  "successPolicy",
  "startupPolicy",
  "network",
  "volumeClaimPolicies",
] as const;

export const policiesStay: SafetyLaw = {
  name: "policiesStay",
  sentence: "A policy that a JobSet has is neither changed nor removed, and who manages it stays.",
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

export const replicatedJobsStay: SafetyLaw = {
  name: "replicatedJobsStay",
  sentence:
    "The ReplicatedJobs of a JobSet stay, but for parallelism and completions that are the same until it ends, and for labels, annotations, resources and scheduling of its Pods while it is suspended.",
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
        template: fixedPart(template, mayBeScheduledAnew),
      })),
    );
    const isResized = has.some(
      ({ template }, at) => !keepsSize(had[at]?.template, template, mayScale),
    );
    return isEqualJson(was, is) && !isResized ? undefined : "its ReplicatedJobs change";
  },
};

/** The spec of a JobSet before and after a change of it. */
function getChangedSpecs(change: Change): readonly [JobSet["spec"], JobSet["spec"]] | undefined {
  const { before, after } = getJobSetVersions(change) ?? {};
  if (before === undefined || after === undefined || before.spec === after.spec) return undefined;
  return [before.spec, after.spec];
}

/** Whether parallelism and completions stay, or become the same number where they may change. */
function keepsSize(
  before: JobTemplateSpec | undefined,
  { spec: { parallelism, completions } }: JobTemplateSpec,
  mayScale: boolean,
): boolean {
  const stays =
    before?.spec.parallelism === parallelism && before?.spec.completions === completions;
  return stays || (mayScale && parallelism === completions);
}

/** What else of a Job template stays as it is; metadata without a member is none. */
function fixedPart({ metadata = {}, spec }: JobTemplateSpec, mayBeScheduledAnew: boolean): object {
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

/** A container that asks for no resources may say so, or not. */
function withoutEmptyResources(podSpec: Partial<PodSpec>): Partial<PodSpec> {
  const stripped = (list: PodSpec["initContainers"]) =>
    list?.map(({ resources, ...container }) =>
      Object.keys(resources ?? {}).length === 0 ? container : { ...container, resources },
    );
  const { containers, initContainers, ...others } = podSpec;
  return {
    ...others,
    ...(containers && { containers: stripped(containers) as PodSpec["containers"] }),
    ...(initContainers && { initContainers: stripped(initContainers) as PodSpec["containers"] }),
  };
}

export const coordinatorsAreThere: SafetyLaw = {
  name: "coordinatorsAreThere",
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
    if (named === undefined) return `there is no ReplicatedJob ${replicatedJob}`;
    if (jobIndex >= (named.replicas ?? 1)) return `${replicatedJob} has no Job ${jobIndex}`;
    const { completions, parallelism = 1 } = named.template?.spec ?? {};
    return podIndex >= (completions ?? parallelism)
      ? `the Jobs of ${replicatedJob} have no Pod ${podIndex}`
      : undefined;
  },
};

export const mistakesAreToldByTheirField: SafetyLaw = {
  name: "mistakesAreToldByTheirField",
  sentence: "A JobSet with a mistake is refused with its field, and not for an internal error.",
  validUnder: "Always",
  appliesTo: "BuiltInController",
  memory: undefined,
  onRefusal: ({ request, rejection }) =>
    request.object.kind === "JobSet" &&
    rejection.code === 422 &&
    rejection.message.includes("Internal error")
      ? rejection.message
      : undefined,
};

export const whatWasLetInIsLetInAgain: SafetyLaw<PersistentMap<unknown>> = {
  name: "whatWasLetInIsLetInAgain",
  sentence: "A JobSet that was let in is let in once more after it is gone, over what it left.",
  validUnder: "Always",
  memory: emptyMap(),
  kinds: ["JobSet"],
  onChange: ({ verb, after }, sight) => {
    if (verb !== "Added" || after?.kind !== "JobSet") return undefined;
    sight.memory = sight.memory.set(namespacedName(after), after.spec);
    return undefined;
  },
  onRefusal: ({ request, rejection }, sight) => {
    const { object, verb } = request;
    if (object.kind !== "JobSet" || verb !== "create" || rejection.code !== 422) return undefined;
    const stored = sight.memory.get(`${object.metadata?.namespace}/${object.metadata?.name}`);
    return stored !== undefined && isPartOf(object.spec, stored) ? rejection.message : undefined;
  },
};

/** Whether a value says what another one says, which may say more. */
function isPartOf(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part) && Array.isArray(whole)) {
    return part.length === whole.length && part.every((one, at) => isPartOf(one, whole[at]));
  }
  if (!isObject(part) || !isObject(whole)) return isEqualJson(part, whole);
  return Object.entries(part).every(([name, member]) => isPartOf(member, whole[name]));
}
