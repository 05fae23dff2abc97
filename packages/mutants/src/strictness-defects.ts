import type { Defect } from "./defect.ts";

/** Defects of webhooks that ask too much, or too little, in one case of several. */
export const strictnessDefects: readonly Defect[] = [
  {
    row: "own S01",
    what: "Pods are counted over all ReplicatedJobs",
    laws: "jobSets",
    by: "podsCanBeCounted",
    changes: [
      {
        file: "admission/src/jobset/replicated-job-rules.ts",
        from: "const podCount = (one.parallelism ?? 1) * one.replicas;",
        to: "const podCount = view.replicatedJobs.reduce((sum, it) => sum + (it.parallelism ?? 1) * it.replicas, 0);",
      },
    ],
  },
  {
    row: "own S02",
    what: "a suspended JobSet may change the labels of its Jobs",
    laws: "jobSets",
    by: "replicatedJobsStay",
    changes: [
      {
        file: "admission/src/jobset/mutable-members.ts",
        from: "const members = [\n    ...(mayScale",
        to: 'const members = [\n    ["template", "metadata", "labels"], ...(mayScale',
      },
    ],
  },
  {
    row: "own S03",
    what: "ReplicatedJobs may change places",
    laws: "jobSets",
    by: "replicatedJobsStay",
    changes: [
      {
        file: "admission/src/jobset/immutability-rules.ts",
        from: "const { replicatedJobs } = update.before.spec;",
        to: "const order = next.map((one) => one?.name);\n  const replicatedJobs = [...(update.before.spec.replicatedJobs ?? [])].sort((a, b) => order.indexOf(a?.name) - order.indexOf(b?.name));",
      },
    ],
  },
  {
    row: "own S04",
    what: "volumes of the first ReplicatedJob alone count",
    laws: "jobSets",
    by: "claimsCanBeMounted",
    changes: [
      {
        file: "admission/src/jobset/volume-claim-rules.ts",
        from: "for (const { field, jobSpec } of replicatedJobs) {",
        to: "for (const { field, jobSpec } of replicatedJobs.slice(0, 1)) {",
      },
    ],
  },
  {
    row: "own S05",
    what: "patterns are those of JavaScript",
    laws: "jobSets",
    by: "failureRulesCanApply",
    changes: [
      {
        file: "admission/src/jobset/failure-policy-rules.ts",
        from: "  const refused = refusedPatternsByRule(view, rules);",
        to: '  const refused = new Map(); for (const [i, { rule }] of rules.entries()) for (const [p, t] of textsOf(rule.onJobFailureMessagePatterns).entries()) { try { new RegExp(t); } catch { refused.set(i, [{ rule: i, pattern: p, kind: "Malformed", message: "no" }]); } }',
      },
    ],
  },
  {
    row: "own S06",
    what: "managedBy may hold one slash only",
    laws: "jobSets",
    by: "managersHaveADomain",
    changes: [
      {
        file: "admission/src/jobset/managed-by-rules.ts",
        from: 'if (host === "" || path === "") {',
        to: 'if (host === "" || path === "" || path.includes("/")) {',
      },
    ],
  },
  {
    row: "own S07",
    what: "the limit of single restarts is over all ReplicatedJobs",
    laws: "jobSetsUnderGates",
    by: "jobRestartsCanBeCounted",
    changes: [
      {
        file: "admission/src/jobset/failure-policy-rules.ts",
        from: "view.replicatedJobs.find(({ replicas }) => replicas > MAX_COUNTED_JOBS)",
        to: "(view.replicatedJobs.reduce((sum, one) => sum + one.replicas, 0) > MAX_COUNTED_JOBS ? view.replicatedJobs[0] : undefined)",
      },
    ],
  },
  {
    row: "own S08",
    what: "leaders repel Pods of no Job",
    laws: "pods",
    by: "leadersGetTheirTerms",
    changes: [
      {
        file: "admission/src/pod/leader-terms.ts",
        from: '        { key: JOB_KEY_KEY, operator: "Exists" },\n',
        to: "",
      },
    ],
  },
  {
    row: "own S09",
    what: "the leader is found by JobSet and ReplicatedJob alone",
    laws: "pods",
    by: "followersGetTheLeadersDomain",
    changes: [
      {
        file: "admission/src/pod/leader-lookup.ts",
        from: "const candidates = snapshot.podsByIndexName(namespaceOf(follower), leaderName);",
        to: 'const candidates = snapshot.objects("Pod").filter((one) => namespaceOf(one) === namespaceOf(follower) && labelOf(one, JOBSET_NAME_KEY) === labelOf(follower, JOBSET_NAME_KEY) && (one.metadata?.annotations ?? {})["batch.kubernetes.io/job-completion-index"] === "0");',
      },
    ],
  },
  {
    row: "own S10",
    what: "the domain is the host",
    laws: "pods",
    by: "followersGetTheLeadersDomain",
    changes: [
      {
        file: "admission/src/pod/leader-domain.ts",
        from: "const domain = labelOf(node, topologyKey);",
        to: "const domain = nameOf(node);",
      },
    ],
  },
  {
    row: "own S11",
    what: "a follower with a selector is let in",
    laws: "pods",
    by: "followersWaitForALeader",
    changes: [
      {
        file: "admission/src/pod/validate-pod.ts",
        from: 'if (role.kind !== "Follower") return { allowed: true };',
        to: 'if (role.kind !== "Follower" || Object.keys(pod.spec?.nodeSelector ?? {}).length > 0) return { allowed: true };',
      },
    ],
  },
  {
    row: "own S12",
    what: "leaders get a node selector, too",
    laws: "pods",
    by: "nothingElseIsTouched",
    changes: [
      {
        file: "admission/src/pod/mutate-pod.ts",
        from: 'case "Leader":\n      return reserveDomain',
        to: 'case "Leader":\n      pod = { ...pod, spec: { ...pod.spec, nodeSelector: { ...pod.spec?.nodeSelector, [role.topologyKey]: "" } } };\n      return reserveDomain',
      },
    ],
  },
];
