import type { FeatureGates } from "@jobset-ts/api";
import { createRedactor } from "@jobset-ts/api/redaction";
import type { InputObject } from "../input/objects.ts";
import type { Kubectl } from "../live/kubectl.ts";
import type { KubectlFlags } from "../live/kubectl-flags.ts";
import { readLive } from "../live/live-cluster.ts";
import type { Diagnostic } from "../output/diagnostics.ts";
import { listUnknownGates } from "./behavior.ts";
import { type DetectedVersion, detectVersion } from "./detect-version.ts";
import { type JobSetVersion, MAIN } from "./jobset-version.ts";

/**
 * Reads the version of JobSet in a cluster through kubectl: from the Deployments of all namespaces, and from JobSet's
 * CustomResourceDefinition. If the user may not read either of them, the version is unknown.
 */
export async function readVersion(flags: KubectlFlags, kubectl: Kubectl): Promise<DetectedVersion> {
  const kinds = ["Deployment", "CustomResourceDefinition"] as const;
  const query = { kinds, namespaces: "all", keep: keepForVersion } as const;
  const read = await readLive(query, flags, kubectl, createRedactor());
  return read.failure === undefined ? detectVersion(read.objects) : { notes: [] };
}

/** A cluster has many Deployments. Only those that may run an image of JobSet are kept. */
function keepForVersion(object: InputObject["value"]): InputObject["value"] | undefined {
  if (object.kind !== "Deployment") return object;
  return JSON.stringify(object.spec)?.includes("jobset") ? object : undefined;
}

/** The version that a command reproduces, and notes for the user. */
export interface ChosenVersion {
  /** Absent means main without defects. */
  readonly jobsetVersion?: JobSetVersion;
  readonly notes: readonly Diagnostic[];
}

/**
 * Chooses the version that a command about a cluster reproduces: that of the options, or that of the cluster. If the
 * cluster runs main, the default does not change.
 *
 * @param detect - called only if the options set no version
 */
export async function chooseVersion(
  options: { readonly jobsetVersion?: JobSetVersion; readonly featureGates?: FeatureGates },
  detect: () => DetectedVersion | Promise<DetectedVersion>,
): Promise<ChosenVersion> {
  const { jobsetVersion: requested, featureGates = new Set() } = options;
  if (requested !== undefined) return { jobsetVersion: requested, notes: [] };
  const { version, notes } = await detect();
  if (version === undefined || version === MAIN) return { notes };
  const ignored = listUnknownGates(version, featureGates).map(
    (gate): Diagnostic => ({
      severity: "warning",
      message: `JobSet ${version.name} does not have the feature gate ${gate}, so it is ignored`,
    }),
  );
  return { jobsetVersion: version, notes: [...notes, ...ignored] };
}
