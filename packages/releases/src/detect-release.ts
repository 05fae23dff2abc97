import type { Unvalidated } from "@jobset-ts/api";
import {
  asArray,
  asString,
  getLabel,
  isObject,
  type KubernetesObject,
  namespacedName,
} from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";
import { findRelease, type Release, release } from "./release.ts";
import { parsePath } from "./release-schema.ts";

/** The object that shows the version of JobSet in a cluster, and the part that shows it. */
export interface ReleaseEvidence {
  /** `Image` and `Label` of the controller, or `Schema` of the CustomResourceDefinition, which shows only a minimum. */
  readonly source: "Image" | "Label" | "Schema";
  /** The kind of the object. */
  readonly kind: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  /** The name of the object. */
  readonly name: string;
  /** The image, the label as `key=value`, or the path of the newest field in the schema. */
  readonly value: string;
}

/** The result of {@link detectRelease}. */
export type DetectReleaseResult =
  /** `isExact` is false if the cluster has another patch version, or only the schema shows the version. */
  | {
      readonly outcome: "Release";
      readonly release: Release;
      readonly isExact: boolean;
      readonly evidence: ReleaseEvidence;
    }
  /** The cluster has a version of the main branch after the newest supported release. */
  | { readonly outcome: "Main"; readonly evidence: ReleaseEvidence }
  /** The cluster has a version that is too old, too new, or not a version. */
  | {
      readonly outcome: "Unsupported";
      readonly version: string;
      readonly evidence: ReleaseEvidence;
    }
  /** No object shows the version. */
  | { readonly outcome: "NotFound" };

/**
 * Detects the release of JobSet in a cluster from its objects.
 *
 * The image of the controller's Deployment decides, then its Helm labels, then the image of the controller's Pod, then
 * the fields of the CustomResourceDefinition. Other objects are ignored. If several objects show a version in the same
 * way, the first one by namespace and name decides. Never throws.
 *
 * @param objects - objects of any kinds, in any order
 * @example detectRelease([]).outcome // => "NotFound"
 */
export function detectRelease(
  objects: Iterable<Unvalidated<KubernetesObject>>,
): DetectReleaseResult {
  const candidates = [...objects].filter((object) => isObject(object));
  for (const [kind, find] of searches) {
    const ofKind = candidates.filter((object) => object.kind === kind);
    const matches = ofKind.flatMap((object) => {
      const found = find(object);
      return found === undefined ? [] : [{ key: namespacedName(object), found }];
    });
    const [first] = matches.toSorted((one, other) => compareBytes(one.key, other.key));
    if (first !== undefined) return first.found;
  }
  return { outcome: "NotFound" };
}

type Search = (object: Unvalidated<KubernetesObject>) => DetectReleaseResult | undefined;

/** In order of precedence. */
const searches: readonly (readonly [kind: string, find: Search])[] = [
  ["Deployment", (object) => findImage(object, getDeploymentContainers(object), /(^|\/)jobset$/)],
  ["Deployment", findHelmLabel],
  [
    "Pod",
    (object) => findImage(object, getMember(object, "spec", "containers"), /\/jobset\/jobset$/),
  ],
  ["CustomResourceDefinition", findSchemaField],
];

function getDeploymentContainers(object: Unvalidated<KubernetesObject>): unknown {
  return getMember(object, "spec", "template", "spec", "containers");
}

function findImage(
  object: Unvalidated<KubernetesObject>,
  containers: unknown,
  repository: RegExp,
): DetectReleaseResult | undefined {
  for (const container of asArray(containers as readonly unknown[])) {
    const image = asString(getMember(container, "image") as string);
    const [named = ""] = image.split("@");
    const colon = named.lastIndexOf(":");
    if (colon <= named.lastIndexOf("/") || !repository.test(named.slice(0, colon))) continue;
    return judgeVersion(named.slice(colon + 1), createEvidence(object, "Image", image));
  }
  return undefined;
}

const CHART_LABEL = "helm.sh/chart";
const VERSION_LABEL = "app.kubernetes.io/version";

function findHelmLabel(object: Unvalidated<KubernetesObject>): DetectReleaseResult | undefined {
  const chart = /^jobset-(v?\d.*)$/.exec(getLabel(object, CHART_LABEL) ?? "");
  if (chart === null) return undefined;
  const version = getLabel(object, VERSION_LABEL);
  return version === undefined
    ? judgeVersion(chart[1] ?? "", createEvidence(object, "Label", `${CHART_LABEL}=${chart[0]}`))
    : judgeVersion(version, createEvidence(object, "Label", `${VERSION_LABEL}=${version}`));
}

/** A patch version that is not known, such as v0.11.0, is treated as the newest patch version of its minor version. */
function judgeVersion(version: string, evidence: ReleaseEvidence): DetectReleaseResult {
  if (version === "main") return { outcome: "Main", evidence };
  const [, minor = version, rest = ""] = /^(v?\d+\.\d+)(.*)$/.exec(version) ?? [];
  const found = findRelease(minor);
  if (!found.ok) return { outcome: "Unsupported", version, evidence };
  const isExact = findRelease(version).ok && rest !== "";
  return { outcome: "Release", release: found.value, isExact, evidence };
}

/** The newest field of each version's schema, newest version first. */
const newestFields: readonly (readonly [field: string, version: string])[] = [
  ["spec.replicatedJobs[].replicas#minimum", "main"],
  ["status.replicatedJobsStatus[].jobRestarts", "v0.12"],
  ["spec.volumeClaimPolicies", "v0.11"],
  ["spec.failurePolicy.rules[].onJobFailureMessagePatterns", "v0.10"],
  ["spec.replicatedJobs[].groupName", "v0.9"],
  ["spec.replicatedJobs[].dependsOn", "v0.8"],
];

function findSchemaField(object: Unvalidated<KubernetesObject>): DetectReleaseResult | undefined {
  if (object.metadata?.name !== "jobsets.jobset.x-k8s.io") return undefined;
  const versions = asArray(getMember(object, "spec", "versions") as readonly unknown[]);
  for (const version of versions) {
    const schema = getMember(version, "schema", "openAPIV3Schema");
    for (const [field, name] of newestFields) {
      if (getMember(schema, ...parsePath(field)) === undefined) continue;
      const evidence = createEvidence(object, "Schema", field.replace(/#.*/, ""));
      if (name === "main") return { outcome: "Main", evidence };
      return { outcome: "Release", release: release(name), isExact: false, evidence };
    }
  }
  return undefined;
}

function createEvidence(
  object: Unvalidated<KubernetesObject>,
  source: ReleaseEvidence["source"],
  value: string,
): ReleaseEvidence {
  const { namespace, name } = object.metadata ?? {};
  return {
    source,
    kind: asString(object.kind),
    namespace: asString(namespace),
    name: asString(name),
    value,
  };
}

/** Returns the value at a path of members, or undefined if it does not exist. */
function getMember(value: unknown, ...path: readonly string[]): unknown {
  let at = value;
  for (const name of path) {
    if (!isObject(at) || !Object.hasOwn(at, name)) return undefined;
    at = at[name];
  }
  return at;
}
