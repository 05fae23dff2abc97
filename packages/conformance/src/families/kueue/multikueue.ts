import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { JOBSET_KIND } from "@jobset-ts/api/keys";
import { getName, getNamespace } from "@jobset-ts/api/kubernetes";
import {
  evaluateDeleteRemote,
  evaluateSyncRemote,
  isMultiKueueEligible,
} from "@jobset-ts/kueue/multikueue";
import {
  prebuiltWorkloadKey,
  remoteJobSetNotFound,
} from "../../../../kueue/src/workload/multikueue.ts";
import type { Family } from "../family.ts";
import { type KueueInput, kueueFamily } from "./kueue-family.ts";

interface JobSetInput extends KueueInput {
  readonly jobSet?: Unvalidated<JobSet>;
  /** The key of the requested JobSet, if it does not exist. */
  readonly request?: { readonly namespace: string; readonly name: string };
}

interface DeleteInput extends KueueInput {
  readonly origin: string;
  readonly request: { readonly namespace: string; readonly name: string };
  readonly remoteJobSet?: Unvalidated<JobSet>;
}

interface RemoteInput extends JobSetInput {
  readonly workloadName: string;
  readonly origin: string;
  readonly remoteJobSet?: Unvalidated<JobSet>;
}

/** Families for running a JobSet on another cluster with MultiKueue. */
export const multiKueueFamilies: readonly Family[] = [
  kueueFamily<JobSetInput>("multikueueEligible", [], ({ jobSet, request }, features) => {
    if (jobSet === undefined) return createMissingError(request);
    const eligibility = isMultiKueueEligible(jobSet);
    const key = prebuiltWorkloadKey(jobSet, features);
    return {
      eligible: eligibility.eligible,
      reason: eligibility.eligible ? "" : eligibility.message,
      ...(key.ok ? { workloadKeys: [key.value] } : { workloadKeysError: key.refusal.message }),
    };
  }),
  kueueFamily<DeleteInput>("multikueueDelete", ["origin", "request"], (input) => {
    const { namespace, name } = input.request;
    const remote = [input.remoteJobSet].find(
      (jobSet) => jobSet && getName(jobSet) === name && getNamespace(jobSet) === namespace,
    );
    const decision = evaluateDeleteRemote(remote, input.origin);
    return decision.ok
      ? { deleted: decision.value.action === "Delete" }
      : { error: decision.refusal.message };
  }),
  kueueFamily<RemoteInput>("remoteJobSet", ["workloadName", "origin"], (input, features) => {
    const { jobSet, remoteJobSet, origin, workloadName: name } = input;
    if (jobSet === undefined) return createMissingError(input.request);
    const decision = evaluateSyncRemote(jobSet, remoteJobSet, { name, origin }, features);
    const effect = { kind: JOBSET_KIND, name: getName(jobSet) };
    return decision.action === "CreateRemote"
      ? { deferred: false, remote: [{ verb: "create", ...effect, object: decision.jobSet }] }
      : { deferred: false, local: [{ verb: "patchStatus", ...effect, status: decision.status }] };
  }),
];

function createMissingError(request: JobSetInput["request"]) {
  return { error: remoteJobSetNotFound(request?.name ?? "").message };
}
