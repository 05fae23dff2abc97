import type { ClusterContext } from "@jobset-ts/admission";
import { type FeatureGates, featureGates as mainGates } from "@jobset-ts/api";
import type { JobSetVersion } from "./jobset-version.ts";
import { type QuirksName, resolveQuirks } from "./quirks.ts";

/** The options that determine the behavior of JobSet. */
export interface BehaviorOptions {
  /** The version of JobSet. Absent means main without defects. */
  readonly jobsetVersion?: JobSetVersion;
  /** The enabled feature gates. */
  readonly featureGates: FeatureGates;
  /** The upstream defects to reproduce. Absent means those of the version. */
  readonly quirks?: QuirksName;
}

/** The behavior of JobSet in a cluster, with the feature gates that exist there. */
export interface Behavior extends ClusterContext {
  readonly gates: readonly FeatureGateName[];
}

/** The name of a feature gate of JobSet's controller. */
export type FeatureGateName = keyof typeof mainGates;

/**
 * Returns the behavior of JobSet for the options. Every context and every schema of this command is created here.
 *
 * Without a version, it is main without defects. A version has its defects, unless `quirks` is `none`. A feature gate
 * that the version does not have is ignored.
 */
export function resolveBehavior(options: BehaviorOptions): Behavior {
  const { jobsetVersion: version, featureGates, quirks } = options;
  const all = Object.keys(mainGates) as FeatureGateName[];
  if (version === undefined) {
    return { features: featureGates, quirks: resolveQuirks(quirks ?? "none"), gates: all };
  }
  const { schema, features } = version;
  const unknown = new Set<string>(listUnknownGates(version, featureGates));
  return {
    features: new Set([...featureGates].filter((name) => !unknown.has(name))),
    quirks: quirks === "none" ? version.rules : version.quirks,
    gates: all.filter((name) => Object.hasOwn(features, name)),
    ...(schema !== undefined && { schema }),
  };
}

/** Returns the enabled feature gates that a version does not have. A controller with such a setting does not start. */
export function listUnknownGates(
  { features }: JobSetVersion,
  featureGates: FeatureGates,
): readonly string[] {
  // A gate that is on by default is a part of every version, and cannot be turned off on main.
  return [...featureGates].filter(
    (name) => !mainGates[name].default && !Object.hasOwn(features, name),
  );
}
