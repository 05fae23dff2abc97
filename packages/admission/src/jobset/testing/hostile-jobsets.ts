// JobSets of any size that violate one rule as often as possible, or have one huge value.

/** Creates a JobSet of about this number of bytes. For an update, also creates the old JobSet. */
export type CreateHostileRequest = (bytes: number) => {
  readonly object: object;
  readonly oldObject?: object;
};

type JsonMembers = Readonly<Record<string, unknown>>;

const container = { name: "main", image: "i" };
const podTemplate = (spec: JsonMembers = {}) => ({
  spec: { restartPolicy: "Never", containers: [container], ...spec },
});

function job(
  name: string,
  members: JsonMembers = {},
  pod: JsonMembers = {},
  jobSpec: JsonMembers = {},
) {
  const spec = { parallelism: 1, completions: 1, completionMode: "Indexed", ...jobSpec };
  return {
    name,
    groupName: "default",
    replicas: 1,
    template: { spec: { ...spec, template: podTemplate(pod) } },
    ...members,
  };
}

function jobSet(spec: JsonMembers, metadata: JsonMembers = {}) {
  return {
    apiVersion: "jobset.x-k8s.io/v1alpha2",
    kind: "JobSet",
    metadata: { name: "js", namespace: "ml", ...metadata },
    spec: { replicatedJobs: [job("w")], ...spec },
  };
}

/** Returns as many elements as fit into `bytes`. */
function fillList<Element>(bytes: number, make: (index: number) => Element): readonly Element[] {
  const size = JSON.stringify(make(10_000)).length + 1;
  return Array.from({ length: Math.max(2, Math.floor(bytes / size)) }, (_, index) => make(index));
}

function fillMap(bytes: number, key: (index: number) => string, value: unknown) {
  return Object.fromEntries(fillList(bytes, (index): [string, unknown] => [key(index), value]));
}

const long = (bytes: number) => "x".repeat(bytes);
const quotes = (bytes: number) => '"\u0001'.repeat(bytes / 2);

const withHostileMetadata =
  (metadata: (bytes: number) => JsonMembers): CreateHostileRequest =>
  (bytes) => ({
    object: jobSet({}, metadata(bytes)),
  });
const withHostileSpec =
  (
    spec: (bytes: number) => JsonMembers,
    metadata: (bytes: number) => JsonMembers = () => ({}),
  ): CreateHostileRequest =>
  (bytes) => ({ object: jobSet(spec(bytes), metadata(bytes)) });
const withHostilePod =
  (pod: (bytes: number) => JsonMembers): CreateHostileRequest =>
  (bytes) => ({
    object: jobSet({ replicatedJobs: [job("w", {}, pod(bytes))] }),
  });

const fewJobs = Math.sqrt;

const creations: Readonly<Record<string, CreateHostileRequest>> = {
  "a long name": withHostileMetadata((bytes) => ({ name: long(bytes) })),
  "a name of escapes": withHostileMetadata((bytes) => ({ name: quotes(bytes) })),
  "a long generateName": withHostileMetadata((bytes) => ({
    name: undefined,
    generateName: long(bytes),
  })),
  "a long namespace": withHostileMetadata((bytes) => ({ namespace: long(bytes) })),
  "labels with bad keys": withHostileMetadata((bytes) => ({
    labels: fillMap(bytes, (i) => `-${i}`, "-"),
  })),
  "labels that are not text": withHostileMetadata((bytes) => ({
    labels: fillMap(bytes, String, 0),
  })),
  "a long label": withHostileMetadata((bytes) => ({
    labels: { [long(bytes / 2)]: long(bytes / 2) },
  })),
  "annotations with bad keys": withHostileMetadata((bytes) => ({
    annotations: fillMap(bytes, (i) => `-${i}`, ""),
  })),
  "owners that all control": withHostileMetadata((bytes) => ({
    ownerReferences: fillList(bytes, (i) => ({
      apiVersion: "v1",
      kind: "Pod",
      name: `p-${i}`,
      uid: `${i}`,
      controller: true,
    })),
  })),
  "owners without anything": withHostileMetadata((bytes) => ({
    ownerReferences: fillList(bytes, () => ({})),
  })),
  "owners that are Events": withHostileMetadata((bytes) => ({
    ownerReferences: fillList(bytes, () => ({
      apiVersion: "v1",
      kind: "Event",
      name: "e",
      uid: "u",
    })),
  })),
  "bad finalizers": withHostileMetadata((bytes) => ({ finalizers: fillList(bytes, () => "-") })),
  "finalizers that exclude each other": withHostileMetadata((bytes) => ({
    finalizers: ["orphan", "foregroundDeletion", ...fillList(bytes, (i) => `a.b/${i}`)],
  })),
  "a time that is none": withHostileMetadata((bytes) => ({ creationTimestamp: long(bytes) })),
  "unknown members": withHostileSpec((bytes) => fillMap(bytes, (i) => `unknown${i}`, 0)),

  "ReplicatedJobs of one name": withHostileSpec((bytes) => ({
    replicatedJobs: fillList(bytes, () => job("w")),
  })),
  "ReplicatedJobs that are numbers": withHostileSpec((bytes) => ({
    replicatedJobs: fillList(bytes, () => 5),
  })),
  "ReplicatedJobs that are empty": withHostileSpec((bytes) => ({
    replicatedJobs: fillList(bytes, () => ({})),
  })),
  "ReplicatedJobs with bad names": withHostileSpec((bytes) => ({
    replicatedJobs: fillList(bytes, (i) => job(`-${i}-`, { groupName: "-" })),
  })),
  "ReplicatedJobs of one long name": withHostileSpec((bytes) => {
    const replicas = 1 + fewJobs(bytes);
    return {
      replicatedJobs: Array.from({ length: replicas }, () => job(long(bytes / replicas))),
    };
  }),
  "ReplicatedJobs of a JobSet with a long name": withHostileSpec(
    (bytes) => ({ replicatedJobs: fillList(bytes / 2, (i) => job(`${i}`)) }),
    (bytes) => ({ name: long(bytes / 2) }),
  ),
  "replicas of the wrong type": withHostileSpec((bytes) => ({
    replicatedJobs: fillList(bytes, (i) => job(`w${i}`, { replicas: "1" })),
  })),
  "too many Pods": withHostileSpec((bytes) => ({
    replicatedJobs: fillList(bytes, (i) =>
      job(`w${i}`, { replicas: 65536 }, {}, { parallelism: 65536 }),
    ),
  })),
  "dependencies on what is not there": withHostileSpec((bytes) => ({
    replicatedJobs: [
      job("a"),
      job(long(bytes / 2), {
        dependsOn: fillList(bytes / 2, (i) => ({ name: `${i}`, status: "Ready" })),
      }),
    ],
  })),
  "dependencies of a wrong status": withHostileSpec((bytes) => ({
    replicatedJobs: [
      job("a"),
      job("b", { dependsOn: fillList(bytes, () => ({ name: "a", status: "No" })) }),
    ],
  })),
  "a long subdomain": withHostileSpec((bytes) => ({ network: { subdomain: long(bytes) } })),
  "a long manager": withHostileSpec((bytes) => ({ managedBy: long(bytes) })),
  "targets of success that are not there": withHostileSpec((bytes) => ({
    successPolicy: { operator: "All", targetReplicatedJobs: fillList(bytes, () => "no") },
  })),
  "rules of one name": withHostileSpec((bytes) => ({
    failurePolicy: { rules: fillList(bytes, () => ({ name: "r", action: "FailJobSet" })) },
  })),
  "rules of an empty name": withHostileSpec((bytes) => ({
    failurePolicy: { rules: fillList(bytes, () => ({ name: "", action: "No" })) },
  })),
  "rules about what is not there": withHostileSpec((bytes) => ({
    failurePolicy: {
      rules: [
        {
          name: "r",
          action: "FailJobSet",
          targetReplicatedJobs: fillList(bytes / 2, () => "no"),
          onJobFailureReasons: fillList(bytes / 2, () => "no"),
        },
      ],
    },
  })),
  "a coordinator that is not there": withHostileSpec((bytes) => ({
    coordinator: { replicatedJob: long(bytes) },
  })),
  "in-place restart of other Jobs": withHostileSpec((bytes) => ({
    failurePolicy: { restartStrategy: "InPlaceRestart" },
    replicatedJobs: fillList(bytes, (i) => job(`w${i}`)),
  })),
  "exclusive placement of other Jobs": withHostileSpec(
    (bytes) => ({
      replicatedJobs: fillList(bytes, (i) =>
        job(`w${i}`, {}, {}, { completionMode: "NonIndexed" }),
      ),
    }),
    () => ({ annotations: { "alpha.jobset.sigs.k8s.io/exclusive-topology": "rack" } }),
  ),

  "claims that no container mounts": withHostileSpec((bytes) => ({
    replicatedJobs: fillList(bytes / 2, (i) => job(`w${i}`)),
    volumeClaimPolicies: Array.from({ length: 50 }, (_, policy) => ({
      templates: fillList(bytes / 100, (i) => ({
        metadata: { name: `c${policy}-${i}` },
        spec: {},
      })).slice(0, 50),
    })),
  })),
  "claims of one name, which volumes have": withHostileSpec((bytes) => ({
    replicatedJobs: [job("w", {}, { volumes: fillList(bytes / 2, () => ({ name: "c" })) })],
    volumeClaimPolicies: fillList(bytes / 2, () => ({ templates: [{ metadata: { name: "c" } }] })),
  })),
  "claims of a long name, which volumes have": withHostileSpec((bytes) => ({
    replicatedJobs: [
      job("w", {}, { volumes: [1, 2, 3, 4].map(() => ({ name: long(bytes / 8) })) }),
    ],
    volumeClaimPolicies: [1, 2, 3, 4].map(() => ({
      templates: [{ metadata: { name: long(bytes / 8) } }],
    })),
  })),
  "claims of a JobSet with a long name": withHostileSpec(
    (bytes) => ({
      volumeClaimPolicies: fillList(bytes / 2, (i) => ({
        templates: [{ metadata: { name: `c${i}` } }],
      })),
    }),
    (bytes) => ({ name: long(bytes / 2) }),
  ),
  "claims with a namespace": withHostileSpec((bytes) => ({
    volumeClaimPolicies: fillList(bytes, (i) => ({
      templates: [{ metadata: { name: `c${i}`, namespace: "n" }, spec: {} }],
    })),
  })),

  "arguments that are numbers": withHostilePod((bytes) => ({
    containers: [{ ...container, args: fillList(bytes, () => 0) }],
  })),
  "containers that are numbers": withHostilePod((bytes) => ({
    containers: fillList(bytes, () => 0),
  })),
  "containers of one name": withHostilePod((bytes) => ({
    containers: fillList(bytes, () => container),
  })),
  "variables of long names": withHostilePod((bytes) => ({
    containers: [
      {
        ...container,
        env: fillList(bytes, (i) => ({ name: `${long(300)}${i % 7}`, value: 0 })),
      },
    ],
  })),
  "ports that are twice there": withHostilePod((bytes) => ({
    containers: [{ ...container, ports: fillList(bytes, (i) => ({ containerPort: i >> 1 })) }],
  })),
  "limits that are none": withHostilePod((bytes) => ({
    containers: [{ ...container, resources: { limits: fillMap(bytes, (i) => `l${i}`, true) } }],
  })),
  "a limit of a long name": withHostilePod((bytes) => ({
    containers: [{ ...container, resources: { limits: { [long(bytes)]: 1.5 } } }],
  })),
  "node selectors that are numbers": withHostilePod((bytes) => ({
    nodeSelector: fillMap(bytes, (i) => `k${i}`, 0),
  })),
  "quantities that are none": withHostilePod((bytes) => ({
    overhead: fillMap(bytes, (i) => `k${i}`, "no"),
  })),
};

/** Invalid JobSets by their error. */
export const hostileCreations: ReadonlyMap<string, CreateHostileRequest> = new Map(
  Object.entries(creations),
);

const edits: Readonly<Record<string, CreateHostileRequest>> = {
  // The old object has the same values, so the denial reports few of them.
  ...Object.fromEntries(
    Object.entries(creations).map(([name, creation]): [string, CreateHostileRequest] => [
      `${name}, as before`,
      (bytes) => {
        const { object } = creation(bytes);
        return { object: JSON.parse(JSON.stringify(object)), oldObject: object };
      },
    ]),
  ),
  "other ReplicatedJobs": (bytes) => ({
    object: jobSet({ replicatedJobs: fillList(bytes / 2, (i) => job(`v${i}`)) }),
    oldObject: jobSet({ replicatedJobs: fillList(bytes / 2, (i) => job(`w${i}`)) }),
  }),
  "another name and namespace": (bytes) => ({
    object: jobSet({}, { name: long(bytes / 2), namespace: long(bytes / 2) }),
    oldObject: jobSet({}),
  }),
  "another manager": (bytes) => ({
    object: jobSet({ managedBy: long(bytes) }),
    oldObject: jobSet({}),
  }),
  "finalizers while it is deleted": (bytes) => ({
    object: jobSet({}, { finalizers: fillList(bytes, (i) => `a.b/${i}`) }),
    oldObject: jobSet({}, { deletionTimestamp: "2026-01-01T00:00:00Z" }),
  }),
  "sizes of other Jobs": (bytes) => ({
    object: jobSet({
      replicatedJobs: fillList(bytes / 2, (i) => job(`w${i}`, {}, {}, { parallelism: 0 })),
    }),
    oldObject: jobSet({ replicatedJobs: fillList(bytes / 2, (i) => job(`w${i}`)) }),
  }),
};

/** Invalid updates by their error. */
export const hostileEdits: ReadonlyMap<string, CreateHostileRequest> = new Map(
  Object.entries(edits),
);
