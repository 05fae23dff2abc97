// Webhooks for JobSets that are wrong about one member or one element.
import {
  at,
  deciding,
  denials,
  type Loose,
  list,
  namedByLaw,
  odd,
  patching,
  put,
  type Question,
  someElements,
  validating,
  type WrongByLaw,
  type WrongWebhook,
} from "./wrong-webhook.ts";

const podSpec = ["template", "spec", "template", "spec"];
const words = (text: string) => text.split(" ");

const metadataMembers = words("name labels annotations finalizers");
const jobSpecMembers = words(
  "parallelism completions activeDeadlineSeconds podFailurePolicy successPolicy backoffLimit backoffLimitPerIndex maxFailedIndexes selector manualSelector ttlSecondsAfterFinished completionMode suspend podReplacementPolicy managedBy",
);
const podSpecMembers = words(
  "volumes initContainers containers ephemeralContainers restartPolicy terminationGracePeriodSeconds activeDeadlineSeconds dnsPolicy nodeSelector serviceAccountName serviceAccount automountServiceAccountToken nodeName hostNetwork hostPID hostIPC shareProcessNamespace securityContext imagePullSecrets hostname subdomain affinity schedulerName tolerations hostAliases priorityClassName priority dnsConfig readinessGates runtimeClassName enableServiceLinks preemptionPolicy overhead topologySpreadConstraints setHostnameAsFQDN os hostUsers schedulingGates resourceClaims resources hostnameOverride schedulingGroup",
);
const containerMembers = words(
  "image command args workingDir ports envFrom env resources resizePolicy restartPolicy restartPolicyRules volumeMounts volumeDevices livenessProbe readinessProbe startupProbe lifecycle terminationMessagePath terminationMessagePolicy imagePullPolicy securityContext stdin stdinOnce tty",
);

/** The members of a ReplicatedJob that may not change while the JobSet runs. */
const immutable: readonly (readonly string[])[] = [
  ["groupName"],
  ["replicas"],
  ...metadataMembers.map((name) => ["template", "metadata", name]),
  ...jobSpecMembers.map((name) => ["template", "spec", name]),
  ...metadataMembers.map((name) => ["template", "spec", "template", "metadata", name]),
  ...podSpecMembers.map((name) => [...podSpec, name]),
];

const jobs = (jobSet: Loose): Loose[] => list(jobSet?.spec?.replicatedJobs);

/** On an update, each ReplicatedJob beside the old one in its place. */
function onPairs(
  change: (next: Loose, old: Loose, index: number, length: number) => void,
  isMeant: (wasSuspended: boolean, isSuspended: boolean) => boolean = () => true,
): WrongWebhook["wrong"] {
  return validating(({ operation, object, oldObject }) => {
    if (operation !== "UPDATE") return;
    if (!isMeant(oldObject?.spec?.suspend === true, object?.spec?.suspend === true)) return;
    const old = jobs(oldObject);
    for (const [index, next] of jobs(object).entries()) {
      if (old[index] !== undefined) change(next, old[index], index, old.length);
    }
  });
}

const keptAs = (path: readonly string[]) => (next: Loose, old: Loose) =>
  put(next, path, at(old, path));

const letThrough: readonly WrongWebhook[] = [
  ...immutable.map((path) => ({
    what: `lets ${path.join(".")} change`,
    wrong: onPairs(keptAs(path)),
  })),
  ...words("affinity priorityClassName containers volumes").map((name) => ({
    what: `lets the Pods' ${name} change while the JobSet is suspended`,
    wrong: onPairs(keptAs([...podSpec, name]), (was, is) => was && is),
  })),
  {
    what: "lets everything of ReplicatedJobs change as the JobSet is suspended",
    wrong: onPairs(keptAs(["template"]), (was, is) => !was && is),
  },
  {
    what: "lets everything of ReplicatedJobs change as the JobSet is resumed",
    wrong: onPairs(keptAs(["template"]), (was, is) => was && !is),
  },
  ...Object.entries(someElements).flatMap(([which, isChecked]) => [
    {
      what: `compares ${which} of the ReplicatedJobs`,
      wrong: onPairs((next, old, index, length) => {
        if (!isChecked(index, length)) keptAs(["template"])(next, old);
      }),
    },
    ...words("containers initContainers volumes tolerations").map((name) => ({
      what: `compares ${which} of the Pods' ${name}`,
      wrong: onPairs((next, old) => {
        const [elements, before] = [next, old].map((one) => list(at(one, [...podSpec, name])));
        for (const [index] of (elements ?? []).entries()) {
          const same = before?.[index];
          if (same !== undefined && !isChecked(index, before?.length ?? 0)) {
            elements?.splice(index, 1, same);
          }
        }
      }),
    })),
  ]),
  ...["containers", "initContainers"].flatMap((name) =>
    containerMembers.map((member) => ({
      what: `lets ${member} of ${name} change`,
      wrong: onPairs((next, old) => {
        const before = list(at(old, [...podSpec, name]));
        for (const [index, container] of list(at(next, [...podSpec, name])).entries()) {
          put(container, [member], before[index]?.[member]);
        }
      }),
    })),
  ),
].map((one) => ({ ...one, bundle: "jobSets", by: "replicatedJobsStay" }));

const directives: readonly (readonly string[])[] = [
  ["template", "spec", "template", "metadata", "labels"],
  ["template", "spec", "template", "metadata", "annotations"],
  ...words("nodeSelector tolerations schedulingGates").map((name) => [...podSpec, name]),
];

/** Denies what a queue writes, in some ReplicatedJobs or in some states. */
const deniedDirectives: readonly WrongWebhook[] = directives.flatMap((path) =>
  (
    [
      ["at all", () => true, () => true],
      ["but in the first ReplicatedJob", (index: number) => index > 0, () => true],
      ["as the JobSet is resumed", () => true, (was: boolean, is: boolean) => was && !is],
      ["as the JobSet is suspended", () => true, (was: boolean, is: boolean) => !was && is],
    ] as const
  ).map(
    ([where, isMeant, inState]): WrongWebhook => ({
      what: `lets ${path.join(".")} not change ${where}`,
      bundle: "jobSets",
      by: "whatMayChangeMayChange",
      wrong: deciding(({ operation, object, oldObject }) => {
        if (operation !== "UPDATE") return undefined;
        if (!inState(oldObject.spec.suspend === true, object.spec.suspend === true))
          return undefined;
        const isChanged = jobs(object).some(
          (job, index) =>
            isMeant(index) &&
            JSON.stringify(at(job, path)) !== JSON.stringify(at(jobs(oldObject)[index], path)),
        );
        return isChanged ? false : undefined;
      }),
    }),
  ),
);

const policies: readonly WrongWebhook[] = words(
  "network successPolicy failurePolicy startupPolicy volumeClaimPolicies",
).map((name) => ({
  what: `lets ${name} go`,
  bundle: "jobSets",
  by: "policiesAreNotRemoved",
  wrong: validating(({ operation, object, oldObject }) => {
    if (operation === "UPDATE") object.spec[name] ??= oldObject.spec[name];
  }),
}));

const replicatedJobs = (jobSet: Loose) => [jobs(jobSet)];
const rules = (jobSet: Loose) => [list(jobSet?.spec?.failurePolicy?.rules)];
const ruleLists = (name: string) => (jobSet: Loose) =>
  list(jobSet?.spec?.failurePolicy?.rules).map((rule) => list(rule[name]));
const claimPolicies = (jobSet: Loose) => [list(jobSet?.spec?.volumeClaimPolicies)];
const claimTemplates = (jobSet: Loose) =>
  list(jobSet?.spec?.volumeClaimPolicies).map(({ templates }) => list(templates));
const templateSpec = ["template", "spec"];
const leftOut = () => undefined;
const set =
  (path: readonly string[], value: Loose) =>
  (element: Loose): Loose => {
    put(element, path, value);
    return element;
  };
const inSpec = (name: string, value: Loose) => set([...templateSpec, name], value);

/** The lists of a JobSet that a rule is about, and how an element that is not checked becomes harmless; undefined leaves it out. */
type ListRule = readonly [
  lists: (jobSet: Loose) => readonly Loose[],
  spare: (element: Loose, index: number) => Loose,
];
type ListRules = Readonly<Record<string, Readonly<Record<string, ListRule>>>>;

const aboutClaims = (by: string): Readonly<Record<string, ListRule>> => ({
  [`templates of the claim policies, says ${by}`]: [claimPolicies, set(["templates"], [])],
  [`templates of a claim policy, says ${by}`]: [claimTemplates, leftOut],
});

/** By the law about the rule. */
const listRules: ListRules = {
  namesFit: {
    "the group names of ReplicatedJobs": [replicatedJobs, set(["groupName"], "default")],
    "the names of the Jobs and Pods of ReplicatedJobs": [replicatedJobs, set(["replicas"], 1)],
  },
  podsCanBeCounted: {
    "the Pod counts of ReplicatedJobs": [replicatedJobs, set(["replicas"], 1)],
  },
  dependenciesPointBackwards: {
    "the dependencies of ReplicatedJobs": [replicatedJobs, set(["dependsOn"], undefined)],
    "the elements of dependsOn": [
      (jobSet) => jobs(jobSet).map((job) => list(job.dependsOn)),
      leftOut,
    ],
  },
  exclusiveJobsHaveLeaders: {
    "the completion mode of ReplicatedJobs under exclusive placement": [
      replicatedJobs,
      inSpec("completionMode", "Indexed"),
    ],
    "the topology keys of ReplicatedJobs": [
      replicatedJobs,
      set(["template", "metadata", "annotations"], undefined),
    ],
  },
  claimsCanBeMounted: {
    "the volumes of ReplicatedJobs": [replicatedJobs, set([...podSpec, "volumes"], [])],
    "the volumes of a Pod": [
      (jobSet) => jobs(jobSet).map((job) => list(at(job, [...podSpec, "volumes"]))),
      leftOut,
    ],
    ...aboutClaims("claimsCanBeMounted"),
  },
  existingClaimsAreTakenUp: aboutClaims("existingClaimsAreTakenUp"),
  successTargetsExist: {
    "the success policy's targets": [
      (jobSet) => [list(jobSet?.spec?.successPolicy?.targetReplicatedJobs)],
      leftOut,
    ],
  },
  failureRulesCanApply: {
    "the names of failure policy rules": [
      rules,
      (rule, index) => ({ ...rule, name: `spared${index}` }),
    ],
    ...Object.fromEntries(
      words("targetReplicatedJobs onJobFailureReasons onJobFailureMessagePatterns").flatMap(
        (name) => [
          [`${name} of failure policy rules`, [rules, set([name], [])] as const],
          [`the elements of ${name}`, [ruleLists(name), leftOut] as const],
        ],
      ),
    ),
  },
  jobRestartsCanBeCounted: {
    "the actions of failure policy rules": [rules, set(["action"], "FailJobSet")],
  },
};

const listRulesUnderGates: ListRules = {
  restartsInPlaceAreFit: {
    "backoffLimit of ReplicatedJobs that restart in place": [
      replicatedJobs,
      inSpec("backoffLimit", 2 ** 31 - 1),
    ],
    "podReplacementPolicy of ReplicatedJobs that restart in place": [
      replicatedJobs,
      inSpec("podReplacementPolicy", "Failed"),
    ],
    "the size of ReplicatedJobs that restart in place": [
      replicatedJobs,
      (job) => inSpec("completions", 1)(inSpec("parallelism", 1)(job)),
    ],
  },
  jobRestartsCanBeCounted: {
    "the replicas of ReplicatedJobs under single restarts": [replicatedJobs, set(["replicas"], 1)],
  },
};

/** Checks some elements of a list, or none, on creation. */
const partlyChecked = (laws: ListRules): WrongByLaw =>
  Object.fromEntries(
    Object.entries(laws).map(([by, ruled]) => [
      by,
      Object.fromEntries(
        Object.entries(ruled).flatMap(([what, rule]) =>
          Object.entries({ ...someElements, none: () => false }).map(([which, isChecked]) => [
            `checks ${which} of ${what}`,
            sparing(rule, isChecked),
          ]),
        ),
      ),
    ]),
  );

function sparing([lists, spare]: ListRule, isChecked: (index: number, length: number) => boolean) {
  return validating(({ operation, object }) => {
    if (operation !== "CREATE") return;
    for (const elements of lists(object)) {
      const { length } = elements;
      const kept = elements.map((element: Loose, index: number) =>
        isChecked(index, length) ? element : spare(element, index),
      );
      elements.splice(0, length, ...kept.filter((one: Loose) => one !== undefined));
    }
  });
}

/** Adds defaults to some elements of a list. */
const partlyDefaulted = (what: string, member: string, listOf: (jobSet: Loose) => Loose[]) =>
  Object.entries(someElements).map(([which, isMeant]) => [
    `fills in defaults of ${which} of the ${what}`,
    patching((patch, sent) =>
      patch.filter(({ path }) => {
        const [, index] = new RegExp(`^/spec/${member}/(\\d+)/`).exec(path) ?? [];
        return index === undefined || isMeant(Number(index), listOf(sent).length);
      }),
    ),
  ]);

const wrongDefaults: WrongByLaw = {
  newJobSetsGetDefaults: Object.fromEntries([
    ...partlyDefaulted("ReplicatedJobs", "replicatedJobs", jobs),
    ...partlyDefaulted("failure policy rules", "failurePolicy/rules", (jobSet) =>
      list(jobSet?.spec?.failurePolicy?.rules),
    ),
    ...partlyDefaulted("claim policies", "volumeClaimPolicies", (jobSet) =>
      list(jobSet?.spec?.volumeClaimPolicies),
    ),
  ]),
  whatIsGivenStays: Object.fromEntries(
    [
      ...jobSpecMembers.map((name) => [...templateSpec, name]),
      ...podSpecMembers.map((name) => [...podSpec, name]),
    ].map((path) => [`drops ${path.join(".")}`, dropping(path)]),
  ),
  editsGetNoDefaults: Object.fromEntries(
    words(
      "successPolicy startupPolicy completionMode restartPolicy network enableDNSHostnames publishNotReadyAddresses name retentionPolicy",
    ).map((name) => [
      `fills in ${name} on updates, too`,
      patching((patch) => patch.filter(({ path }) => path.endsWith(`/${name}`)), "CREATE"),
    ]),
  ),
};

function dropping(path: readonly string[]) {
  return patching((patch, sent) => [
    ...patch,
    ...jobs(sent).flatMap((job, index) => {
      const removed = `/spec/replicatedJobs/${index}/${path.join("/")}`;
      return at(job, path) === undefined ? [] : [{ op: "remove", path: removed }];
    }),
  ]);
}

const DENIED_POD_NAME = /pod names generated for this JobSet/;
const coordinatorOf = (jobSet: Loose): Loose => jobSet?.spec?.coordinator;
const specOf = (job: Loose): Loose => at(job, templateSpec) ?? {};
const podsIn = (job: Loose): number => job.replicas * (specOf(job).parallelism ?? 1);
/** Asks about a creation or an update with another object. */
const seeing = (change: (object: Loose, old: Loose) => void) =>
  validating(({ object, oldObject }) => {
    if (object?.spec) change(object, oldObject);
  });
const denying = (isDenied: (question: Question) => boolean) =>
  deciding((question) => (isDenied(question) ? false : undefined));
const isCreation = ({ operation }: Question) => operation === "CREATE";
const isUpdate = ({ operation }: Question) => operation === "UPDATE";

const answers: WrongByLaw = {
  exclusiveJobsHaveLeaders: {
    "admits exclusive placement of NonIndexed Jobs": odd("NonIndexedExclusiveAdmitted"),
  },
  failureRulesCanApply: {
    "admits message patterns that do not compile": odd("InvalidPatternAdmitted"),
  },
  dependenciesPointBackwards: {
    "admits a ReplicatedJob that depends on itself": odd("SelfDependencyAdmitted"),
  },
  editsBreakNoRule: {
    "does not repeat the checks of a creation on updates": odd("UpdateSkipsCreateChecks"),
  },
  mistakesAreToldAsSuch: {
    "reports mistakes without a field": odd("UnpathedErrorsAreInternal"),
    "reports mistakes as Forbidden": denials((status) => ({
      ...status,
      reason: "Forbidden",
      code: 403,
    })),
  },
  existingClaimsAreTakenUp: {
    "denies a retained claim": odd("RetainedClaimRejected"),
  },
  scalingIsInTandem: {
    "lets sizes change without the gate": odd(undefined, ["ElasticJobSet"]),
  },
  whatMayChangeMayChange: {
    "lets suspend not change": denying(
      (one) => isUpdate(one) && one.object.spec.suspend !== one.oldObject.spec.suspend,
    ),
  },
  namesFit: {
    "checks no names of Pods": denials((status) =>
      DENIED_POD_NAME.test(status.message) ? undefined : status,
    ),
    "treats generateName as the name": seeing(({ metadata }) => {
      metadata.name = metadata.generateName ?? metadata.name;
    }),
  },
  coordinatorsWillExist: {
    "fails on a coordinator without completions": denying(({ object }) => {
      if (
        coordinatorOf(object) &&
        jobs(object).some((job) => specOf(job).completions === undefined)
      )
        throw new TypeError("completions");
      return false;
    }),
    "looks up the first ReplicatedJob for the coordinator": seeing((object) => {
      if (coordinatorOf(object)) coordinatorOf(object).replicatedJob = jobs(object)[0]?.name;
    }),
    "admits a coordinator after the last Pod": seeing((object) => {
      if (coordinatorOf(object)?.podIndex > 0) coordinatorOf(object).podIndex -= 1;
    }),
    "checks the address of a coordinator with index 0": seeing((object) => {
      if (coordinatorOf(object)) Object.assign(coordinatorOf(object), { jobIndex: 0, podIndex: 0 });
    }),
  },
  podsCanBeCounted: {
    "lets the number of Pods overflow": seeing((object) => {
      for (const job of jobs(object))
        if ((podsIn(job) | 0) >= 0 && podsIn(job) >= 2 ** 31) job.replicas = 1;
    }),
    "counts Pods over all ReplicatedJobs": denying(
      (one) =>
        isCreation(one) && jobs(one.object).reduce((sum, job) => sum + podsIn(job), 0) >= 2 ** 31,
    ),
  },
  whatIsGivenStays: {
    "sets managedBy": patching((patch, sent) =>
      sent?.spec?.managedBy
        ? patch
        : [
            ...patch,
            { op: "add", path: "/spec/managedBy", value: "jobset.sigs.k8s.io/jobset-controller" },
          ],
    ),
    "treats false as absent": patching((patch, sent) =>
      sent?.spec?.network?.enableDNSHostnames === false
        ? [...patch, { op: "replace", path: "/spec/network/enableDNSHostnames", value: true }]
        : patch,
    ),
    "sets a name": patching((patch, sent) =>
      sent?.metadata?.generateName && !sent.metadata.name
        ? [...patch, { op: "add", path: "/metadata/name", value: sent.metadata.generateName }]
        : patch,
    ),
  },
  newJobSetsGetDefaults: {
    "sets the operator Any": patching((patch) =>
      patch.map((one) =>
        one.path === "/spec/successPolicy" ? { ...one, value: { operator: "Any" } } : one,
      ),
    ),
    "names all failure policy rules alike": patching((patch) =>
      patch.map((one) =>
        /rules\/\d+\/name$/.test(one.path) ? { ...one, value: "failurePolicyRule0" } : one,
      ),
    ),
    "sets no defaults in a JobSet without a name": patching((patch, sent) =>
      sent?.metadata?.name ? patch : [],
    ),
  },
  subdomainsAreServiceNames: {
    "admits a subdomain that starts with a digit": seeing(({ spec: { network } }) => {
      if (/^\d/.test(network?.subdomain)) network.subdomain = `a${network.subdomain.slice(1)}`;
    }),
  },
  managersStay: {
    "lets managedBy change": seeing(({ spec }, old) => {
      if (old?.spec) spec.managedBy = old.spec.managedBy;
    }),
    "lets managedBy be added": seeing(({ spec }, old) => {
      if (old?.spec && old.spec.managedBy === undefined) delete spec.managedBy;
    }),
  },
  managersHaveADomain: {
    "denies managedBy of 63 bytes": denying(({ object }) => object?.spec?.managedBy?.length === 63),
    "denies managedBy with two slashes": denying(({ object }) =>
      /\/.*\//.test(object?.spec?.managedBy ?? ""),
    ),
  },
  jobSetsCanAlwaysGo: {
    "denies deletions": denying(({ operation }) => operation === "DELETE"),
    "checks updates like creations": ({ validate }) => ({
      validate: async (review, cluster) => {
        const { request } = review;
        const asked = request.operation === "UPDATE" ? "CREATE" : request.operation;
        const answer = (await validate(
          { ...review, request: { ...request, operation: asked } },
          cluster,
        )) as Loose;
        return answer.response.allowed ? validate(review, cluster) : answer;
      },
    }),
  },
  validJobSetsAreLetIn: {
    "denies every new JobSet": denying(isCreation),
  },
  claimsCanBeMounted: {
    "ignores the volume mounts of init containers": seeing((object) => {
      for (const job of jobs(object)) put(job, [...podSpec, "initContainers"], undefined);
    }),
  },
  replicatedJobsStay: {
    "lets ReplicatedJobs change places": seeing(({ spec }, old) => {
      const names = jobs(old).map(({ name }) => name);
      if (old?.spec)
        spec.replicatedJobs.sort(
          (one: Loose, other: Loose) => names.indexOf(one.name) - names.indexOf(other.name),
        );
    }),
  },
};

const underGates: WrongByLaw = {
  scalingIsInTandem: {
    "lets sizes change after the end": validating(({ object, oldObject }) => {
      for (const one of [object, oldObject]) if (one) delete one.status;
    }),
    "lets Jobs scale that are not Indexed": validating(({ object, oldObject }) => {
      for (const job of [...jobs(object), ...jobs(oldObject)])
        put(job, [...templateSpec, "completionMode"], "Indexed");
    }),
  },
  jobRestartsCanBeCounted: {
    "denies 1024 Jobs under single restarts": denying(
      (one) => isCreation(one) && jobs(one.object).some(({ replicas }) => replicas === 1024),
    ),
    "counts Jobs under single restarts over all ReplicatedJobs": denying(
      (one) =>
        isCreation(one) &&
        jobs(one.object).every(({ replicas }) => replicas <= 1024) &&
        jobs(one.object).reduce((sum, { replicas }) => sum + replicas, 0) > 1024,
    ),
  },
};

export const wrongJobSetWebhooks: readonly WrongWebhook[] = [
  ...letThrough,
  ...deniedDirectives,
  ...policies,
  ...namedByLaw("jobSets", partlyChecked(listRules)),
  ...namedByLaw("jobSetsUnderGates", partlyChecked(listRulesUnderGates)),
  ...namedByLaw("jobSets", wrongDefaults),
  ...namedByLaw("jobSets", answers),
  ...namedByLaw("jobSetsUnderGates", underGates),
];
