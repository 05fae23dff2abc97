import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { getName, type KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { KueueCluster } from "@jobset-ts/kueue";
import {
  defaultOnCreate,
  type KueueValidation,
  kueueAncestor,
  validateKueueCreate,
  validateKueueUpdate,
} from "@jobset-ts/kueue/webhooks";
import type { LocalQueue } from "@jobset-ts/kueue/workload";
import type { Family } from "../family.ts";
import {
  fromRecordedConfig,
  type KueueInput,
  kueueFamily,
  type RecordedConfig,
} from "./kueue-family.ts";

interface JobSetInput extends KueueInput {
  readonly jobSet: Unvalidated<JobSet>;
}

interface AncestorInput extends JobSetInput {
  readonly owners?: readonly Unvalidated<KubernetesObject>[];
  readonly config: RecordedConfig;
}

interface DefaultInput extends JobSetInput, KueueCluster {
  readonly config: RecordedConfig;
}

interface UpdateInput extends JobSetInput {
  readonly oldJobSet: Unvalidated<JobSet>;
  readonly localQueues?: readonly Unvalidated<LocalQueue>[];
}

/** Families for Kueue's webhooks, and for the ancestor object that Kueue manages instead of a JobSet. */
export const webhookFamilies: readonly Family[] = [
  kueueFamily<AncestorInput>("ancestor", ["jobSet", "config"], ({ jobSet, owners, config }) => {
    const found = kueueAncestor(jobSet, [...(owners ?? []), jobSet], fromRecordedConfig(config));
    if (!found.ok) return { error: found.refusal.message };
    if (found.value === undefined) return { topLevel: true };
    return { topLevel: false, ancestor: getName(found.value) };
  }),
  kueueFamily<DefaultInput>("default", ["jobSet", "config"], (input, features) => {
    const config = fromRecordedConfig(input.config);
    const defaulted = defaultOnCreate(input.jobSet, input, config, features);
    return defaulted.allowed ? defaulted : { allowed: false, ...defaulted.status };
  }),
  kueueFamily<JobSetInput>("validateCreate", ["jobSet"], ({ jobSet }, features) =>
    toRecordedValidation(validateKueueCreate(jobSet, features)),
  ),
  kueueFamily<UpdateInput>("validateUpdate", ["oldJobSet", "jobSet"], (input, features) => {
    const { oldJobSet, jobSet, localQueues = [] } = input;
    return toRecordedValidation(validateKueueUpdate(oldJobSet, jobSet, localQueues, features));
  }),
];

function toRecordedValidation(validation: KueueValidation) {
  return validation.allowed
    ? { allowed: true, code: 200 }
    : { allowed: false, ...validation.status };
}
