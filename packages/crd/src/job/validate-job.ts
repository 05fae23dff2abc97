import type { Unvalidated } from "@jobset-ts/api";
import { type FieldError, invalid, required, TruncatedErrors } from "@jobset-ts/api/errors";
import {
  isObject,
  type Job,
  type JsonObject,
  matchesLabelSelector,
  type PodSpec,
  type PodTemplateSpec,
  validateDNS1123Label,
} from "@jobset-ts/api/kubernetes";
import { setApiDefaults } from "@jobset-ts/api/typed";
import type { FoundErrors } from "../found-errors.ts";
import { goJson } from "../go-text.ts";
import { flagIn, integerIn, mapIn, objectIn, textIn, textsIn } from "../members-of.ts";
import { objectMetaErrors } from "../object-meta-errors.ts";
import { podSpecErrors } from "../pod-template/pod-spec.ts";
import { podTemplateErrors } from "../pod-template/pod-template.ts";
import { labelErrors, labelSelectorErrors } from "../selectors.ts";
import { createGeneratedLabels, withGeneratedSelector } from "./generated-selector.ts";
import { jobSpecErrors } from "./job-spec.ts";

/**
 * Validates a Job as the API server does when a client creates it: all rules that need no other objects, with the
 * server's fields, messages and order. Absent members have the defaults of the API. A Job without a UID has not reached
 * the server yet, so its selector and the labels of its Pods are generated first.
 *
 * Expects a Job that can be decoded: a member of the wrong type counts as absent. See `decodeErrors` of
 * `@jobset-ts/api/typed`.
 *
 * @param options - `isPodSpecValid`: whether the Pod spec was validated before, as in another Job of the same template
 * @see Kubernetes `batch/validation.ValidateJob`, 1.36 with its default feature gates, on a server that allows
 *   privileged containers
 * @example validateJob({ metadata: { name: "train" }, spec: {} }).errors.map(({ field }) => field) // => ["spec.template.spec.containers", "spec.template.spec.restartPolicy"]
 */
export function validateJob(
  job: Unvalidated<Job>,
  options: { readonly isPodSpecValid?: boolean } = {},
): TruncatedErrors<FieldError> {
  return collect(jobErrors(job, options.isPodSpecValid ?? false));
}

/**
 * Validates a Pod template as the API server does when a client creates an object that contains it. Absent members have
 * the defaults of the API.
 *
 * @param field - the path of the template
 * @see Kubernetes `ValidatePodTemplateSpec`
 * @example validatePodTemplate({}, "template").errors.map(({ field }) => field) // => ["template.spec.containers"]
 */
export function validatePodTemplate(
  template: Unvalidated<PodTemplateSpec>,
  field: string,
): TruncatedErrors<FieldError> {
  return collect(podTemplateErrors(withDefaults(template, "PodTemplateSpec"), field));
}

/**
 * Validates the spec of a Pod, as {@link validatePodTemplate} does for a template.
 *
 * @see Kubernetes `ValidatePodSpec`
 * @example validatePodSpec({}, "spec").errors.map(({ field }) => field) // => ["spec.containers"]
 */
export function validatePodSpec(
  spec: Unvalidated<PodSpec>,
  field: string,
): TruncatedErrors<FieldError> {
  return collect(podSpecErrors(withDefaults(spec, "PodSpec"), field));
}

/**
 * Validates labels or the labels of a selector. Messages do not name the key.
 *
 * @param field - the path of the labels
 * @see Kubernetes `metav1/validation.ValidateLabels`
 * @example validateLabels({ "my key": "a" }, "metadata.labels").errors.map(({ field }) => field) // => ["metadata.labels"]
 */
export function validateLabels(
  labels: object | null | undefined,
  field: string,
): TruncatedErrors<FieldError> {
  return collect(labelErrors(isObject(labels) ? (labels as JsonObject) : {}, field));
}

function withDefaults(value: unknown, type: "PodTemplateSpec" | "PodSpec" | "JobSpec"): JsonObject {
  return setApiDefaults(isObject(value) ? value : {}, type) as JsonObject;
}

function collect(errors: FoundErrors): TruncatedErrors<FieldError> {
  const found = new TruncatedErrors<FieldError>((error) => error);
  found.addAll({ errors });
  return found;
}

function* jobErrors(job: unknown, isPodSpecValid: boolean): FoundErrors {
  const received = isObject(job) ? (job as JsonObject) : {};
  const isNew = textIn(mapIn(received, "metadata"), "uid") === "";
  const { metadata, spec: generatedSpec } = isNew ? withGeneratedSelector(received) : received;
  const meta = isObject(metadata) ? (metadata as JsonObject) : {};
  const spec = withDefaults(generatedSpec, "JobSpec");
  const isSelectorValid = isValidSelector(objectIn(spec, "selector"));
  yield* metadataErrors(meta);
  yield* generatedSelectorErrors(meta, spec, isSelectorValid);
  yield* jobSpecErrors(spec, isPodSpecValid);
  yield* selectorErrors(spec, isSelectorValid);
  yield* hostnameErrors(meta, spec);
}

/** A Job without labels got those of its template. The generated ones among them are not in its metadata. */
function* metadataErrors(metadata: JsonObject): FoundErrors {
  yield* objectMetaErrors(withoutGeneratedLabels(metadata));
  for (const [index, finalizer] of textsIn(metadata, "finalizers").entries()) {
    const field = `metadata.finalizers[${index}]`;
    if (finalizer.includes("/") || STANDARD_FINALIZERS.includes(finalizer)) continue;
    const detail = "name is neither a standard finalizer name nor is it fully qualified";
    yield invalid(field, finalizer, detail);
  }
}

function withoutGeneratedLabels(metadata: JsonObject): JsonObject {
  const labels = mapIn(metadata, "labels");
  const generated = createGeneratedLabels(metadata);
  const isOwn = (key: string) => generated[key] !== labels[key];
  const names = Object.keys(labels);
  if (names.every(isOwn)) return metadata;
  const own = Object.fromEntries(names.filter(isOwn).map((key) => [key, labels[key]]));
  return { ...metadata, labels: own };
}

const STANDARD_FINALIZERS = ["kubernetes", "orphan", "foregroundDeletion"];

/** Users cannot choose the labels and the selector that the server generates. */
function* generatedSelectorErrors(
  metadata: JsonObject,
  spec: JsonObject,
  isSelectorValid: boolean,
): FoundErrors {
  if (flagIn(spec, "manualSelector") === true) return;
  const labels = mapIn(mapIn(mapIn(spec, "template"), "metadata"), "labels");
  const generated = createGeneratedLabels(metadata);
  for (const [key, value] of Object.entries(generated)) {
    const field = `spec.template.metadata.labels[${key}]`;
    if (labels[key] === undefined) yield required(field, `must be '${value}'`);
    else if (labels[key] !== value) {
      yield invalid(field, labels, `must be '${value}'`, goJson(labels));
    }
  }
  const selector = mapIn(spec, "selector");
  if (isSelectorValid && !matchesLabelSelector(selector, generated)) {
    const detail = "`selector` not auto-generated";
    yield invalid("spec.selector", selector, detail, goJson(selector));
  }
}

function* selectorErrors(spec: JsonObject, isSelectorValid: boolean): FoundErrors {
  const selector = objectIn(spec, "selector");
  if (!isSelectorValid) {
    yield* labelSelectorErrors(selector, "spec.selector");
    return;
  }
  if (selector === undefined) yield required("spec.selector");
  const labels = objectIn(mapIn(mapIn(spec, "template"), "metadata"), "labels");
  if (selector !== undefined && matchesLabelSelector(selector, labels as Labels)) return;
  const detail = "`selector` does not match template `labels`";
  yield invalid("spec.template.metadata.labels", labels ?? null, detail, goJson(labels ?? null));
}

type Labels = Readonly<Record<string, string>> | undefined;

/** The Pods of an invalid selector are unknown. */
function isValidSelector(selector: JsonObject | undefined): boolean {
  const [error] = labelSelectorErrors(selector, "");
  return error === undefined;
}

/** Each Pod of an Indexed Job has a hostname that ends with its index. */
function* hostnameErrors(metadata: JsonObject, spec: JsonObject): FoundErrors {
  const name = textIn(metadata, "name");
  const completions = integerIn(spec, "completions") ?? 0;
  if (textIn(spec, "completionMode") !== "Indexed" || completions <= 0) return;
  const hostname = `${name}-${completions - 1}`;
  if (validateDNS1123Label(hostname).length === 0) return;
  const detail = `will not able to create pod with invalid DNS label: ${hostname}`;
  yield invalid("metadata.name", name, detail);
}
