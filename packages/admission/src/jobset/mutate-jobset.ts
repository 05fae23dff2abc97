import { defaultJobSetRequest, type JobSet, type Unvalidated } from "@jobset-ts/api";
import { type FieldError, forbidden, tooMany } from "@jobset-ts/api/errors";
import { asRecord } from "@jobset-ts/api/kubernetes";
import { stringifyJson } from "@jobset-ts/api/text";
import type { Snapshot } from "@jobset-ts/core";
import type { AdmissionContext, MutationResult, WebhookRequest } from "../webhook-shape.ts";
import { fieldsDenial, undecodableDenial } from "./jobset-denial.ts";
import type { JobSetRuleId } from "./jobset-rule.ts";

/**
 * The maximum number of objects in a JobSet's spec, at any depth. Each object has about 20 bytes. A minimal
 * ReplicatedJob consists of six objects. An API server stores 1.5 MB by default, including the names of all
 * fields, which is a few thousand ReplicatedJobs.
 */
const MAX_OBJECTS = 50_000;

/**
 * How many times larger a JobSet may become by its defaults, beyond {@link SMALL_JOBSET_BYTES}. A JobSet with content stays
 * far below. A list of empty objects, or of nulls, does not.
 */
const MAX_GROWTH = 20;
const SMALL_JOBSET_BYTES = 16 * 1024;

/** A spec with so few objects grows by a few kilobytes at most. */
const FEW_OBJECTS = 40;

type JobSetMutationResult = MutationResult<Unvalidated<JobSet>, JobSetRuleId>;

/**
 * Mutates a JobSet as JobSet's mutating webhook does: it sets the defaults of a new JobSet, and does not change
 * updates.
 *
 * @param request - its objects may be any JSON values
 * @param snapshot - not used
 * @returns a denial if the object cannot be decoded, if it contains more than can be stored, or if it would become more
 *   than 20 times as large. An empty object in a list gets so many members that the response to a request of 0.6 MB would
 *   have 120 MB
 * @see JobSet `pkg/webhooks`, `jobSetWebhook.Default`
 * @example
 * import { createContext, createSnapshot } from "@jobset-ts/core";
 * const object = { metadata: { name: "train" }, spec: {} };
 * const answer = mutateJobSet({ operation: "CREATE", object }, createSnapshot([]), createContext({ now: 0 }));
 * answer.allowed && answer.object.spec?.successPolicy // => { operator: "All" }
 */
export function mutateJobSet(
  { operation, object }: WebhookRequest,
  _snapshot: Snapshot,
  { quirks }: AdmissionContext,
): JobSetMutationResult {
  if (operation === "CONNECT") {
    return leaveUnchanged(object, "Connection", "the request does not store a JobSet");
  }
  if (operation !== "CREATE") {
    return leaveUnchanged(object, "NotCreated", "only a new JobSet gets defaults");
  }
  const spec = asRecord(object as Unvalidated<JobSet>).spec;
  const isCounted = !quirks.has("ObjectsUncounted");
  const count = isCounted ? objectsIn(spec) : 0;
  if (count > MAX_OBJECTS) {
    const errors = [tooMany("spec", count, MAX_OBJECTS)] as const;
    const denial = fieldsDenial(object as Unvalidated<JobSet>, "objects-countable", { errors });
    return { allowed: false, denial };
  }
  const alwaysSerialize = quirks.has("JobSetsAlwaysSerialized");
  const answer = defaultJobSetRequest(object, { alwaysSerialize });
  if (!answer.allowed) {
    return { allowed: false, denial: undecodableDenial(object, answer) };
  }
  if (!answer.changed) {
    return leaveUnchanged(
      object,
      "NothingMissing",
      "the JobSet sets every field that has a default",
    );
  }
  const grown = isCounted ? checkGrowth(object, answer.jobSet) : undefined;
  if (grown !== undefined) {
    const errors = [grown] as const;
    const denial = fieldsDenial(object as Unvalidated<JobSet>, "objects-countable", { errors });
    return { allowed: false, denial };
  }
  const message = "fields that the JobSet does not set get their defaults";
  const decisions = [{ rule: "Defaulted", message }];
  return { allowed: true, object: answer.jobSet, changed: true, decisions };
}

function leaveUnchanged(object: unknown, rule: string, message: string): JobSetMutationResult {
  const decisions = [{ rule, message }];
  return { allowed: true, object: object as Unvalidated<JobSet>, changed: false, decisions };
}

/** Returns why a JobSet has grown too much. The field is the part that has grown most. */
function checkGrowth(original: unknown, defaulted: Unvalidated<JobSet>): FieldError | undefined {
  if (objectsIn(original) <= FEW_OBJECTS) return undefined;
  const [before, after] = [stringifyJson(original)?.length ?? 0, stringifyJson(defaulted).length];
  if (after <= Math.max(SMALL_JOBSET_BYTES, MAX_GROWTH * before)) return undefined;
  const sizes = (["metadata", "spec", "status"] as const).map(
    (field) => [field, stringifyJson(defaulted[field])?.length ?? 0] as const,
  );
  const [field] = sizes.reduce((most, one) => (one[1] > most[1] ? one : most));
  const detail = `lists contain empty elements, and their defaults would make the JobSet more than ${MAX_GROWTH} times as large`;
  return forbidden(field, detail);
}

/** This is more than the largest request body contains. Without a limit, a value that contains itself would never end. */
const MAX_PARTS = 5_000_000;

/**
 * Returns the number of objects in a JSON value, including the value itself. A null in a list counts, because it
 * becomes an object.
 */
function objectsIn(value: unknown): number {
  let count = 0;
  const left: object[] = isListOrObject(value) ? [value] : [];
  for (let seen = 0; seen < MAX_PARTS; seen += 1) {
    const one = left.pop();
    if (one === undefined) break;
    if (Array.isArray(one)) {
      for (const element of one) {
        if (isListOrObject(element)) left.push(element);
        else if (element === null) count += 1;
      }
    } else {
      count += 1;
      const members = one as Readonly<Record<string, unknown>>;
      for (const name in members) {
        const member = members[name];
        if (isListOrObject(member)) left.push(member);
      }
    }
  }
  return count;
}

/** Most values are scalars and contain nothing. */
function isListOrObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
