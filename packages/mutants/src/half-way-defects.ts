import type { Defect } from "./defect.ts";

/** Defects of passes that are right about one thing, or the first of several, and wrong about the next. */
export const halfWayDefects: readonly Defect[] = [
  {
    row: "own Y01",
    what: "only the first reason counts",
    laws: "passes",
    by: "restartsCountTowardsTheLimit",
    changes: [
      {
        file: "core/src/policies/rule-matcher.ts",
        from: "const reasons = new Set<string>(listOf(rule.onJobFailureReasons));",
        to: "const reasons = new Set<string>(listOf(rule.onJobFailureReasons).slice(0, 1));",
      },
    ],
  },
  {
    row: "own Y02",
    what: "only the first success target counts",
    laws: "passes",
    by: "jobSetsCompleteWhenTheirPolicySays",
    changes: [
      {
        file: "core/src/policies/success-policy.ts",
        from: "const targets = new Set(listOf(policy?.targetReplicatedJobs));",
        to: "const targets = new Set(listOf(policy?.targetReplicatedJobs).slice(0, 1));",
      },
    ],
  },
  {
    row: "own Y03",
    what: "only the first dependency counts",
    laws: "passes",
    by: "jobsWaitForWhatTheyDependOn",
    changes: [
      {
        file: "core/src/policies/dependencies.ts",
        from: "  return listOf(replicatedJob.dependsOn)\n    .filter(isObject)",
        to: "  return listOf(replicatedJob.dependsOn).slice(0, 1)\n    .filter(isObject)",
      },
    ],
  },
  {
    row: "own Y04",
    what: "a restart begins no execution",
    laws: "passes",
    by: "executionsAreCounted",
    changes: [
      {
        file: "core/src/reconcile/apply-failure-policy.ts",
        from: "executions !== undefined && { executionAttempts: incrementInt32(executions) }",
        to: "executions !== undefined && { executionAttempts: executions }",
      },
    ],
  },
  {
    row: "own Y05",
    what: "executions begin at one",
    laws: "passes",
    by: "executionsAreCounted",
    changes: [
      {
        file: "core/src/policies/execution-attempts.ts",
        from: '{ action: "Initialize", attempts: restarts }',
        to: '{ action: "Initialize", attempts: restarts + 1 }',
      },
    ],
  },
  {
    row: "own Y06",
    what: "a time to live of 0 is none",
    laws: "passes",
    by: "finishedJobSetsAreDeletedInTime",
    changes: [
      {
        file: "core/src/policies/ttl.ts",
        from: "Number.isNaN(ttlSeconds)) return",
        to: "Number.isNaN(ttlSeconds) || ttlSeconds === 0) return",
      },
    ],
  },
  {
    row: "own Y07",
    what: "no restarts allowed means as many as one likes",
    laws: "passes",
    by: "restartsAreCounted",
    changes: [
      {
        file: "core/src/policies/failure-policy.ts",
        from: "integerOf(jobSet?.spec?.failurePolicy?.maxRestarts, 0);",
        to: "integerOf(jobSet?.spec?.failurePolicy?.maxRestarts, 0) || 1e9;",
      },
    ],
  },
  {
    row: "own Y08",
    what: "BlockingRecreate waits for Jobs of the same ReplicatedJob only",
    laws: "passes",
    by: "jobsWaitForEarlierOnes",
    changes: [
      {
        file: "core/src/reconcile/create-jobs.ts",
        from: "    if (blocked) {",
        to: "    if (blocked && jobs.previous.groups.some(({ traits }) => traits.replicatedJob === name)) {",
      },
    ],
  },
  {
    row: "own Y09",
    what: "completed Jobs of earlier attempts stay",
    laws: "passes",
    by: "jobsAreDeletedWhenDue",
    changes: [
      {
        file: "core/src/child-jobs/classify-jobs.ts",
        from: 'if (attempt.previous) return "previous";',
        to: 'if (attempt.previous && traits.state !== "successful") return "previous";',
      },
    ],
  },
  {
    row: "own Y10",
    what: "Jobs lack JobSet's labels that their Pods have",
    laws: "passes",
    by: "madeObjectsHaveJobSetsKeys",
    changes: [
      {
        file: "core/src/desired/desired-jobs.ts",
        from: "labels: jobLabels(keys),",
        to: "labels: { ...jobMeta.labels },",
      },
    ],
  },
  {
    row: "own Y11",
    what: "the Service selects by its own name",
    laws: "passes",
    by: "servicesFindTheJobSetsPods",
    changes: [
      {
        file: "core/src/desired/desired-service.ts",
        from: "[JOBSET_NAME_KEY]: nameOf(jobSet) }",
        to: "[JOBSET_NAME_KEY]: subdomainOf(jobSet) }",
      },
    ],
  },
];
