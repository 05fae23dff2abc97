import { duplicate, type FieldError, forbidden, invalid, required } from "@jobset-ts/api/errors";
import { type JsonObject, validateDNS1123Label } from "@jobset-ts/api/kubernetes";
import { isLongerThan } from "@jobset-ts/api/text";
import { type FoundErrors, invalidForEach } from "../found-errors.ts";
import { elementsIn, objectIn, optionalTextIn, textIn } from "../members-of.ts";
import { volumeSources } from "./volume-sources.ts";

/** The valid volumes of a Pod by name. Containers can use only these. */
export type Volumes = ReadonlyMap<string, JsonObject>;

/**
 * Yields the errors in the volumes of a Pod.
 *
 * @returns the valid volumes
 * @see Kubernetes `ValidateVolumes`
 */
export function* volumeErrors(
  spec: JsonObject,
  field: string,
): Generator<FieldError, Volumes, undefined> {
  const volumes = new Map<string, JsonObject>();
  for (const [volume, path] of elementsIn(spec, "volumes", field)) {
    const name = textIn(volume, "name");
    let isValid = true;
    for (const errors of [sourceErrors(volume, path), nameErrors(name, path, volumes)]) {
      for (const error of errors) {
        isValid = false;
        yield error;
      }
    }
    if (isValid) volumes.set(name, volume);
  }
  return volumes;
}

function* nameErrors(name: string, path: string, volumes: Volumes): FoundErrors {
  const field = `${path}.name`;
  if (name === "") yield required(field);
  else yield* invalidForEach(field, name, validateDNS1123Label(name));
  if (volumes.has(name)) yield duplicate(field, name);
}

function* sourceErrors(volume: JsonObject, path: string): FoundErrors {
  let count = 0;
  for (const { name, path: own = name, forbiddenAt = own, validate: errorsOf } of volumeSources) {
    const source = objectIn(volume, name);
    if (source === undefined) continue;
    count += 1;
    if (count > 1 && name !== "emptyDir") {
      yield forbidden(`${path}.${forbiddenAt}`, "may not specify more than 1 volume type");
    } else yield* errorsOf(source, `${path}.${own}`);
    if (name === "iscsi") yield* initiatorLengthErrors(volume, source, path);
  }
  if (count === 0) yield required(path, "must specify a volume type");
}

const MAX_INITIATOR_BYTES = 64;

function* initiatorLengthErrors(volume: JsonObject, iscsi: JsonObject, path: string): FoundErrors {
  const name = textIn(volume, "name");
  const initiator = `${name}:${textIn(iscsi, "targetPortal")}`;
  if (optionalTextIn(iscsi, "initiatorName") === undefined) return;
  if (!isLongerThan(initiator, MAX_INITIATOR_BYTES)) return;
  const detail =
    "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.";
  yield invalid(`${path}.name`, name, detail);
}
