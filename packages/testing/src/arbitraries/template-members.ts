// Fields of templates that JobSet copies without reading them.
import type { JobSet, ReplicatedJob, VolumeClaimPolicy } from "@jobset-ts/api";
import type { Container, JsonObject } from "@jobset-ts/api/kubernetes";
import { getShape, type Member, type ShapeName } from "@jobset-ts/api/typed";
import fc from "fast-check";
import { drawSample, listAllMembers } from "./schema-samples.ts";

/** The types with these fields, and their fields that {@link templateMembers} does not add. */
const excludedMembers = {
  JobSpec: "parallelism completions completionMode suspend selector manualSelector template",
  PodSpec:
    "containers initContainers ephemeralContainers nodeSelector tolerations schedulingGates volumes subdomain",
  Container: "name resources volumeMounts",
  PersistentVolumeClaimSpec: "",
} satisfies Partial<Record<ShapeName, string>>;

/** More fields of Jobs would make the laws slow. With this limit, 100 clusters have each field about twenty times. */
const MOST_MEMBERS = 30;

const jobMembers = [
  ...listMembers("JobSpec"),
  ...listMembers("PodSpec"),
  ...listMembers("Container"),
];

function listMembers(type: keyof typeof excludedMembers) {
  const excluded = excludedMembers[type].split(" ");
  return getShape(type)
    .members.filter(({ name }) => !excluded.includes(name))
    .map((member) => ({ type, member }));
}

/** Generates functions that add some fields to all templates of a JobSet: Jobs, Pods, containers and PVCs. */
export function templateMembers(): fc.Arbitrary<(jobSet: JobSet) => JobSet> {
  return fc
    .tuple(
      fc.subarray(jobMembers, { maxLength: MOST_MEMBERS }),
      fc.subarray(listMembers("PersistentVolumeClaimSpec")),
    )
    .map(([ofJobs, ofClaims]) => {
      const createMembers = (type: keyof typeof excludedMembers): JsonObject =>
        Object.fromEntries(
          [...ofJobs, ...ofClaims]
            .filter((one) => one.type === type)
            .map(({ member }) => [member.name, createValue(member)]),
        );
      const job = createMembers("JobSpec");
      const pod = createMembers("PodSpec");
      const container = createMembers("Container");
      const claim = createMembers("PersistentVolumeClaimSpec");
      return ({ spec, ...jobSet }) => ({
        ...jobSet,
        spec: {
          ...spec,
          replicatedJobs: spec.replicatedJobs?.map((one) => addToJob(one, { job, pod, container })),
          volumeClaimPolicies: spec.volumeClaimPolicies?.map((one) => addToClaims(one, claim)),
        } as JobSet["spec"],
      });
    });
}

/** Returns a value with all fields below it. Lists have a second element. */
function createValue({ type, collection, nullable }: Member): unknown {
  const value = nullable && type === "boolean" ? false : listAllMembers(type);
  if (collection === "list") return [value, drawSample(type, 2)];
  return collection === "map" ? { key: value, other: value } : value;
}

function addToJob(
  replicatedJob: ReplicatedJob,
  { job, pod, container }: Readonly<Record<"job" | "pod" | "container", JsonObject>>,
): ReplicatedJob {
  const { template } = replicatedJob;
  const { containers = [], initContainers, ...others } = template.spec.template.spec ?? {};
  const addToContainers = (list: readonly Container[]) =>
    list.map((one) => ({ ...container, ...one }));
  const podSpec = {
    ...pod,
    ...others,
    containers: addToContainers(containers),
    ...(initContainers && { initContainers: addToContainers(initContainers) }),
  };
  const podTemplate = { ...template.spec.template, spec: podSpec };
  const jobSpec = { ...job, ...template.spec, template: podTemplate };
  return { ...replicatedJob, template: { ...template, spec: jobSpec } };
}

function addToClaims(policy: VolumeClaimPolicy, claim: JsonObject): VolumeClaimPolicy {
  const templates = policy.templates?.map((one) => ({ ...one, spec: { ...claim, ...one.spec } }));
  return { ...policy, ...(templates && { templates }) };
}
