import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { fieldPath, type PathStep } from "@jobset-ts/api/errors";
import { findTypedDifferences, type TypedDifference } from "@jobset-ts/api/typed";
import type { AdmissionContext } from "../webhook-shape.ts";
import { immutablePolicies, policiesAreRemovable } from "./immutability-rules.ts";
import { getMutability, type Mutability } from "./mutable-members.ts";
import { type ReplicatedJobPair, type UpdateView, viewUpdate } from "./update-view.ts";

/** One member that an update changes, and whether it may change. */
export interface UpdatedField {
  /** For a removed ReplicatedJob, its path before the update. */
  readonly path: string;
  /** Absent if the member was absent. */
  readonly from?: unknown;
  /** Absent if the member is removed. */
  readonly to?: unknown;
  readonly mutability: Mutability;
  /** Whether the member may change in this update. Its new value may still be invalid. */
  readonly permitted: boolean;
  /** A sentence for people. */
  readonly reason: string;
}

/**
 * Returns the members of a JobSet that an update changes, and whether each may change: labels, annotations and other
 * client-set metadata, then the spec. Another notation of the same value is not a change.
 *
 * @param old - the stored JobSet; both must be decodable
 */
export function listChangedFields(
  old: Unvalidated<JobSet>,
  next: Unvalidated<JobSet>,
  context: AdmissionContext,
): readonly UpdatedField[] {
  const update = viewUpdate(old, next, context);
  return [
    ...metadataChanges(update),
    ...replicatedJobsChanges(update),
    ...policyAndOtherChanges(update),
  ];
}

/** The metadata that clients set. The server sets the rest. */
const clientMetadata: ReadonlySet<PathStep> = new Set([
  "name",
  "namespace",
  "labels",
  "annotations",
  "ownerReferences",
  "finalizers",
]);
const identity: ReadonlySet<PathStep> = new Set(["name", "namespace"]);

function metadataChanges({ before, after }: UpdateView): readonly UpdatedField[] {
  const [old, next] = [before.jobSet.metadata, after.jobSet.metadata];
  return findTypedDifferences(old ?? {}, next ?? {}, "ObjectMeta")
    .filter(({ path: [top = ""] }) => clientMetadata.has(top))
    .map((difference) => {
      const isIdentity = identity.has(difference.path[0] ?? "");
      return createChange(["metadata"], difference, isIdentity ? immutable : free);
    });
}

function policyAndOtherChanges({ before, after }: UpdateView): readonly UpdatedField[] {
  // Compares the specs without their ReplicatedJobs.
  const [old, next] = [before.spec, after.spec].map(({ replicatedJobs: _, ...others }) => others);
  return findTypedDifferences(old, next, "JobSetSpec").map((difference) => {
    const [member] = difference.path;
    return createChange(["spec"], difference, permissionForMember(member, difference, after));
  });
}

/** Whether a member may change, and why. */
interface Permission {
  readonly mutability: Mutability;
  readonly permitted: boolean;
  readonly reason: string;
}

const immutable: Permission = {
  mutability: "Immutable",
  permitted: false,
  reason: "it is immutable after creation",
};
const free: Permission = {
  mutability: "Free",
  permitted: true,
  reason: "it may change at any time",
};
const added: Permission = {
  mutability: "Free",
  permitted: true,
  reason: "a policy may be added if there is none; it is immutable after that",
};
const removable: Permission = {
  mutability: "Free",
  permitted: true,
  reason: "a policy is immutable, but upstream allows its removal",
};

function permissionForMember(
  member: PathStep | undefined,
  { path, from, to }: TypedDifference,
  after: UpdateView["after"],
): Permission {
  if (member === "managedBy") return immutable;
  if (!immutablePolicies.some((policy) => policy === member)) return free;
  if (path.length === 1 && isAbsentPolicy(from)) return added;
  if (path.length === 1 && isAbsentPolicy(to) && policiesAreRemovable(after)) return removable;
  return immutable;
}

function isAbsentPolicy(policy: unknown): boolean {
  return policy === undefined || (Array.isArray(policy) && policy.length === 0);
}

function replicatedJobsChanges(update: UpdateView): readonly UpdatedField[] {
  const { before, pairs } = update;
  const remainingNames = new Set(pairs.map((pair) => pair.after.name));
  const removed = before.replicatedJobs.filter(({ name }) => !remainingNames.has(name));
  return [
    ...orderChanges(update),
    ...pairs.flatMap((pair) => pairChanges(pair, update)),
    ...removed.map(({ field, replicatedJob }): UpdatedField => {
      return { path: field, from: replicatedJob, ...immutable };
    }),
  ];
}

/** Returns the change of order among ReplicatedJobs that remain. */
function orderChanges({ before, pairs }: UpdateView): readonly UpdatedField[] {
  const names = pairs.filter((pair) => pair.before !== undefined).map((pair) => pair.after.name);
  const remainingNames = new Set(names);
  const old = before.replicatedJobs
    .map(({ name }) => name)
    .filter((name) => remainingNames.has(name));
  if (old.length === names.length && old.every((name, index) => name === names[index])) return [];
  return [{ path: "spec.replicatedJobs", from: old, to: names, ...immutable }];
}

function pairChanges(pair: ReplicatedJobPair, update: UpdateView): readonly UpdatedField[] {
  const { after, before } = pair;
  if (before === undefined) return [{ path: after.field, to: after.replicatedJob, ...immutable }];
  return findTypedDifferences(before.replicatedJob, after.replicatedJob, "ReplicatedJob").map(
    (difference) => {
      const mutability = getMutability(difference.path, pair, update.after);
      const permission = permissionUnder(mutability, update);
      return createChange(["spec", "replicatedJobs", after.index], difference, permission);
    },
  );
}

function permissionUnder(mutability: Mutability, { isSuspended, after }: UpdateView): Permission {
  switch (mutability) {
    case "Immutable":
      return immutable;
    case "Free":
      return free;
    case "WhileSuspended": {
      const rule =
        "it may change only while the JobSet is suspended, or in the update that suspends or resumes it";
      return { mutability, permitted: isSuspended, reason: rule };
    }
    case "NeedsGate": {
      const permitted = after.features.has("ElasticJobSet");
      const state = permitted ? "on" : "off";
      const reason = `it may change only with the feature gate ElasticJobSet, which is ${state}`;
      return { mutability, permitted, reason };
    }
  }
}

function createChange(
  above: readonly PathStep[],
  { path, ...values }: TypedDifference,
  permission: Permission,
): UpdatedField {
  return { path: fieldPath([...above, ...path]), ...values, ...permission };
}
