import { forbidden } from "@jobset-ts/api/errors";
import type { JsonObject } from "@jobset-ts/api/kubernetes";
import type { FoundErrors } from "../found-errors.ts";
import { listIn, mapIn } from "../members-of.ts";
import { annotationErrors } from "../object-meta-errors.ts";
import { labelErrors } from "../selectors.ts";
import { podAnnotationErrors, profileAnnotationErrors } from "./pod-annotations.ts";
import { podSpecErrors } from "./pod-spec.ts";

/**
 * Yields the errors in a Pod template, in the order of the API server.
 *
 * @param template - with the defaults of the API
 * @param isSpecValid - whether the Pod spec has been validated
 * @see Kubernetes `ValidatePodTemplateSpec`, 1.36
 */
export function* podTemplateErrors(
  template: JsonObject,
  path: string,
  isSpecValid = false,
): FoundErrors {
  const metadata = mapIn(template, "metadata");
  const annotations = mapIn(metadata, "annotations");
  const spec = mapIn(template, "spec");
  yield* labelErrors(mapIn(metadata, "labels"), `${path}.labels`);
  yield* annotationErrors(annotations, `${path}.annotations`);
  yield* podAnnotationErrors(annotations, spec, `${path}.annotations`);
  if (!isSpecValid) yield* podSpecErrors(spec, `${path}.spec`);
  yield* profileAnnotationErrors(annotations, spec, `${path}.spec`);
  if (listIn(spec, "ephemeralContainers").length > 0) {
    const detail = "ephemeral containers not allowed in pod template";
    yield forbidden(`${path}.spec.ephemeralContainers`, detail);
  }
}
