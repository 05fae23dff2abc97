import type { Defect } from "./defect.ts";
import { applyFailurePolicy, desiredJobs, failurePolicy, resumeJob, statuses } from "./sources.ts";

/** Defects of passes, of the public history and issues of JobSet. */
export const knownPassDefects: readonly Defect[] = [
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
        from: "const uncounted = new Set<ChildJobs>([classified.unclaimed]);",
        to: 'const uncounted = new Set<ChildJobs>(); if (classified.unclaimed.size > 0) throw new TypeError("nil map");',
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
    laws: "passes",
    by: "conditionTimesFollowTheStatus",
    changes: [
      {
        file: "core/src/status/set-condition.ts",
        from: 'if (context.quirks.has("StartupConditionKeepsTime")) {',
        to: "if (context.quirks.size >= 0) {",
      },
    ],
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
    laws: "passes",
    by: "attemptsInPlaceAreCounted",
    changes: [
      {
        file: "core/src/reconcile/restart-in-place.ts",
        from: 'if (context.quirks.has("PodsOfDeletedJobSetCount")) return named;',
        to: "if (named.length >= 0) return named;",
      },
    ],
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
];
