import type { ReconcileLawName } from "@jobset-ts/testing/reconcile";
import type { Replacement } from "./mutated-core.ts";

/** A defect that JobSet had, has or could have. */
export type Defect = {
  /** The row of the list of known defects, or a number of our own. */
  readonly row: string;
  /** In a few words. */
  readonly what: string;
} & (Mutant | Elsewhere);

/** One that core can have: a change of its sources brings it back. */
export interface Mutant {
  /** Whose laws are to catch it. */
  readonly laws: Bundle;
  /** The one that does. */
  readonly by: string;
  readonly changes: readonly Replacement[];
}

/** Laws that are held against a mutant together. */
export type Bundle = "passes";

/** One that no change of core's sources brings back, or none that laws of ours could see. */
export type Elsewhere =
  /** It takes time or faults: caches that lag, crashes, refused writes. */
  | { readonly of: "Simulator"; readonly why: string }
  /** Of webhooks, schema and placement: their laws join here. */
  | { readonly of: "Webhooks" }
  | { readonly of: "Nobody"; readonly why: string };

const failurePolicy = "core/src/policies/failure-policy.ts";
const applyFailurePolicy = "core/src/reconcile/apply-failure-policy.ts";
const suspendOrResume = "core/src/reconcile/suspend-or-resume.ts";
const createJobs = "core/src/reconcile/create-jobs.ts";
const draft = "core/src/reconcile/draft.ts";
const desiredJobs = "core/src/desired/desired-jobs.ts";
const resumeJob = "core/src/child-jobs/resume-job.ts";
const inPlaceRestart = "core/src/policies/in-place-restart.ts";
const setCondition = "core/src/status/set-condition.ts";
const statuses = "core/src/status/replicated-jobs-status.ts";
const childKeys = "core/src/desired/child-keys.ts";

/** Defects of the public history and issues of JobSet. */
const known: readonly Defect[] = [
  { row: "B01", what: "followers stay where another Job's leader is", of: "Webhooks" },
  { row: "B02", what: "a mismatch ends in an error, and nothing repairs it", of: "Webhooks" },
  { row: "B03", what: "a follower follows the leader of an earlier Job", of: "Webhooks" },
  { row: "B04", what: "a leader that is being deleted is followed", of: "Webhooks" },
  { row: "B05", what: "a leader that has ended counts as one", of: "Webhooks" },
  { row: "B08", what: "the priority label only on exclusive Pods", of: "Webhooks" },
  { row: "B09", what: "no priority label under node selectors", of: "Webhooks" },
  {
    row: "B11",
    what: "job keys without the namespace",
    laws: "passes",
    by: "madeObjectsHaveJobSetsKeys",
    changes: [
      {
        file: "core/src/desired/job-key.ts",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a source.
        from: "utf8ToBytes(`${namespace}/`)",
        to: 'utf8ToBytes("")',
      },
    ],
  },
  { row: "B12", what: "a missing selector hides a pending leader", of: "Webhooks" },
  { row: "B13", what: "exclusive placement of NonIndexed Jobs is admitted", of: "Webhooks" },
  { row: "B15", what: "Pods of nobody's JobSet are judged", of: "Webhooks" },
  {
    row: "B20",
    what: "a Job is made again while that of the earlier attempt is there",
    laws: "passes",
    by: "requestsAreNotRefused",
    changes: [
      {
        file: "core/src/child-jobs/missing-jobs.ts",
        from: '["active", "successful", "failed", "previous", "unclaimed"]',
        to: '["active", "successful", "failed", "unclaimed"]',
      },
    ],
  },
  {
    row: "B21",
    what: "Jobs are deleted in the background",
    laws: "passes",
    by: "deletionsWaitForPods",
    changes: [
      {
        file: "core/src/plan/effects.ts",
        from: '["propagationPolicy"] = "Foreground"',
        to: '["propagationPolicy"] = "Background"',
      },
    ],
  },
  {
    row: "B23",
    what: "a JobSet that is being deleted makes its Jobs again",
    laws: "passes",
    by: "anothersJobSetIsLeftAlone",
    changes: [
      {
        file: "core/src/reconcile/reconcile.ts",
        from: "if (isBeingDeleted(jobSet) || !isManagedHere(jobSet))",
        to: "if (!isManagedHere(jobSet))",
      },
    ],
  },
  {
    row: "B24a",
    what: "Jobs are found by their owner's name, not by its UID",
    laws: "passes",
    by: "childrenAreCounted",
    changes: [
      {
        file: "core/src/owner.ts",
        from: "? textOf(owner.uid) || undefined",
        to: "? textOf(owner.name) || undefined",
      },
      {
        file: "core/src/snapshot/snapshot.ts",
        from: '?.group("jobSet", uidOf(jobSet));',
        to: '?.group("jobSet", nameOf(jobSet));',
      },
    ],
  },
  {
    row: "B24b",
    what: "a Job of an unknown ReplicatedJob crashes the pass",
    laws: "passes",
    by: "childrenAreCounted",
    changes: [
      {
        file: statuses,
        from: "const unclaimed = listOf(classified.unclaimed).map(({ job }) => nameOf(job));",
        to: 'const unclaimed = []; if (listOf(classified.unclaimed).length > 0) throw new TypeError("nil map");',
      },
    ],
  },
  {
    row: "B25",
    what: "status writes that fail are forgotten",
    of: "Simulator",
    why: "a write has to fail",
  },
  {
    row: "B27",
    what: "errors of requests are swallowed",
    of: "Simulator",
    why: "a request has to fail",
  },
  {
    row: "B28",
    what: "Jobs in FailureTarget count nowhere",
    of: "Nobody",
    why: "core counts such Jobs as upstream does, as active while they have Pods; there is no other answer to undo",
  },
  {
    row: "B29",
    what: "a Job that its own TTL took away runs again",
    of: "Nobody",
    why: "core does as upstream, with a warning: no state of the cluster tells that the Job has been there",
  },
  {
    row: "B30",
    what: "a Job that is nobody's is taken for the JobSet's by its labels",
    laws: "passes",
    by: "childrenAreCounted",
    changes: [
      {
        file: "core/src/owner.ts",
        from: "const owner = controllerOf(object);",
        to: 'const name = object?.metadata?.labels?.["jobset.sigs.k8s.io/jobset-name"]; const owner = controllerOf(object) ?? (name && { apiVersion: JOBSET_API_VERSION, kind: JOBSET_KIND, uid: name + "-uid" });',
      },
    ],
  },
  {
    row: "B31",
    what: "two JobSets want one Job name",
    of: "Nobody",
    why: "the API makes the names; that the server then refuses is the other half of B30",
  },
  {
    row: "B32",
    what: "a create after a stale read is told as an error",
    of: "Simulator",
    why: "the cache has to lag",
  },
  {
    row: "B34",
    what: "one Job with an odd label stops the pass",
    of: "Nobody",
    why: "core does as upstream: nothing can be decided while it is open of which attempt a Job is",
  },
  {
    row: "B35",
    what: "a rule that applies crashes the pass",
    laws: "passes",
    by: "restartsAreCounted",
    changes: [
      {
        file: failurePolicy,
        from: "const chosen = { rule, job: nameOf(failure.job) };",
        to: 'throw new TypeError("odd number of arguments"); const chosen = {};',
      },
    ],
  },
  {
    row: "B36",
    what: "a rule that cannot be followed crashes the pass",
    laws: "passes",
    by: "jobsAreDeletedWhenDue",
    changes: [
      {
        file: applyFailurePolicy,
        from: 'const object = { kind: "Job", name: job };\n  return draft.refuse(',
        to: 'const object = { kind: "Job", name: job };\n  throw new TypeError(message);\n  return draft.refuse(',
      },
    ],
  },
  { row: "B37", what: "patterns that are none are admitted", of: "Webhooks" },
  {
    row: "B38",
    what: "of Jobs that failed in one second the last in the list counts as the first",
    laws: "passes",
    by: "singleRestartsAreCounted",
    changes: [
      {
        file: "core/src/policies/rule-matcher.ts",
        from: "return timed.sort(",
        to: "return timed.reverse().sort(",
      },
    ],
  },
  {
    row: "B39",
    what: "restarts of single Jobs go into the counter of the JobSet",
    laws: "passes",
    by: "restartsCountTowardsTheLimit",
    changes: [
      {
        file: applyFailurePolicy,
        from: `  const counted = draft
    .count(`,
        to: `  const counted = draft
    .change({ restartsCountTowardsMax: integerOf(jobSet.status?.restartsCountTowardsMax, 0) + 1 })
    .count(`,
      },
    ],
  },
  { row: "B40", what: "suspend is immutable", of: "Webhooks" },
  {
    row: "B42",
    what: "the role lacks jobs/status",
    of: "Nobody",
    why: "roles are not semantics; requestsAreNotRefused needs the write that the role forbade",
  },
  {
    row: "B43",
    what: "a resume copies the node selector only",
    laws: "passes",
    by: "resumedJobsFollowTheirTemplate",
    changes: [
      {
        file: resumeJob,
        from: "const names = Object.keys(paths) as (keyof MutableMembers)[];",
        to: 'const names = ["nodeSelector"] as const;',
      },
    ],
  },
  {
    row: "B44",
    what: "a resume leaves scheduling gates out",
    laws: "passes",
    by: "resumedJobsFollowTheirTemplate",
    changes: [
      {
        file: resumeJob,
        from: "schedulingGates: now.schedulingGates,\n  };\n}\n\nfunction merged(",
        to: "schedulingGates: before.schedulingGates,\n  };\n}\n\nfunction merged(",
      },
    ],
  },
  { row: "B45", what: "a template cannot change back while suspending", of: "Webhooks" },
  {
    row: "B47",
    what: "each resume adds the tolerations once more",
    laws: "passes",
    by: "resumedJobsFollowTheirTemplate",
    changes: [
      {
        file: resumeJob,
        from: "[...now.tolerations, noScheduleToleration] : now.tolerations,",
        to: "[...now.tolerations, noScheduleToleration] : [...before.tolerations, ...now.tolerations],",
      },
    ],
  },
  {
    row: "B49",
    what: "Suspended stays True until the last ReplicatedJob starts in order",
    of: "Nobody",
    why: "core does as upstream, whose recorded decisions say so",
  },
  { row: "B50", what: "name lengths are checked with index 0", of: "Webhooks" },
  { row: "B51", what: "names of Pods are too long", of: "Webhooks" },
  {
    row: "B54",
    what: "without a stored subdomain there is none",
    laws: "passes",
    by: "madePodsFindTheirService",
    changes: [
      {
        file: desiredJobs,
        from: "subdomain: subdomainOf(jobSet) }",
        to: "subdomain: jobSet.spec?.network?.subdomain }",
      },
    ],
  },
  { row: "B55", what: "absent completions crash validation", of: "Webhooks" },
  { row: "B56", what: "a lookup ignores what it looks up", of: "Webhooks" },
  { row: "B57", what: "a rule of the schema fails on an empty list", of: "Webhooks" },
  { row: "B58", what: "a rule of the schema fails without a network", of: "Webhooks" },
  {
    row: "B59",
    what: "an absent network crashes the pass",
    laws: "passes",
    by: "jobsAreMadeWhenDue",
    changes: [
      {
        file: "core/src/desired/desired-service.ts",
        from: "jobSet?.spec?.network?.enableDNSHostnames === true",
        to: "jobSet.spec.network.enableDNSHostnames === true",
      },
    ],
  },
  {
    row: "B60",
    what: "an absent success policy crashes the pass",
    laws: "passes",
    by: "childrenAreCounted",
    changes: [
      {
        file: "core/src/policies/success-policy.ts",
        from: 'policy?.operator ?? "All"',
        to: 'policy.operator ?? "All"',
      },
    ],
  },
  { row: "B61", what: "a ReplicatedJob may depend on itself", of: "Webhooks" },
  { row: "B62", what: "an update may break what creation checked", of: "Webhooks" },
  { row: "B63", what: "negative replicas are admitted", of: "Webhooks" },
  { row: "B64", what: "numbers of Pods overflow", of: "Webhooks" },
  { row: "B65", what: "updates are given defaults", of: "Webhooks" },
  { row: "B66", what: "managedBy is given a default", of: "Webhooks" },
  {
    row: "B67",
    what: "an absent managedBy is somebody else's",
    laws: "passes",
    by: "childrenAreCounted",
    changes: [
      {
        file: "core/src/reconcile/reconcile.ts",
        from: "?.managedBy ?? JOBSET_CONTROLLER_NAME",
        to: '?.managedBy ?? ""',
      },
    ],
  },
  { row: "B68", what: "mistakes of users are forbidden, not invalid", of: "Webhooks" },
  { row: "B69", what: "mistakes are told without a field", of: "Webhooks" },
  { row: "B70", what: "members without omitempty", of: "Webhooks" },
  { row: "B71", what: "a subdomain that no Service can have", of: "Webhooks" },
  { row: "B72", what: "templates of Jobs are not checked", of: "Webhooks" },
  { row: "B73", what: "a retained claim is refused", of: "Webhooks" },
  {
    row: "B74",
    what: "an absent whenDeleted crashes the pass",
    laws: "passes",
    by: "claimsAreMadeWhenDue",
    changes: [
      {
        file: "core/src/desired/desired-volume-claims.ts",
        from: '(retentionPolicy.whenDeleted ?? "Delete") === "Delete"',
        to: 'retentionPolicy.whenDeleted.valueOf() === "Delete"',
      },
    ],
  },
  {
    row: "B75",
    what: "applying less than the whole spec is refused",
    of: "Nobody",
    why: "it is advice to clients; the immutability behind it is meant",
  },
  {
    row: "B80",
    what: "ReplicatedJobs are counted for completion, not their Jobs",
    laws: "passes",
    by: "jobSetsCompleteWhenTheirPolicySays",
    changes: [
      {
        file: "core/src/policies/success-policy.ts",
        from: ".reduce((sum, replicatedJob) => sum + replicasOf(replicatedJob), 0);",
        to: ".length;",
      },
    ],
  },
  {
    row: "B83",
    what: "Jobs of a JobSet that has ended run on",
    laws: "passes",
    by: "jobsAreDeletedWhenDue",
    changes: [
      {
        file: "core/src/reconcile/clean-up-finished.ts",
        from: "const cleaned = deleteActiveJobs(facts, draft);",
        to: "const cleaned = draft;",
      },
    ],
  },
  {
    row: "B85",
    what: "the time to live is over between two looks at the clock",
    of: "Simulator",
    why: "the clock has to move in a pass; core is told one instant",
  },
  {
    row: "B86",
    what: "metrics count before the status is written",
    of: "Simulator",
    why: "a write has to conflict, and no API server sees metrics",
  },
  {
    row: "B87",
    what: "a startup condition that turns False keeps its time",
    of: "Nobody",
    why: "core does as upstream, whose recorded decisions say so",
  },
  {
    row: "B88",
    what: "counters stand in any order",
    of: "Nobody",
    why: "the order is free: the list is a map by name",
  },
  {
    row: "B90a",
    what: "the Service selects other Pods",
    laws: "passes",
    by: "servicesFindTheJobSetsPods",
    changes: [
      {
        file: "core/src/desired/desired-service.ts",
        from: "selector: { [JOBSET_NAME_KEY]: nameOf(jobSet) }",
        to: 'selector: { "jobset-name": nameOf(jobSet) }',
      },
    ],
  },
  {
    row: "B90b",
    what: "Pods have the JobSet's name as their subdomain, whatever the Service's is",
    laws: "passes",
    by: "madePodsFindTheirService",
    changes: [
      {
        file: desiredJobs,
        from: "subdomain: subdomainOf(jobSet) }",
        to: "subdomain: nameOf(jobSet) }",
      },
    ],
  },
  {
    row: "B91",
    what: "the Service is not owned",
    laws: "passes",
    by: "madeObjectsBelongToTheJobSet",
    changes: [
      {
        file: "core/src/desired/desired-service.ts",
        from: "ownerReferences: [ownerReferenceTo(jobSet)],",
        to: "",
      },
    ],
  },
  {
    row: "B92",
    what: "what cannot be read is taken for absent",
    of: "Simulator",
    why: "a read has to fail",
  },
  {
    row: "B95",
    what: "Pods of a JobSet of the same name count as its own",
    of: "Nobody",
    why: "core does as upstream, which finds Pods by the JobSet's name; there is no other answer to undo",
  },
  {
    row: "B97",
    what: "work that is quadratic in Jobs",
    of: "Nobody",
    why: "`npm run bench` measures it; a law sees requests, not work",
  },
  {
    row: "B98",
    what: "claims are created blindly",
    of: "Nobody",
    why: "that is upstream's way, and a controller may: the server refuses what is there",
  },
  {
    row: "B100",
    what: "deletes share an error unsynchronised",
    of: "Nobody",
    why: "it is a race between threads; core has none",
  },
  {
    row: "B101",
    what: "a failed index is only logged",
    of: "Nobody",
    why: "it is the setup of a process, not semantics",
  },
  { row: "B102", what: "a JSON name is wrong in the schema", of: "Webhooks" },
];

/** Defects that nobody has reported: changes of one line all over core. */
const ours: readonly Defect[] = [
  own(
    "01",
    "BlockingRecreate does not wait",
    "jobsWaitForEarlierOnes",
    createJobs,
    "if (blocked) {",
    "if (false) {",
  ),
  own(
    "02",
    "Jobs are made before what they depend on is there",
    "jobsWaitForWhatTheyDependOn",
    createJobs,
    'if (gate?.action === "Wait") {',
    "if (gate === undefined) {",
  ),
  own(
    "03",
    "Jobs are resumed before what they depend on is there",
    "jobsWaitForWhatTheyDependOn",
    suspendOrResume,
    'if (gates[index]?.action === "Wait") continue;',
    "",
  ),
  own(
    "04",
    "startup in order makes all Jobs at once",
    "jobsWaitForTheirTurn",
    createJobs,
    'if (startup.action === "StartAndStop") return',
    'if (startup.action === "Stop") return',
  ),
  own(
    "05",
    "startup in order resumes all Jobs at once",
    "jobsWaitForTheirTurn",
    suspendOrResume,
    'if (startup.action === "StartAndStop") return',
    'if (startup.action === "Stop") return',
  ),
  own(
    "06",
    "startup in order holds back Jobs that are made suspended",
    "conditionsTellTheState",
    "core/src/policies/startup-policy.ts",
    "if (!startsInOrder(jobSet) || jobSet.spec?.suspend === true)",
    "if (!startsInOrder(jobSet))",
  ),
  own(
    "07",
    "Jobs that run without a ready Pod are not suspended",
    "jobsAreSuspendedAndResumed",
    suspendOrResume,
    "effects: draft.activeOrUnclaimed\n",
    "effects: draft.activeOrUnclaimed.filter(({ isReady }) => isReady)\n",
  ),
  own(
    "08",
    "Jobs that have completed go with those that run",
    "jobsAreDeletedWhenDue",
    "core/src/reconcile/delete-jobs.ts",
    "draft.activeOrUnclaimed, {",
    "[...draft.activeOrUnclaimed, ...facts.jobs.successful], {",
  ),
  own(
    "09",
    "a restart that ignores the limit counts towards it",
    "restartsCountTowardsTheLimit",
    failurePolicy,
    "return { action, countsTowardsMax: false, ...named };",
    "return { action, countsTowardsMax: true, ...named };",
  ),
  own(
    "10",
    "one restart more than allowed",
    "restartsAreCounted",
    failurePolicy,
    "global >= maxRestarts || (",
    "global > maxRestarts || (",
  ),
  own(
    "11",
    "restarts of single Jobs do not count against those of the JobSet",
    "restartsAreCounted",
    failurePolicy,
    "|| (single && total >= maxRestarts)",
    "",
  ),
  own(
    "12",
    "the last rule that fits is chosen",
    "restartsCountTowardsTheLimit",
    failurePolicy,
    "listOf(policy.rules).filter(isObject))",
    "listOf(policy.rules).filter(isObject).reverse())",
  ),
  own(
    "13",
    "rules apply to all ReplicatedJobs",
    "restartsCountTowardsTheLimit",
    "core/src/policies/rule-matcher.ts",
    "(targets.size === 0 || targets.has(replicatedJob)),",
    "true,",
  ),
  own(
    "14",
    "rules apply whatever the message",
    "restartsCountTowardsTheLimit",
    "core/src/policies/rule-matcher.ts",
    "if (patterns.length === 0) return fitting[0];",
    "return fitting[0];",
  ),
  own(
    "15",
    "the latest failure decides",
    "singleRestartsAreCounted",
    "core/src/policies/rule-matcher.ts",
    "a.time < b.time ? -1 : a.time > b.time ? 1 : 0",
    "a.time < b.time ? 1 : a.time > b.time ? -1 : 0",
  ),
  own(
    "16",
    "all Jobs count for completion, not the targets'",
    "jobSetsCompleteWhenTheirPolicySays",
    "core/src/policies/success-policy.ts",
    "targets.size === 0 || targets.has(name)",
    "true",
  ),
  own(
    "17",
    "operator Any is taken for All",
    "jobSetsCompleteWhenTheirPolicySays",
    "core/src/policies/success-policy.ts",
    'if (operator === "Any") return decide(operator, done, 1);',
    'if (operator === "Any") return evaluateSuccessPolicy({ ...jobSet, spec: { ...jobSet.spec, successPolicy: { ...policy, operator: "All" } } }, successful, context);',
  ),
  own(
    "18",
    "a dependency whose Jobs have completed never counts as ready",
    "jobsAreMadeWhenDue",
    "core/src/policies/dependencies.ts",
    " + integerOf(succeeded, 0) + ",
    " + ",
  ),
  own(
    "19",
    "a dependency is complete once its Jobs have ended or are ready",
    "jobsWaitForWhatTheyDependOn",
    "core/src/policies/dependencies.ts",
    "return counts?.succeeded === replicas;",
    "return startedCount(counts) === replicas;",
  ),
  own(
    "20",
    "the time to live is one of milliseconds",
    "finishedJobSetsAreDeletedInTime",
    "core/src/policies/ttl.ts",
    "ttlSeconds * 1000) / 1000",
    "ttlSeconds) / 1000",
  ),
  own(
    "21",
    "the barrier opens before all Pods are there",
    "attemptsInPlaceAreCounted",
    inPlaceRestart,
    "attempts.length === expected &&",
    "attempts.length <= expected &&",
  ),
  own(
    "22",
    "Pods that have gone ahead restart once more",
    "attemptsInPlaceAreCounted",
    inPlaceRestart,
    ': { action: "SetPreviousAttempt", attempt: highest - 1 };',
    ': { action: "SetPreviousAttempt", attempt: highest };',
  ),
  own(
    "23",
    "Pods that have failed hold the barrier",
    "attemptsInPlaceAreCounted",
    inPlaceRestart,
    'if (pod?.status?.phase === "Failed") continue;',
    "",
  ),
  own(
    "24",
    "restarts in place that do not count are counted",
    "jobSetsFailWhenTheirPolicySays",
    inPlaceRestart,
    "if (highest - uncounted > maxRestarts) {",
    "if (highest > maxRestarts) {",
  ),
  own(
    "25",
    "a resume begins no execution",
    "executionsAreCounted",
    "core/src/policies/execution-attempts.ts",
    "restarts : incrementInt32(stored) };",
    "restarts : stored };",
  ),
  own(
    "26",
    "Jobs of a suspended JobSet run",
    "jobsOfASuspendedJobSetAreMadeSuspended",
    desiredJobs,
    "suspend: isSuspended(jobSet),",
    "suspend: false,",
  ),
  own(
    "27",
    "Jobs have an empty Pod spec",
    "madeJobsHoldTheirPodTemplate",
    desiredJobs,
    "    ...membersOf(template),\n",
    "    containers: [],\n",
  ),
  own(
    "28",
    "the user's labels are lost",
    "madeJobsKeepTheUsersKeys",
    desiredJobs,
    "const labels = { ...membersOf(metadata?.labels) };",
    "const labels = {};",
  ),
  own(
    "29",
    "claims that only init containers mount have no volume",
    "madeJobsHoldTheirPodTemplate",
    desiredJobs,
    "[...listOf(template?.containers), ...listOf(template?.initContainers)]",
    "listOf(template?.containers)",
  ),
  own(
    "30",
    "the template's volumes are lost beside claims",
    "madeJobsHoldTheirPodTemplate",
    desiredJobs,
    "volumes: [...listOf(template?.volumes), ...volumes]",
    "volumes: [...volumes]",
  ),
  own(
    "31",
    "placement by node labels without its toleration",
    "madeJobsHoldTheirPodTemplate",
    desiredJobs,
    "...(nodeSelector && { tolerations: [...listOf(template?.tolerations), noScheduleToleration] }),",
    "",
  ),
  own(
    "32",
    "a key of JobSet's that the user sets wins",
    "madeObjectsHaveJobSetsKeys",
    desiredJobs,
    "return Object.assign({ ...first }, keys);",
    "return Object.assign({ ...keys }, own);",
  ),
  own(
    "33",
    "group indexes start anew in each ReplicatedJob",
    "madeObjectsHaveJobSetsKeys",
    childKeys,
    "firstGroupIndex === 0 ? index : String(firstGroupIndex + jobIndex);",
    "index;",
  ),
  own(
    "34",
    "global replicas are those of the ReplicatedJob",
    "madeObjectsHaveJobSetsKeys",
    childKeys,
    "String(indexed.globalReplicas)",
    "String(replicas)",
  ),
  own(
    "35",
    "the coordinator is the first Pod of its Job",
    "madeObjectsHaveJobSetsKeys",
    "core/src/desired/coordinator.ts",
    "integerOf(coordinator.podIndex, 0)",
    "0",
  ),
  own(
    "36",
    "the JobSet's topology wins over the Job template's",
    "madeObjectsHaveJobSetsKeys",
    "core/src/desired/exclusive-placement.ts",
    "[jobSet, replicatedJob?.template ?? {}]",
    "[replicatedJob?.template ?? {}, jobSet]",
  ),
  own(
    "37",
    "claims that are to outlive the JobSet go with it",
    "madeObjectsBelongToTheJobSet",
    "core/src/desired/desired-volume-claims.ts",
    '(retentionPolicy.whenDeleted ?? "Delete") === "Delete"',
    "true",
  ),
  own(
    "38",
    "unready Pods are published only when asked for",
    "servicesFindTheJobSetsPods",
    "core/src/desired/desired-service.ts",
    "?.publishNotReadyAddresses !== false && {",
    "?.publishNotReadyAddresses && {",
  ),
  own(
    "39",
    "a condition keeps its time when its status changes",
    "conditionTimesFollowTheStatus",
    setCondition,
    "return { ...change, lastTransitionTime: time };\n    }\n    if (condition.reason",
    "return { ...change, lastTransitionTime: condition.lastTransitionTime };\n    }\n    if (condition.reason",
  ),
  own(
    "40",
    "a condition gets a new time with a new reason",
    "conditionTimesFollowTheStatus",
    setCondition,
    "time = condition.lastTransitionTime;",
    "",
  ),
  own(
    "41",
    "both startup conditions are True",
    "conditionsTellTheState",
    setCondition,
    "if (!excludes(change, condition)) return condition;",
    "return condition;",
  ),
  own(
    "42",
    "a condition is introduced as False",
    "conditionsTellTheState",
    setCondition,
    'if (!found && change.status === "True") {',
    "if (!found) {",
  ),
  own(
    "43",
    "Jobs without Pods count as active",
    "childrenAreCounted",
    statuses,
    "if (child.hasActivePods) entry.active += 1;",
    "entry.active += 1;",
  ),
  own(
    "44",
    "the counts of single restarts are forgotten",
    "singleRestartsAreCounted",
    statuses,
    "...singleRestarts(stored?.get(name)) }",
    "}",
  ),
  own(
    "45",
    "a Job is ready with one Pod ready",
    "childrenAreCounted",
    "core/src/snapshot/child-job.ts",
    "integerOf(job?.status?.ready, 0) >= expected;",
    "integerOf(job?.status?.ready, 0) >= 1;",
  ),
  own(
    "46",
    "a Job is ready with as many Pods as run at a time, when fewer complete",
    "childrenAreCounted",
    "core/src/snapshot/child-job.ts",
    "Math.min(parallelism, integerOf(job?.spec?.completions, parallelism))",
    "parallelism",
  ),
  own(
    "47",
    "the start time of a resumed Job stays",
    "requestsAreNotRefused",
    resumeJob,
    "resetsStartTime: (job?.status?.startTime ?? undefined) !== undefined,",
    "resetsStartTime: false,",
  ),
  own(
    "48",
    "a resumed Job keeps old entries of its node selector",
    "resumedJobsFollowTheirTemplate",
    resumeJob,
    "    nodeSelector: {\n      ...now.nodeSelector,\n      ...(placed",
    "    nodeSelector: {\n      ...before.nodeSelector,\n      ...now.nodeSelector,\n      ...(placed",
  ),
  own(
    "49",
    "a resume takes over requests, and no limits",
    "resumedJobsFollowTheirTemplate",
    "core/src/child-jobs/mutable-resources.ts",
    'const members = ["requests", "limits"] as const;',
    'const members = ["requests"] as const;',
  ),
  own(
    "50",
    "absent numbers scale a Job to nothing",
    "elasticJobsFollowTheirTemplate",
    "core/src/child-jobs/scale-job.ts",
    "? undefined : 1;",
    "? undefined : 0;",
  ),
  own(
    "51",
    "numbers that differ are followed, too",
    "elasticJobsFollowTheirTemplate",
    "core/src/child-jobs/scale-job.ts",
    'if (parallelism !== completions) return { action: "None" };',
    "",
  ),
  own(
    "52",
    "a restart is over when as many Jobs are up as there are ReplicatedJobs",
    "restartsShowInTheirCondition",
    "core/src/reconcile/end-finished-restart.ts",
    "(sum, one) => sum + replicasOf(one), 0)",
    "(sum) => sum + 1, 0)",
  ),
  own(
    "53",
    "Jobs of a later attempt are taken for earlier ones",
    "jobsAreDeletedWhenDue",
    "core/src/child-jobs/classify-jobs.ts",
    "if (restartAttempt < restarts) return PREVIOUS;",
    "if (restartAttempt !== restarts) return PREVIOUS;",
  ),
  own(
    "54",
    "a single Job that is to restart stays",
    "jobsAreDeletedWhenDue",
    "core/src/child-jobs/classify-jobs.ts",
    "previous: attempt.value < restarts.at(index.value) }",
    "previous: false }",
  ),
  own(
    "55",
    "the restart of a single Job is counted for the first one",
    "singleRestartsAreCounted",
    "core/src/child-jobs/restart-job.ts",
    "const jobRestarts = oneMore(entry?.jobRestarts, replicas, index.value);",
    "const jobRestarts = oneMore(entry?.jobRestarts, replicas, 0);",
  ),
  own(
    "56",
    "a restart shows in no condition",
    "restartsShowInTheirCondition",
    applyFailurePolicy,
    '.condition("Warning", { type: CONDITION_RESTARTING, status: "True", reason, message })',
    "",
  ),
  own(
    "57",
    "a failure is told as Normal",
    "eventTypesAreRight",
    draft,
    'return this.condition("Warning", {\n      type: CONDITION_FAILED',
    'return this.condition("Normal", {\n      type: CONDITION_FAILED',
  ),
  own(
    "58",
    "terminalState is not written",
    "jobSetsFailWhenTheirPolicySays",
    draft,
    "changes: { ...this.#decided.changes, terminalState },",
    "",
  ),
  own(
    "59",
    "members of the status that are not known are lost",
    "executionsAreCounted",
    draft,
    "      ...others,\n",
    "",
  ),
  own(
    "60",
    "a suspended JobSet that restarts keeps saying so",
    "restartsShowInTheirCondition",
    suspendOrResume,
    "    .endRestart({ reason: REASON_JOBSET_SUSPENDED, message: MESSAGE_SUSPENDED });\n",
    ";\n",
  ),
  own(
    "61",
    "a service is looked for under the JobSet's name",
    "servicesAreMadeWhenDue",
    "core/src/reconcile/create-service.ts",
    "const existing = snapshot.service(namespace, name);",
    "const existing = snapshot.service(namespace, jobSet.metadata?.name);",
  ),
  own(
    "62",
    "Jobs of a suspended JobSet do not wait for what they depend on",
    "jobsWaitForWhatTheyDependOn",
    createJobs,
    'if (gate?.action === "Wait") {',
    'if (gate?.action === "Wait" && !isSuspended(jobSet)) {',
  ),
];

/** The list: what was reported, and what we thought of ourselves. */
export const defects: readonly Defect[] = [...known, ...ours];

function own(
  number: string,
  what: string,
  by: ReconcileLawName,
  file: string,
  from: string,
  to: string,
): Defect {
  return { row: `own ${number}`, what, laws: "passes", by, changes: [{ file, from, to }] };
}
