import type { Defect } from "./defect.ts";

/** Defects of passes that take something in the cluster for what it is not. */
export const readingDefects: readonly Defect[] = [
  {
    row: "own X01",
    what: "Jobs are of the JobSet of their label, in whatever namespace",
    laws: "passes",
    by: "childrenAreCounted",
    changes: [
      {
        file: "core/src/owner.ts",
        from: "return controllingJobSetUid(job) === uidOf(jobSet) && namespaceOf(job) === namespaceOf(jobSet);",
        to: "return controllingJobSetUid(job) === nameOf(jobSet);",
      },
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
    row: "own X02",
    what: "a Service of another namespace is good enough",
    laws: "passes",
    by: "servicesAreMadeWhenDue",
    changes: [
      {
        file: "core/src/reconcile/create-service.ts",
        from: "const existing = snapshot.service(namespace, name)",
        to: 'const existing = snapshot.objects("Service").find((one) => one.metadata?.name === name)',
      },
    ],
  },
  {
    row: "own X03",
    what: "a claim of another namespace is good enough",
    laws: "passes",
    by: "claimsAreMadeWhenDue",
    changes: [
      {
        file: "core/src/reconcile/create-volume-claims.ts",
        from: "snapshot.volumeClaim(namespace, name) === undefined",
        to: 'snapshot.objects("PersistentVolumeClaim").every((one) => one.metadata?.name !== name)',
      },
    ],
  },
  {
    row: "own X04",
    what: "a Job with any condition of failure has failed",
    laws: "passes",
    by: "childrenAreCounted",
    changes: [
      {
        file: "core/src/snapshot/child-job.ts",
        from: 'if (!isObject(condition) || condition.status !== "True") continue;',
        to: "if (!isObject(condition)) continue;",
      },
    ],
  },
  {
    row: "own X05",
    what: "a Job with any condition of suspension is suspended",
    laws: "passes",
    by: "childrenAreCounted",
    changes: [
      {
        file: "core/src/snapshot/child-job.ts",
        from: "isSuspended: isSuspended(job),",
        to: 'isSuspended: isSuspended(job) || listOf(job?.status?.conditions).some((one) => one?.type === "Suspended"),',
      },
    ],
  },
  {
    row: "own X06",
    what: "a JobSet with any condition of its end has ended",
    laws: "passes",
    by: "jobsAreDeletedWhenDue",
    changes: [
      {
        file: "core/src/policies/ttl.ts",
        from: "trueCondition(jobSet?.status?.conditions, CONDITION_COMPLETED, CONDITION_FAILED) !== undefined",
        to: "(jobSet?.status?.conditions ?? []).some((one) => one?.type === CONDITION_COMPLETED || one?.type === CONDITION_FAILED)",
      },
    ],
  },
  {
    row: "own X07",
    what: "any owner is taken for the controller",
    laws: "passes",
    by: "jobsAreDeletedWhenDue",
    changes: [
      {
        file: "core/src/owner.ts",
        from: "const owner = controllerOf(object);",
        to: "const owner = object?.metadata?.ownerReferences?.[0];",
      },
    ],
  },
  {
    row: "own X08",
    what: "the time to live begins with the first condition",
    laws: "passes",
    by: "finishedJobSetsAreDeletedInTime",
    changes: [
      {
        file: "core/src/policies/ttl.ts",
        from: "parseTime(end.lastTransitionTime)",
        to: "parseTime(jobSet?.status?.conditions?.[0]?.lastTransitionTime)",
      },
    ],
  },
  {
    row: "own X09",
    what: "the time to live begins with the JobSet",
    laws: "passes",
    by: "finishedJobSetsAreDeletedInTime",
    changes: [
      {
        file: "core/src/policies/ttl.ts",
        from: "parseTime(end.lastTransitionTime)",
        to: "parseTime(jobSet?.metadata?.creationTimestamp ?? end.lastTransitionTime)",
      },
    ],
  },
  {
    row: "own X10",
    what: "Jobs of earlier attempts count as failed",
    laws: "passes",
    by: "childrenAreCounted",
    changes: [
      {
        file: "core/src/status/replicated-jobs-status.ts",
        from: "count(classified.failed, (entry, { jobs }) => {",
        to: 'count(classified.previous.filter(({ traits }) => traits.state === "failed"), (entry, { jobs }) => { entry.failed += jobs.length; }); count(classified.failed, (entry, { jobs }) => {',
      },
    ],
  },
  {
    row: "own X11",
    what: "in place: restarts of init containers do not count",
    laws: "passes",
    by: "jobSetsFailWhenTheirPolicySays",
    changes: [
      {
        file: "core/src/policies/in-place-restart.ts",
        from: "    ...listOf(pod?.status?.initContainerStatuses),\n",
        to: "",
      },
    ],
  },
  {
    row: "own X12",
    what: "of failed Jobs the first by name decides",
    laws: "passes",
    by: "singleRestartsAreCounted",
    changes: [
      {
        file: "core/src/policies/rule-matcher.ts",
        from: "return timed.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));",
        to: "return timed;",
      },
    ],
  },
];
