import {
  type AdmittedJobSet,
  admitJobSet,
  admitPod,
  type Denial,
  type Explanation,
  explainDenial,
} from "@jobset-ts/admission";
import {
  decodeErrors,
  fieldErrorText,
  isObject,
  nameOf,
  namespaceOf,
  type Observed,
  type Pod,
  textOf,
} from "@jobset-ts/api";
import type { Context, ObjectKey, Snapshot } from "@jobset-ts/core";
import type { Diagnostic } from "./diagnostics.ts";
import type { InputObject } from "./input/objects.ts";
import { newObject, updatedObject } from "./new-object.ts";

/** What a cluster answers to a request about one object of a file. */
export interface Review {
  /** The name of an object that leaves its choice to the server is what it begins with. */
  readonly object: ObjectKey;
  readonly operation: "CREATE" | "UPDATE";
  /** Who decided: the schema, one of the webhooks that change objects, or one of those that check them. */
  readonly stage: "schema" | "default" | "mutate" | "validate";
  /** Present when the request is denied. */
  readonly denied?: { readonly denial: Denial; readonly explanation: Explanation };
  /** What the client is told although the request goes on. */
  readonly warnings: readonly Diagnostic[];
  readonly diagnose: InputObject["diagnose"];
}

/**
 * The way of a JobSet through the cluster.
 *
 * @param old - the JobSet as it is stored, when it is updated
 */
export function reviewJobSet(
  input: InputObject,
  old: InputObject | undefined,
  snapshot: Snapshot,
  context: Context,
): Review {
  const stored = old && requested(old);
  const operation = stored === undefined ? "CREATE" : "UPDATE";
  const object = stored === undefined ? requested(input) : updatedObject(input, stored);
  const answer = admitJobSet({ operation, object, oldObject: stored }, snapshot, context);
  return { ...outcomeOf(answer, input), object: keyOf(input), operation };
}

/** A command line without a namespace of its own cannot contradict the object's. */
function requested(input: InputObject): InputObject["value"] {
  const created = newObject(input, {});
  return created.refusal === undefined ? created.object : input.value;
}

function outcomeOf(
  answer: AdmittedJobSet,
  { diagnose }: InputObject,
): Pick<Review, "stage" | "denied" | "warnings" | "diagnose"> {
  const warnings = answer.warnings.map(({ field, message }) => diagnose(field, message, "warning"));
  return answer.allowed
    ? { stage: "validate", warnings, diagnose }
    : { stage: answer.stage, denied: explained(answer.denial), warnings, diagnose };
}

/** The way of a new Pod through the cluster. */
export function reviewPod(input: InputObject, snapshot: Snapshot, context: Context): Review {
  const key = keyOf(input);
  const review = {
    object: key,
    operation: "CREATE",
    warnings: [],
    diagnose: input.diagnose,
  } as const;
  const unreadable = unreadableDenial(input, key);
  if (unreadable !== undefined) {
    return { ...review, stage: "schema", denied: explained(unreadable) };
  }
  const metadata = { ...(input.value.metadata ?? {}), namespace: key.namespace };
  const pod = { ...input.value, metadata } as Observed<Pod>;
  const answer = admitPod(pod, snapshot, context);
  return answer.allowed
    ? { ...review, stage: "validate" }
    : { ...review, stage: answer.stage, denied: explained(answer.denial) };
}

/** The API server reads a Pod before it asks any webhook; what it cannot read, it answers with 400. */
function unreadableDenial({ value }: InputObject, object: ObjectKey): Denial | undefined {
  const errors = decodeErrors(value, "Pod");
  const [first] = errors;
  if (first === undefined) return undefined;
  return {
    status: { message: fieldErrorText(first), reason: "BadRequest", code: 400 },
    roots: errors.map((error) => ({
      id: "pod-decodable",
      message: fieldErrorText(error),
      objects: [object],
      evidence: [{ kind: "field", object, at: error.field, text: error.body }],
      transient: false,
      causedBy: [],
      fieldError: error,
    })),
    symptoms: [],
    unknown: [],
    transient: false,
  };
}

function explained(denial: Denial): Review["denied"] {
  return { denial, explanation: explainDenial(denial) };
}

/** What an object is called before a server has seen it. */
export function keyOf({ value }: InputObject): ObjectKey {
  const metadata = isObject(value.metadata) ? value.metadata : {};
  const object = { metadata } as Observed<Pod>;
  const { generateName } = metadata as { readonly generateName?: string };
  return {
    apiVersion: String(value.apiVersion),
    kind: String(value.kind),
    namespace: namespaceOf(object) || "default",
    name: nameOf(object) || textOf(generateName),
  };
}
