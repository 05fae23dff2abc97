import { type Behavior, behaviors } from "@jobset-ts/releases";
import type { JobSetVersion } from "../../jobset-version/jobset-version.ts";

/** A feature gate that differs between two versions. */
export interface FeatureGateChange {
  readonly name: string;
  /** The default of the old version. Absent if the gate does not exist there. */
  readonly from?: boolean;
  /** The default of the new version. Absent if the gate does not exist there. */
  readonly to?: boolean;
}

/** Lists the feature gates that differ between two versions, by name. */
export function listGateChanges(
  { features: from }: JobSetVersion,
  { features: to }: JobSetVersion,
): readonly FeatureGateChange[] {
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])].sort();
  return names.flatMap((name) => {
    const [before, after] = [from[name], to[name]];
    if (before === after) return [];
    return [
      {
        name,
        ...(before !== undefined && { from: before }),
        ...(after !== undefined && { to: after }),
      },
    ];
  });
}

/** A behavior that differs between two versions. */
export interface BehaviorChange extends Pick<Behavior, "name" | "kind" | "pullRequests"> {
  /** The behavior of the old version, in one sentence. */
  readonly from: string;
  /** The behavior of the new version, in one sentence. */
  readonly to: string;
}

/** Lists the behaviors that differ between two versions, in the order of the table of behaviors. */
export function listBehaviorChanges(
  from: JobSetVersion,
  to: JobSetVersion,
): readonly BehaviorChange[] {
  return behaviors.flatMap(({ name, kind, pullRequests, releases, inRelease, onMain }) => {
    const has = (version: JobSetVersion) => (releases as readonly string[]).includes(version.name);
    if (has(from) === has(to)) return [];
    const sentences = has(from) ? { from: inRelease, to: onMain } : { from: onMain, to: inRelease };
    return [{ name, kind, pullRequests, ...sentences }];
  });
}
