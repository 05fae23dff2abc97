// Samples that violate each rule about PersistentVolumeClaims alone.
import { getShape } from "@jobset-ts/api/typed";
import { drawSample } from "../arbitraries/schema-samples.ts";
import { aClaim } from "../builders/a-claim.ts";
import type { AJobSet } from "../builders/a-jobset.ts";
import {
  type AnyObject,
  createJobSet,
  insertAtEachIndex,
  letters,
  type RuleRow,
  replicatedJob,
  samples,
  withOthers,
} from "./rule-samples.ts";

interface ClaimedVolume {
  readonly templates?: readonly AnyObject[];
  /** Replaces the single policy with these templates. */
  readonly policies?: readonly AnyObject[];
  readonly mounts?: readonly string[];
  readonly podSpec?: AnyObject;
  readonly policy?: AnyObject;
  readonly name?: string;
}

const size = (storage: string) => ({
  accessModes: ["ReadWriteOnce"],
  resources: { requests: { storage } },
});
const template = (name: string, spec: AnyObject = {}) => ({ metadata: { name }, spec });

/** Returns a JobSet whose Pods mount PVCs. */
export function createClaimingJobSet({
  templates = [template("data")],
  mounts = ["data"],
  podSpec = {},
  policy = {},
  policies = [{ templates, ...policy }],
  name = "train",
}: ClaimedVolume = {}): AJobSet {
  const volumeMounts = mounts.map((mount, index) => ({ name: mount, mountPath: `/v${index}` }));
  const container = { name: "main", image: "img", volumeMounts };
  const spec = { restartPolicy: "Never", containers: [container], ...podSpec };
  return createJobSet(
    [replicatedJob("w", { template: { spec } })],
    { volumeClaimPolicies: policies },
    name,
  );
}

/** Returns the JobSet with its ReplicatedJob at the start, in the middle and at the end of others. */
function listClaimingAmongOthers(jobSet: AJobSet): readonly AJobSet[] {
  const { replicatedJobs = [], ...spec } = jobSet.spec;
  return replicatedJobs.flatMap((job) => withOthers(job, { spec }));
}

/** Positions in three policies with three templates each: first, last, middle, and adjacent to a border. */
const claimPlaces = [
  [0, 0],
  [0, 1],
  [0, 2],
  [1, 0],
  [1, 1],
  [2, 0],
  [2, 2],
] as const;

/** Returns JobSets with three policies of three templates, one of which is different. The Pods mount all others. */
function claimInEachPlace(
  different: AnyObject,
  { mounts = [different.metadata.name], podSpec = {}, policy = () => ({}) }: PlacedClaim = {},
): readonly AJobSet[] {
  return claimPlaces.map(([oddPolicy, oddTemplate]) => {
    const names = [0, 1, 2].map((at) => [0, 1, 2].map((index) => `c${at}${index}`));
    const policies = names.map((own, at) => ({
      templates: own.map((name, index) =>
        at === oddPolicy && index === oddTemplate ? different : template(name),
      ),
      ...policy(at === oddPolicy),
    }));
    const others = names.flat().filter((name) => name !== `c${oddPolicy}${oddTemplate}`);
    return createClaimingJobSet({ policies, mounts: [...others, ...mounts], podSpec });
  });
}

interface PlacedClaim {
  readonly mounts?: readonly string[];
  readonly podSpec?: AnyObject;
  readonly policy?: (isOdd: boolean) => AnyObject;
}

const createMount = (name: string) => ({ name, mountPath: `/${name}` });
const plain = (name: string) => ({ name, image: "img" });
const initMount = {
  containers: [plain("main")],
  initContainers: [{ ...plain("init"), volumeMounts: [createMount("data")] }],
};
/** Pods with several containers or mounts, one of which mounts the PVC. */
const mountsInEachPlace: readonly AnyObject[] = [
  ...insertAtEachIndex<AnyObject>({ ...plain("it"), volumeMounts: [createMount("data")] }, [
    plain("b"),
    plain("c"),
  ]).flatMap((list) => [
    { containers: list },
    { containers: [plain("main")], initContainers: list },
  ]),
  ...insertAtEachIndex(createMount("data"), [createMount("b"), createMount("c")]).map(
    (volumeMounts) => ({
      containers: [{ ...plain("main"), volumeMounts }],
    }),
  ),
];
const volume = (name: string) => ({ name, emptyDir: {} });

export const claimRules: readonly RuleRow[] = [
  {
    rule: "claim-name-unique",
    says: "the names of PVC templates differ",
    kept: samples(
      createClaimingJobSet({
        templates: [template("data"), template("logs")],
        mounts: ["data", "logs"],
      }),
    ),
    broken: samples(
      createClaimingJobSet({ templates: [template("data"), template("data")] }),
      ...insertAtEachIndex(template("logs"), [template("data"), template("data")]).flatMap(
        (templates) => [
          createClaimingJobSet({ templates, mounts: ["data", "logs"] }),
          createClaimingJobSet({
            policies: templates.map((one) => ({ templates: [one] })),
            mounts: ["data", "logs"],
          }),
        ],
      ),
    ),
  },
  {
    rule: "claim-name-valid",
    says: "the name of a PVC template is a DNS subdomain",
    kept: samples(createClaimingJobSet({ templates: [template("1")], mounts: ["1"] })),
    broken: samples(
      createClaimingJobSet({ templates: [template("DATA")], mounts: ["DATA"] }),
      createClaimingJobSet({ templates: [template("a_b")], mounts: ["a_b"] }),
      ...claimInEachPlace(template("DATA")),
    ),
  },
  {
    rule: "claim-name-short",
    says: "the name of a PVC has at most 63 bytes",
    kept: samples(
      createClaimingJobSet({ templates: [template(letters(57))], mounts: [letters(57)] }),
    ),
    broken: samples(
      createClaimingJobSet({ templates: [template(letters(58))], mounts: [letters(58)] }),
      createClaimingJobSet({
        templates: [template(letters(20))],
        mounts: [letters(20)],
        name: letters(43),
      }),
      ...claimInEachPlace(template(letters(58))),
    ),
  },
  {
    rule: "claim-volume-name-valid",
    says: "the name of a PVC template is a valid volume name: it has no dots",
    kept: samples(createClaimingJobSet({ templates: [template("a-b")], mounts: ["a-b"] })),
    broken: samples(
      createClaimingJobSet({ templates: [template("a.b")], mounts: ["a.b"] }),
      ...claimInEachPlace(template("a.b")),
    ),
  },
  {
    rule: "claim-volume-free",
    says: "no Pod template has a volume with the name of a PVC template",
    kept: samples(createClaimingJobSet({ podSpec: { volumes: [volume("own")] } })),
    broken: samples(
      createClaimingJobSet({ podSpec: { volumes: [volume("data")] } }),
      createClaimingJobSet({
        podSpec: { volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }] },
      }),
      ...listClaimingAmongOthers(createClaimingJobSet({ podSpec: { volumes: [volume("data")] } })),
      ...insertAtEachIndex(volume("data"), [volume("b"), volume("c")]).map((volumes) =>
        createClaimingJobSet({ podSpec: { volumes } }),
      ),
      ...claimInEachPlace(template("data"), { podSpec: { volumes: [volume("data")] } }),
    ),
  },
  {
    rule: "claim-mounted",
    says: "at least one container mounts the PVC",
    kept: samples(
      createClaimingJobSet(),
      createClaimingJobSet({ podSpec: initMount }),
      ...listClaimingAmongOthers(createClaimingJobSet()),
      ...mountsInEachPlace.map((podSpec) => createClaimingJobSet({ podSpec })),
      ...claimInEachPlace(template("data")),
    ),
    broken: samples(
      createClaimingJobSet({ mounts: [] }),
      createClaimingJobSet({ mounts: ["logs"] }),
      ...claimInEachPlace(template("data"), { mounts: [] }),
    ),
  },
];

const retained = { retentionPolicy: { whenDeleted: "Retain" } };
const deleted = { retentionPolicy: { whenDeleted: "Delete" } };
const sized = (policy: AnyObject) =>
  createClaimingJobSet({ templates: [template("data", size("1Gi"))], policy });
const claim = (spec: AnyObject) => [{ ...aClaim("data-train"), spec }];
/** Each field of a PVC's spec with two values. */
const claimMembers = getShape("PersistentVolumeClaimSpec").members.map(
  ({ name, type, collection }) =>
    [1, 2].map((number) => {
      const value = drawSample(type, number);
      return { [name]: collection === "list" ? [value] : value };
    }),
);
const bound = {
  ...size("1Gi"),
  storageClassName: "fast",
  volumeMode: "Filesystem",
  volumeName: "v",
};

export const existingClaimRules: readonly RuleRow[] = [
  {
    rule: "existing-claim-agrees",
    says: "an existing PVC equals its template, except for fields that the cluster added",
    kept: [
      { jobSet: sized(retained), cluster: claim(size("1Gi")) },
      { jobSet: sized(retained), cluster: claim(bound) },
      { jobSet: sized(retained), cluster: [] },
    ],
    broken: [
      { jobSet: sized(retained), cluster: claim(size("2Gi")) },
      {
        jobSet: sized(retained),
        cluster: claim({ ...size("1Gi"), accessModes: ["ReadWriteMany"] }),
      },
      {
        jobSet: sized(retained),
        cluster: claim({ ...size("1Gi"), accessModes: ["ReadWriteOnce", "ReadOnlyMany"] }),
      },
      ...claimMembers.map(([requested, existing]) => ({
        jobSet: createClaimingJobSet({
          templates: [template("data", { ...size("1Gi"), ...requested })],
          policy: retained,
        }),
        cluster: claim({ ...size("1Gi"), ...existing }),
      })),
      ...claimInEachPlace(template("data", size("1Gi")), { policy: () => retained }).map(
        (jobSet) => ({ jobSet, cluster: claim(size("2Gi")) }),
      ),
    ],
  },
  {
    rule: "existing-claim-retained",
    says: "an existing PVC is retained when the JobSet is deleted",
    kept: [
      { jobSet: sized(retained), cluster: claim(size("1Gi")) },
      {
        jobSet: sized(deleted),
        cluster: [aClaim("data-other"), aClaim("data-train").inNamespace("other")],
      },
    ],
    broken: [
      {
        jobSet: sized(deleted),
        cluster: claim(size("1Gi")),
      },
      ...claimInEachPlace(template("data", size("1Gi")), {
        policy: (isOdd) => (isOdd ? deleted : retained),
      }).map((jobSet) => ({ jobSet, cluster: claim(size("1Gi")) })),
    ],
  },
];
