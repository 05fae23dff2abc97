import { asString, isObject, type JobSpec } from "@jobset-ts/api/kubernetes";
import { createCopy, withMembers } from "../../with-members.ts";
import type { Stored } from "../objects.ts";
import { deepFreeze, editObject } from "../stored-values.ts";

const DEFAULT_BACKOFF_LIMIT = 6;
const NO_BACKOFF_LIMIT = 2 ** 31 - 1;

/** Returns a Job with the defaults of the API. */
export function applyJobDefaults(job: Stored): Stored {
  const original = (isObject(job.spec) ? job.spec : {}) as JobSpec;
  const spec = createCopy(original);
  if (!isObject(spec.template)) spec.template = {};
  for (const member of Object.keys(spec)) if (spec[member] === null) delete spec[member];
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.completionMode ??= "NonIndexed";
  spec.backoffLimit ??=
    spec.backoffLimitPerIndex === undefined ? DEFAULT_BACKOFF_LIMIT : NO_BACKOFF_LIMIT;
  spec.suspend ??= false;
  spec.manualSelector ??= false;
  spec.podReplacementPolicy ??=
    spec.podFailurePolicy === undefined ? "TerminatingOrFailed" : "Failed";
  if (spec.podFailurePolicy !== undefined) {
    spec.podFailurePolicy = editObject(spec.podFailurePolicy, ({ rules }) => {
      for (const rule of asList(rules)) {
        // Go writes an absent status as an empty string.
        for (const pattern of asList(rule.onPodConditions)) {
          if (asString(pattern.status) === "") pattern.status = "True";
        }
      }
    });
  }
  const isSame =
    original === job.spec && Object.keys(spec).every((name) => spec[name] === original[name]);
  return isSame ? job : deepFreeze(withMembers(job, { spec }));
}

// biome-ignore lint/suspicious/noExplicitAny: the rules of policies are unvalidated
function asList(list: unknown): any[] {
  return Array.isArray(list) ? list : [];
}
