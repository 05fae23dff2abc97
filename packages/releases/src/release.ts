import { type Quirk, type Quirks, type ReleaseBehavior, UPSTREAM_QUIRKS } from "@jobset-ts/core";
import type { StructuralSchema } from "@jobset-ts/crd";
import { type Behavior, behaviors } from "./behaviors.ts";
import { releaseSchema } from "./release-schema.ts";
import { type ReleaseName, releaseNames, releases, type SupportedRelease } from "./releases.ts";

/** The behavior of a release, as inputs of decisions. */
export interface Release extends SupportedRelease {
  /** The release's behaviors and main's defects that it has. Pass them to `createContext`. */
  readonly quirks: Quirks;
  /** The behaviors of `quirks` that are rules of the release, without defects. */
  readonly rules: Quirks;
  /** The feature gates of the release with their defaults. Pass them to `createContext`. Other gates do not exist. */
  readonly features: Readonly<Partial<Record<string, boolean>>>;
  /** The schema of the release's CustomResourceDefinition. Pass it to `admitBySchema`. */
  readonly schema: StructuralSchema;
}

/** The result of {@link findRelease}. */
export type FindReleaseResult =
  | { readonly ok: true; readonly value: Release }
  | { readonly ok: false; readonly message: string };

/**
 * Returns the behavior of a release: its quirks, its feature gates and its schema. The result is shared and frozen.
 *
 * @param version - a supported release with or without the patch version, such as `v0.11.1` or `v0.11`
 * @throws TypeError when the version is not supported: a mistake in code. For a version of a user or a cluster, use
 * {@link findRelease}
 * @example release("v0.11").name // => "v0.11.1"
 * @example release("v0.11.1").features // => { InPlaceRestart: false }
 */
export function release(version: string): Release {
  const found = findRelease(version);
  if (!found.ok) throw new TypeError(found.message);
  return found.value;
}

/**
 * Finds a supported release by its version.
 *
 * @param version - with or without the patch version and the leading `v`
 * @returns the release, or a message that lists the supported ones
 * @example findRelease("0.10").ok // => true
 * @example findRelease("v0.7.0").ok // => false
 */
export function findRelease(version: string): FindReleaseResult {
  const prefixed = version.replace(/^v?/, "v");
  const found = releases.find(({ name, minor }) => name === prefixed || minor === prefixed);
  if (found !== undefined) return { ok: true, value: fullRelease(found) };
  const names = releases.map(({ name }) => name).join(", ");
  return {
    ok: false,
    message: `JobSet ${JSON.stringify(version)} is not a supported release: use one of ${names}`,
  };
}

const known = new Map<ReleaseName, Release>();

function fullRelease(supported: SupportedRelease): Release {
  const { name } = supported;
  const done = known.get(name);
  if (done !== undefined) return done;
  const own = behaviors.filter(
    (one) => one.implementation === "Quirk" && one.releases.includes(name),
  );
  const inherited = [...UPSTREAM_QUIRKS].filter((quirk) => !isLaterDefect(quirk, name));
  const full: Release = Object.freeze({
    ...supported,
    quirks: new Set([...names(own), ...inherited]),
    rules: new Set(names(own.filter(({ kind }) => kind === "Rule"))),
    features: features[name],
    get schema() {
      return releaseSchema(name);
    },
  });
  known.set(name, full);
  return full;
}

function names(own: readonly Behavior[]): readonly ReleaseBehavior[] {
  return own.map(({ name }) => name as ReleaseBehavior);
}

/** Main's defects that came with a later feature, by the oldest release that has them. */
const firstReleases: Readonly<Partial<Record<Quirk, ReleaseName>>> = {
  ElasticNullPatch: "v0.12.0",
  CurrentAttemptFalls: "v0.11.1",
  DottedClaimAdmitted: "v0.11.1",
  PodsOfDeletedJobSetCount: "v0.11.1",
  RetainedClaimRejected: "v0.11.1",
  InvalidPatternAdmitted: "v0.10.1",
  PatternWorkUnbounded: "v0.10.1",
};

function isLaterDefect(quirk: Quirk, name: ReleaseName): boolean {
  const first = firstReleases[quirk];
  return first !== undefined && releaseNames.indexOf(name) > releaseNames.indexOf(first);
}

const none = Object.freeze({});

/** The feature gates of each release, with their defaults. */
const features: Readonly<Record<ReleaseName, Release["features"]>> = {
  "v0.12.0": Object.freeze({
    InPlaceRestart: false,
    RestartJob: false,
    ElasticJobSet: false,
    TLSOptions: true,
  }),
  "v0.11.1": Object.freeze({ InPlaceRestart: false }),
  "v0.10.1": none,
  "v0.9.1": none,
  "v0.8.2": none,
};
