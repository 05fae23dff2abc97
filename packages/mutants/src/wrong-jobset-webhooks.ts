// Webhooks for JobSets that are wrong about one member or one element.
import { edit, get, type Loose, list, podSpecMembers, put, words } from "./edit.ts";
import { type SubjectsByLaw, wrongWebhooks } from "./wrong-subject.ts";
import {
  adding,
  denials,
  denying,
  odd,
  overlooking,
  patching,
  patchingUpdates,
  type Question,
  validating,
  type WrongWebhook,
} from "./wrong-webhook.ts";

type WrongByLaw = SubjectsByLaw<WrongWebhook>;
type Wrong = WrongByLaw[string];

/** Creates a wrong webhook from each item. */
function createNamedMutants<From>(
  all: readonly From[],
  make: (one: From) => [string, WrongWebhook],
): Wrong {
  return Object.fromEntries(all.map(make));
}

function pairs<One, Other>(ones: readonly One[], others: readonly Other[]): [One, Other][] {
  return ones.flatMap((one) => others.map((other): [One, Other] => [one, other]));
}

const JOB = "template.spec";
const POD = "template.spec.template.spec";
const metadataMembers = words("name labels annotations finalizers");
const jobSpecMembers = words(
  "parallelism completions activeDeadlineSeconds podFailurePolicy successPolicy backoffLimit backoffLimitPerIndex maxFailedIndexes selector manualSelector ttlSecondsAfterFinished completionMode suspend podReplacementPolicy managedBy",
);
const containerMembers = words(
  "image command args workingDir ports envFrom env resources resizePolicy restartPolicy restartPolicyRules volumeMounts volumeDevices livenessProbe readinessProbe startupProbe lifecycle terminationMessagePath terminationMessagePolicy imagePullPolicy securityContext stdin stdinOnce tty",
);

/** The elements of a list that a webhook checks if it does not check all of them. */
const someElements: Readonly<Record<string, (index: number, length: number) => boolean>> = {
  "only the first": (index) => index === 0,
  "only the last": (index, length) => index === length - 1,
  "all but the last": (index, length) => length === 1 || index < length - 1,
};

const jobsIn = (jobSet: Loose): Loose[] => list(jobSet?.spec?.replicatedJobs);
const isUpdate = ({ operation }: Question) => operation === "UPDATE";
const isCreation = ({ operation }: Question) => operation === "CREATE";
const under = (parent: string, members: readonly string[]) =>
  members.map((name) => `${parent}.${name}`);

type States = (wasSuspended: boolean, isSuspended: boolean) => boolean;
const always: States = () => true;
const suspending: States = (was, is) => !was && is;
const resuming: States = (was, is) => was && !is;
const isIn = (states: States, { object, oldObject }: Question) =>
  states(oldObject?.spec?.suspend === true, object?.spec?.suspend === true);

/** On an update, changes each ReplicatedJob that has an old one at its index. */
function onPairs(
  change: (next: Loose, old: Loose, index: number, length: number) => void,
  states = always,
): WrongWebhook {
  return validating((question) => {
    if (!isUpdate(question) || !isIn(states, question)) return;
    const old = jobsIn(question.oldObject);
    for (const [index, next] of jobsIn(question.object).entries())
      if (old[index] !== undefined) change(next, old[index], index, old.length);
  });
}

/** Changes the elements of a list of the Pods, given the old ones. */
const inElements = (
  name: string,
  change: (value: Loose, before: Loose, index: number, oldLength: number) => Loose,
) =>
  onPairs((next, old) => {
    const before = list(get(old, `${POD}.${name}`));
    edit(next, `${POD}.${name}.*`, (value, _, index) =>
      change(value, before[index], index, before.length),
    );
  });
const keepingOld = (path: string, states?: States) =>
  onPairs((next, old) => put(next, path, get(old, path)), states);

/** Lets members of ReplicatedJobs change that may not change while the JobSet runs. */
const stays: Wrong = {
  ...createNamedMutants(
    [
      "groupName",
      "replicas",
      ...under("template.metadata", metadataMembers),
      ...under(JOB, jobSpecMembers),
      ...under(`${JOB}.template.metadata`, metadataMembers),
      ...under(POD, podSpecMembers),
    ],
    (path) => [`lets ${path} change`, keepingOld(path)],
  ),
  ...createNamedMutants(words("affinity priorityClassName containers volumes"), (name) => [
    `lets the Pods' ${name} change while the JobSet is suspended`,
    keepingOld(`${POD}.${name}`, (was, is) => was && is),
  ]),
  ...createNamedMutants(
    Object.entries({ suspended: suspending, resumed: resuming }),
    ([what, states]) => [
      `lets whole ReplicatedJobs change when the JobSet is ${what}`,
      keepingOld("template", states),
    ],
  ),
  ...createNamedMutants(Object.entries(someElements), ([which, isChecked]) => [
    `compares ${which} of the ReplicatedJobs`,
    onPairs((next, old, index, length) => {
      if (!isChecked(index, length)) next.template = old.template;
    }),
  ]),
  ...createNamedMutants(
    pairs(Object.entries(someElements), words("containers initContainers volumes tolerations")),
    ([[which, isChecked], name]) => [
      `compares ${which} of the Pods' ${name}`,
      inElements(name, (value, before, index, length) =>
        isChecked(index, length) ? value : (before ?? value),
      ),
    ],
  ),
  ...createNamedMutants(
    pairs(words("containers initContainers"), containerMembers),
    ([name, member]) => [
      `lets ${member} of ${name} change`,
      inElements(name, (container, before) => ({ ...container, [member]: before?.[member] })),
    ],
  ),
  "lets ReplicatedJobs change their order": validating(({ object, oldObject }) => {
    const names = jobsIn(oldObject).map(({ name }) => name);
    const rank = ({ name }: Loose) => names.indexOf(name);
    if (oldObject?.spec) jobsIn(object).sort((one: Loose, other: Loose) => rank(one) - rank(other));
  }),
};

const choices = [
  ["at all", 0, always],
  ["except in the first ReplicatedJob", 1, always],
  ["when the JobSet is resumed", 0, resuming],
  ["when the JobSet is suspended", 0, suspending],
] as const;
/** Denies what a queue writes, in some ReplicatedJobs or in some states. */
const deniedDirectives = createNamedMutants(
  pairs(
    [
      ...under(`${JOB}.template.metadata`, words("labels annotations")),
      ...under(POD, words("nodeSelector tolerations schedulingGates")),
    ],
    choices,
  ),
  ([path, [where, firstIndex, states]]) => [
    `${path === `${POD}.nodeSelector` && states === suspending ? "B45 " : ""}denies changes of ${path} ${where}`,
    denying((question) => {
      const [next, old] = [question.object, question.oldObject].map((one) =>
        JSON.stringify(
          jobsIn(one)
            .map((job) => get(job, path))
            .slice(firstIndex),
        ),
      );
      return isUpdate(question) && isIn(states, question) && next !== old;
    }),
  ],
);

/**
 * A list in the spec of a JobSet with a rule, and how an element becomes valid: a member gets a value, or, without a
 * member, the element is removed.
 */
type ListRule = readonly [list: string, member?: string, value?: Loose];

const claimRules = (by: string): Readonly<Record<string, ListRule>> => ({
  [`templates of the claim policies (law ${by})`]: ["volumeClaimPolicies", "templates", []],
  [`templates of a claim policy (law ${by})`]: ["volumeClaimPolicies.*.templates"],
});
const NAMES = "the names of the Jobs and Pods of ReplicatedJobs";
const RULES = "failurePolicy.rules";

const listRules: SubjectsByLaw<ListRule> = {
  namesFit: {
    "the group names of ReplicatedJobs": ["replicatedJobs", "groupName", "default"],
    [NAMES]: ["replicatedJobs", "replicas", 1],
  },
  podsCanBeCounted: { "the Pod counts of ReplicatedJobs": ["replicatedJobs", "replicas", 1] },
  dependenciesPointBackwards: {
    "the dependencies of ReplicatedJobs": ["replicatedJobs", "dependsOn"],
    "the elements of dependsOn": ["replicatedJobs.*.dependsOn"],
  },
  exclusiveJobsHaveLeaders: {
    "the completion mode of ReplicatedJobs under exclusive placement": [
      "replicatedJobs",
      `${JOB}.completionMode`,
      "Indexed",
    ],
    "the topology keys of ReplicatedJobs": ["replicatedJobs", "template.metadata.annotations"],
  },
  claimsCanBeMounted: {
    "the volumes of ReplicatedJobs": ["replicatedJobs", `${POD}.volumes`, []],
    "the volumes of a Pod": [`replicatedJobs.*.${POD}.volumes`],
    ...claimRules("claimsCanBeMounted"),
  },
  existingClaimsAreReused: claimRules("existingClaimsAreReused"),
  successTargetsExist: { "the success policy's targets": ["successPolicy.targetReplicatedJobs"] },
  failureRulesCanApply: {
    "the names of failure policy rules": [RULES, "name", (index: number) => `spared${index}`],
    ...Object.fromEntries(
      words("targetReplicatedJobs onJobFailureReasons onJobFailureMessagePatterns").flatMap(
        (name): [string, ListRule][] => [
          [`${name} of failure policy rules`, [RULES, name, []]],
          [`the elements of ${name}`, [`${RULES}.*.${name}`]],
        ],
      ),
    ),
  },
  jobRestartsCanBeCounted: {
    "the actions of failure policy rules": [RULES, "action", "FailJobSet"],
  },
};

const listRulesUnderGates: SubjectsByLaw<ListRule> = {
  inPlaceRestartSpecsAreValid: {
    "backoffLimit of ReplicatedJobs with in-place restart": [
      "replicatedJobs",
      `${JOB}.backoffLimit`,
      2 ** 31 - 1,
    ],
    "podReplacementPolicy of ReplicatedJobs with in-place restart": [
      "replicatedJobs",
      `${JOB}.podReplacementPolicy`,
      "Failed",
    ],
    "the size of ReplicatedJobs with in-place restart": ["replicatedJobs", `${JOB}.parallelism`, 1],
  },
  jobRestartsCanBeCounted: {
    "the replicas of ReplicatedJobs under single restarts": ["replicatedJobs", "replicas", 1],
  },
};

/** Checks some elements of a list, or none, on creation. */
const partlyChecked = (laws: SubjectsByLaw<ListRule>): WrongByLaw =>
  Object.fromEntries(
    Object.entries(laws).map(([by, rules]) => [
      by,
      createNamedMutants(
        pairs(Object.entries(rules), Object.entries({ ...someElements, none: () => false })),
        ([[what, rule], [which, isChecked]]) => [
          `${NAMES === what && which === "none" ? "B50 " : ""}checks ${which} of ${what}`,
          sparing(rule, isChecked),
        ],
      ),
    ]),
  );

function sparing(
  [path, member, value]: ListRule,
  isChecked: (index: number, length: number) => boolean,
): WrongWebhook {
  return validating((question) => {
    if (!isCreation(question)) return;
    edit(question.object?.spec, `${path}.*`, (element, _, index, length) => {
      if (isChecked(index, length)) return element;
      if (member === undefined) return undefined;
      put(element, member, typeof value === "function" ? value(index) : value);
      return element;
    });
  });
}

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
  policiesAreNotRemoved: Object.fromEntries(
    words("network successPolicy failurePolicy startupPolicy volumeClaimPolicies").map((name) => [
      `lets updates remove ${name}`,
      seeing(({ spec }, old) => edit(spec, name, (value) => value ?? old?.spec?.[name])),
    ]),
  ),
  newJobSetsGetDefaults: {
    ...createNamedMutants(
      pairs(Object.entries(someElements), [
        ["ReplicatedJobs", "replicatedJobs"],
        ["failure policy rules", "failurePolicy/rules"],
        ["claim policies", "volumeClaimPolicies"],
      ] as const),
      ([[which, isMeant], [what, path]]) => [
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
    ...Object.fromEntries(
      [...under(JOB, jobSpecMembers), ...under(POD, podSpecMembers)].map((path) => [
        `drops ${path}`,
        adding((sent) =>
          jobsIn(sent).flatMap((job, index) => {
            const removed = `/spec/replicatedJobs/${index}/${path.replaceAll(".", "/")}`;
            return get(job, path) === undefined ? [] : [{ op: "remove", path: removed }];
          }),
        ),
      ]),
    ),
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
  updatesGetNoDefaults: Object.fromEntries(
    words(
      "successPolicy startupPolicy completionMode restartPolicy network enableDNSHostnames publishNotReadyAddresses name retentionPolicy",
    ).map((name) => [
      `${name === "successPolicy" ? "B65 " : ""}sets ${name} on updates, too`,
      patchingUpdates(({ path }) => path.endsWith(`/${name}`)),
    ]),
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
  ...wrongWebhooks("jobSets", partlyChecked(listRules)),
  ...wrongWebhooks("jobSetsUnderGates", partlyChecked(listRulesUnderGates)),
  ...wrongWebhooks("jobSets", laws),
  ...wrongWebhooks("jobSetsUnderGates", lawsUnderGates),
];
