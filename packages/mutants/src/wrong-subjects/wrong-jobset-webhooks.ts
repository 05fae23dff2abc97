// Webhooks for JobSets that are wrong about one rule.
import { edit, get, type Loose, list, podSpecMembers, put, words } from "../edit.ts";
import {
  forEach,
  forEachPair,
  isCreation,
  isUpdate,
  JOB,
  jobSpecMembers,
  jobsIn,
  POD,
  someElements,
  under,
  type WrongByLaw,
} from "./jobset-parts.ts";
import { deniedDirectives, stays } from "./wrong-jobset-updates.ts";
import { wrongListChecks, wrongListChecksUnderGates } from "./wrong-list-checks.ts";
import { wrongWebhooks } from "./wrong-subject.ts";
import {
  adding,
  denials,
  denying,
  odd,
  overlooking,
  patching,
  patchingUpdates,
  validating,
} from "./wrong-webhook.ts";

/** On a creation or an update, the validating webhook evaluates another object. */
const seeing = (change: (object: Loose, old: Loose) => unknown) =>
  validating(({ object, oldObject }) => {
    if (object?.spec) change(object, oldObject);
  });
const inSpec = (path: string, change: (value: Loose, owner: Loose) => Loose) =>
  seeing(({ spec }) => edit(spec, path, change));
const inJobs = (change: (job: Loose) => unknown) => seeing((object) => jobsIn(object).map(change));
const countPods = (job: Loose): number => job.replicas * (get(job, `${JOB}.parallelism`) ?? 1);
const sumReplicatedJobs = (jobSet: Loose, count: (job: Loose) => number) =>
  jobsIn(jobSet).reduce((sum, job) => sum + count(job), 0);

const laws: WrongByLaw = {
  replicatedJobsAreImmutable: stays,
  mutableFieldsCanChange: {
    ...deniedDirectives,
    "B40 denies changes of suspend": denying(
      (one) => isUpdate(one) && one.object.spec.suspend !== one.oldObject.spec.suspend,
    ),
  },
  policiesAreNotRemoved: forEach(
    words("network successPolicy failurePolicy startupPolicy volumeClaimPolicies"),
    (name) => [
      `lets updates remove ${name}`,
      seeing(({ spec }, old) => edit(spec, name, (value) => value ?? old?.spec?.[name])),
    ],
  ),
  newJobSetsGetDefaults: {
    ...forEachPair(
      someElements,
      [
        ["ReplicatedJobs", "replicatedJobs"],
        ["failure policy rules", "failurePolicy/rules"],
        ["claim policies", "volumeClaimPolicies"],
      ],
      ([which, isMeant], [what = "", path = ""]) => [
        `sets the defaults of ${which} of the ${what}`,
        patching((patch, sent) =>
          patch.filter((one) => {
            const [, index] = new RegExp(`^/spec/${path}/(\\d+)/`).exec(one.path) ?? [];
            const { length } = list(get(sent?.spec, path.replace("/", ".")));
            return index === undefined || isMeant(Number(index), length);
          }),
        ),
      ],
    ),
    "sets no defaults in a JobSet without a name": patching((patch, sent) =>
      sent?.metadata?.name ? patch : [],
    ),
  },
  givenValuesAreKept: {
    ...forEach([...under(JOB, jobSpecMembers), ...under(POD, podSpecMembers)], (path) => [
      `drops ${path}`,
      adding((sent) =>
        jobsIn(sent).flatMap((job, index) => {
          const removed = `/spec/replicatedJobs/${index}/${path.replaceAll(".", "/")}`;
          return get(job, path) === undefined ? [] : [{ op: "remove", path: removed }];
        }),
      ),
    ]),
    "B66 sets managedBy": adding((sent) => {
      const value = "jobset.sigs.k8s.io/jobset-controller";
      return sent?.spec?.managedBy ? [] : [{ op: "add", path: "/spec/managedBy", value }];
    }),
    "treats false as absent": adding((sent) =>
      sent?.spec?.network?.enableDNSHostnames === false
        ? [{ op: "replace", path: "/spec/network/enableDNSHostnames", value: true }]
        : [],
    ),
    "sets a name": adding((sent) => {
      const { generateName: value, name } = sent?.metadata ?? {};
      return value && !name ? [{ op: "add", path: "/metadata/name", value }] : [];
    }),
  },
  updatesGetNoDefaults: forEach(
    words(
      "successPolicy startupPolicy completionMode restartPolicy network enableDNSHostnames publishNotReadyAddresses name retentionPolicy",
    ),
    (name) => [
      `${name === "successPolicy" ? "B65 " : ""}sets ${name} on updates, too`,
      patchingUpdates(({ path }) => path.endsWith(`/${name}`)),
    ],
  ),
  exclusiveJobsHaveLeaders: {
    "B13 admits exclusive placement of NonIndexed Jobs": odd("NonIndexedExclusiveAdmitted"),
  },
  failureRulesCanApply: {
    "B37 admits message patterns that do not compile": odd("InvalidPatternAdmitted"),
  },
  dependenciesPointBackwards: {
    "B61 admits a ReplicatedJob that depends on itself": odd("SelfDependencyAdmitted"),
  },
  updatesAreRevalidated: {
    "B62 does not repeat the checks of a creation on updates": odd("UpdateSkipsCreateChecks"),
  },
  invalidObjectsGetAnError: {
    "B69 reports errors without a field": odd("UnpathedErrorsAreInternal"),
    "B68 reports errors as Forbidden": denials((status) => ({
      ...status,
      reason: "Forbidden",
      code: 403,
    })),
  },
  existingClaimsAreReused: { "B73 denies a retained PVC": odd("RetainedClaimRejected") },
  scalingChangesParallelismAndCompletions: {
    "lets Pod counts change without the gate": odd(undefined, ["ElasticJobSet"]),
  },
  namesFit: {
    "B51 does not check the names of Pods": overlooking(/pod names generated for this JobSet/),
    "treats generateName as the name": seeing(({ metadata }) =>
      edit(metadata, "name", (name) => metadata.generateName ?? name),
    ),
  },
  coordinatorsAreValid: {
    "B55 throws on a coordinator without completions": denying(({ object }) => {
      const hasNone = jobsIn(object).some((job) => !get(job, `${JOB}.completions`));
      if (object?.spec?.coordinator && hasNone) throw new TypeError("completions");
      return false;
    }),
    "B56 looks up the first ReplicatedJob for the coordinator": seeing((object) =>
      edit(object.spec, "coordinator.replicatedJob", () => jobsIn(object)[0]?.name),
    ),
    "admits a coordinator after the last Pod": inSpec("coordinator.podIndex", (index) =>
      index > 0 ? index - 1 : index,
    ),
    "checks the address of a coordinator as if its indexes were 0": inSpec(
      "coordinator",
      (one) => one && { ...one, jobIndex: 0, podIndex: 0 },
    ),
  },
  podsCanBeCounted: {
    "B64 lets the number of Pods overflow": inJobs((job) => {
      if ((countPods(job) | 0) >= 0 && countPods(job) >= 2 ** 31) job.replicas = 1;
    }),
    "counts Pods over all ReplicatedJobs": denying(
      (one) => isCreation(one) && sumReplicatedJobs(one.object, countPods) >= 2 ** 31,
    ),
  },
  subdomainsAreServiceNames: {
    "B71 admits a subdomain that starts with a digit": inSpec("network.subdomain", (name) =>
      name?.replace(/^\d/, "a"),
    ),
  },
  managedByIsImmutable: {
    "lets managedBy change": seeing(({ spec }, old) => {
      if (old?.spec) put(spec, "managedBy", old.spec.managedBy);
    }),
    "lets managedBy be added": seeing(({ spec }, old) => {
      if (old?.spec && old.spec.managedBy === undefined) delete spec.managedBy;
    }),
  },
  managedByHasADomain: {
    "denies managedBy of 63 bytes": denying(({ object }) => object?.spec?.managedBy?.length === 63),
    "denies managedBy with two slashes": denying(({ object }) =>
      /\/.*\//.test(object?.spec?.managedBy ?? ""),
    ),
  },
  jobSetDeletionIsAllowed: {
    "denies deletions": denying(({ operation }) => operation === "DELETE"),
    "checks updates like creations": validating((question) => {
      if (isUpdate(question)) question.operation = "CREATE";
    }),
  },
  claimsCanBeMounted: {
    "ignores the volume mounts of init containers": inJobs((job) =>
      edit(job, `${POD}.initContainers`, () => undefined),
    ),
  },
};

const lawsUnderGates: WrongByLaw = {
  scalingChangesParallelismAndCompletions: {
    "lets Pod counts change after the JobSet has finished": validating(({ object, oldObject }) => {
      for (const one of [object, oldObject]) edit(one, "status", () => undefined);
    }),
    "lets NonIndexed Jobs scale": validating(({ object, oldObject }) => {
      for (const job of [...jobsIn(object), ...jobsIn(oldObject)])
        put(job, `${JOB}.completionMode`, "Indexed");
    }),
  },
  jobRestartsCanBeCounted: {
    "denies 1024 Jobs under single restarts": denying(
      (one) => isCreation(one) && jobsIn(one.object).some(({ replicas }) => replicas === 1024),
    ),
    "counts Jobs under single restarts over all ReplicatedJobs": denying(
      (one) =>
        isCreation(one) &&
        jobsIn(one.object).every(({ replicas }) => replicas <= 1024) &&
        sumReplicatedJobs(one.object, ({ replicas }) => replicas) > 1024,
    ),
  },
};

export const wrongJobSetWebhooks = [
  ...wrongWebhooks("jobSets", wrongListChecks),
  ...wrongWebhooks("jobSetsUnderGates", wrongListChecksUnderGates),
  ...wrongWebhooks("jobSets", laws),
  ...wrongWebhooks("jobSetsUnderGates", lawsUnderGates),
];
