import { type Command, InvalidArgumentError } from "commander";
import type { TimedUpgrade } from "../commands/simulation/upgrade.ts";
import { type BehaviorOptions, listUnknownGates } from "../jobset-version/behavior.ts";
import { findVersion, type JobSetVersion, versionNames } from "../jobset-version/jobset-version.ts";
import { parseDuration } from "./parsers.ts";

/** The versions of JobSet. */
export const names: readonly string[] = versionNames;

/** Parses a version of JobSet, with or without the patch version. */
export function parse(text: string): JobSetVersion {
  const found = findVersion(text);
  if (found !== undefined) return found;
  throw new InvalidArgumentError(`Known versions are ${versionNames.join(", ")}.`);
}

/** Parses `v0.10.1..v0.12.0@60s`. */
export function parseUpgrade(text: string): TimedUpgrade {
  const [, from = "", to = "", time = ""] = /^(.*)\.\.(.*)@(.*)$/.exec(text) ?? [];
  const at = parseDuration(time);
  if (at === undefined) {
    throw new InvalidArgumentError(
      "The value must be two versions and a time, as in v0.10.1..v0.12.0@60s.",
    );
  }
  return { from: parse(from), to: parse(to), at };
}

/** Rejects feature gates that the version does not have, because a controller with such a setting does not start. */
export function rejectUnknownGates(command: Command): void {
  const { jobsetVersion, featureGates } = command.opts<BehaviorOptions>();
  if (jobsetVersion === undefined || featureGates === undefined) return;
  const [gate] = listUnknownGates(jobsetVersion, featureGates);
  if (gate !== undefined) {
    command.error(`JobSet ${jobsetVersion.name} does not have the feature gate ${gate}`);
  }
}

/** Returns the versions for the help. */
export function formatVersionHelp(): string {
  return `\nVersions of JobSet: ${versionNames.join(", ")}`;
}
