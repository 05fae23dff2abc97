import { MAX_KEY_BYTES, truncateText } from "@jobset-ts/api/text";

/**
 * Where in an object a value stands; `undefined` is the object as a whole.
 *
 * A path is a list from the value upwards, so that going down costs one small object, and text is made only of the
 * paths of what is refused.
 */
export type Path = Step | undefined;

interface Step {
  readonly above: Path;
  /** The name of a member, the key of a map's value, or the index of a list's element. */
  readonly step: string | number;
  readonly isMapKey: boolean;
}

/** Returns the path of an object's member. */
export function memberPath(above: Path, name: string): Path {
  return { above, step: name, isMapKey: false };
}

/** Returns the path of a map's value. */
export function mapKeyPath(above: Path, key: string): Path {
  return { above, step: key, isMapKey: true };
}

/** Returns the path of a list's element. */
export function elementPath(above: Path, index: number): Path {
  return { above, step: index, isMapKey: false };
}

/**
 * Returns a path as field errors print it: `spec.labels[app]`.
 *
 * @see Kubernetes `field.Path`
 */
export function fieldText(path: Path): string {
  return pathText(path, (key) => `[${key}]`);
}

/**
 * Returns a path as schema validation prints it, which does not tell the keys of maps from members: `spec.labels.app`.
 *
 * @see kube-openapi `validate.SchemaValidator`
 */
export function bodyText(path: Path): string {
  return pathText(path, (key) => `.${key}`);
}

function pathText(path: Path, mapKeyText: (key: string) => string): string {
  const texts: string[] = [];
  for (let at = path; at !== undefined; at = at.above) {
    if (typeof at.step === "number") texts.push(`[${at.step}]`);
    else if (at.isMapKey) texts.push(mapKeyText(truncateText(at.step, MAX_KEY_BYTES)));
    else texts.push(at.above === undefined ? at.step : `.${at.step}`);
  }
  return texts.reverse().join("");
}
