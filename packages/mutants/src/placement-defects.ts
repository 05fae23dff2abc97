import type { Defect } from "./defect.ts";

/** Defects of the repair of exclusive placement that nobody has reported. */
export const placementDefects: readonly Defect[] = [
  {
    row: "own R01",
    what: "the leader is found by name, whatever Job it is of",
    laws: "repairs",
    by: "misplacedFollowersGoTogether",
    changes: [
      {
        file: "core/src/placement/evaluate-placement.ts",
        from: "(pod) => isOwn(pod) && !isLeaderPod(pod)",
        to: "(pod) => !isLeaderPod(pod)",
      },
    ],
  },
  {
    row: "own R02",
    what: "the leader goes with its followers",
    laws: "repairs",
    by: "followersAreMarkedBeforeTheyGo",
    changes: [
      {
        file: "core/src/placement/evaluate-placement.ts",
        from: "(pod) => isOwn(pod) && !isLeaderPod(pod) &&",
        to: "(pod) => isOwn(pod) &&",
      },
    ],
  },
  {
    row: "own R03",
    what: "only those that are misplaced go",
    laws: "repairs",
    by: "misplacedFollowersGoTogether",
    changes: [
      {
        file: "core/src/placement/evaluate-placement.ts",
        from: "    followers,\n    domain: value,",
        to: "    followers: [violator],\n    domain: value,",
      },
    ],
  },
  {
    row: "own R04",
    what: "followers are judged by the node they are on, not where they are sent",
    laws: "repairs",
    by: "followersAreMarkedBeforeTheyGo",
    changes: [
      {
        file: "core/src/placement/evaluate-placement.ts",
        from: "const violator = followers.find((pod) => declaredDomain(pod, topologyKey) !== value);",
        to: "const violator = followers.find((pod) => (pod.spec?.nodeName || leader.spec?.nodeName) !== leader.spec?.nodeName);",
      },
    ],
  },
  {
    row: "own R05",
    what: "followers that run are spared",
    laws: "repairs",
    by: "misplacedFollowersGoTogether",
    changes: [
      {
        file: "core/src/placement/evaluate-placement.ts",
        from: "    followers,\n    domain: value,",
        to: '    followers: followers.filter((pod) => pod.status?.phase !== "Running"),\n    domain: value,',
      },
    ],
  },
  {
    row: "own R06",
    what: "Pods of another namespace go",
    laws: "repairs",
    by: "followersAreMarkedBeforeTheyGo",
    changes: [
      {
        file: "core/src/placement/evaluate-placement.ts",
        from: "const pods = snapshot.podsByJobKey(namespaceOf(leader), jobKey);",
        to: 'const pods = snapshot.objects("Pod").filter((one) => labelOf(one, JOB_KEY_KEY) === jobKey);',
      },
    ],
  },
  {
    row: "own R07",
    what: "where the leader's node is gone, all followers go",
    laws: "repairs",
    by: "followersAreMarkedBeforeTheyGo",
    changes: [
      {
        file: "core/src/placement/evaluate-placement.ts",
        from: '  if (value === "") {',
        to: "  if (false) {",
      },
    ],
  },
];
