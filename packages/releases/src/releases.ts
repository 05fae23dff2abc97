/** The name of a release: its newest patch version. */
export type ReleaseName = "v0.12.0" | "v0.11.1" | "v0.10.1" | "v0.9.1" | "v0.8.2";

/** A supported release of JobSet. */
export interface SupportedRelease {
  /** The name of the release, with its patch version. */
  readonly name: ReleaseName;
  /** The minor version, such as `v0.12`. */
  readonly minor: string;
  /** The Kubernetes minor version whose libraries and types the release was built with, such as `1.36`. */
  readonly kubernetes: string;
  /** The minor version of JobSet whose release ends the support by jobset-ts. */
  readonly supportedUntil: string;
}

/**
 * The supported releases of JobSet, newest first. jobset-ts supports the last five minor versions.
 *
 * @example releases[0].name // => "v0.12.0"
 */
export const releases: readonly SupportedRelease[] = [
  { name: "v0.12.0", minor: "v0.12", kubernetes: "1.36", supportedUntil: "v0.17" },
  { name: "v0.11.1", minor: "v0.11", kubernetes: "1.35", supportedUntil: "v0.16" },
  { name: "v0.10.1", minor: "v0.10", kubernetes: "1.34", supportedUntil: "v0.15" },
  { name: "v0.9.1", minor: "v0.9", kubernetes: "1.33", supportedUntil: "v0.14" },
  { name: "v0.8.2", minor: "v0.8", kubernetes: "1.32", supportedUntil: "v0.13" },
];

/** The names of the supported releases, newest first. */
export const releaseNames: readonly ReleaseName[] = releases.map(({ name }) => name);
