import { type FieldError, invalid } from "@jobset-ts/api/errors";
import {
  asArray,
  type PodAffinityTerm,
  type PodSpec,
  validateDNS1123Label,
  validateQualifiedName,
} from "@jobset-ts/api/kubernetes";
import { validateLabels } from "./label-validation.ts";

/**
 * Validates the parts of a Pod spec that JobSet sets: the node selector, the names of volumes, and the topology keys of
 * its Pod affinity. Other parts are not validated.
 *
 * @param field - the path of the spec
 */
export function validatePodSpec(spec: PodSpec | undefined, field: string): readonly FieldError[] {
  if (spec === undefined) return [];
  const { nodeSelector, volumes, affinity } = spec;
  const errors = [...validateLabels(nodeSelector, `${field}.nodeSelector`)];
  for (const [at, { name }] of asArray(volumes).entries()) {
    for (const text of validateDNS1123Label(name)) {
      errors.push(invalid(`${field}.volumes[${at}].name`, name, text));
    }
  }
  if (affinity === undefined) return errors;
  for (const group of ["podAffinity", "podAntiAffinity"] as const) {
    const terms = asArray<PodAffinityTerm>(affinity[group]?.[REQUIRED] as PodAffinityTerm[]);
    for (const [at, { topologyKey = "" }] of terms.entries()) {
      for (const text of validateQualifiedName(topologyKey)) {
        const place = `${field}.affinity.${group}.${REQUIRED}[${at}].topologyKey`;
        errors.push(invalid(place, topologyKey, text));
      }
    }
  }
  return errors;
}

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
