import { featureGates } from "@jobset-ts/api";
import { NO_QUIRKS, type Quirks, UPSTREAM_QUIRKS } from "@jobset-ts/core";
import type { StructuralSchema } from "@jobset-ts/crd";
import { findRelease, type Release, releases } from "@jobset-ts/releases";

/** A version of JobSet whose behavior a command reproduces: a release, or upstream's main branch. */
export interface JobSetVersion extends Pick<Release, "quirks" | "rules" | "features"> {
  /** The name of a release with its patch version, or `main`. */
  readonly name: string;
  /** Absent for main. */
  readonly schema?: StructuralSchema;
}

/** Upstream's main branch with its defects. */
export const MAIN: JobSetVersion = {
  name: "main",
  quirks: UPSTREAM_QUIRKS,
  rules: NO_QUIRKS as Quirks,
  features: Object.fromEntries(
    Object.entries(featureGates).map(([name, gate]) => [name, gate.default]),
  ),
};

/** The versions, oldest first. */
export const versionNames: readonly string[] = [
  ...releases.map(({ name }) => name as string).toReversed(),
  MAIN.name,
];

/**
 * Finds a version by its name.
 *
 * @param text - a release with or without the patch version and the leading `v`, or `main`
 */
export function findVersion(text: string): JobSetVersion | undefined {
  if (text === MAIN.name) return MAIN;
  const found = findRelease(text);
  return found.ok ? found.value : undefined;
}
