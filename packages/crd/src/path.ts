import { MAX_KEY_BYTES, truncateText } from "@jobset-ts/api/text";

/**
 * The path of a value in an object; `undefined` is the object itself. A path is a linked list from the value to the
 * root, so a step down costs one small object. Text is created only for paths in errors.
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
 * Formats a path as schema validation does, which does not distinguish keys of maps from members: `spec.labels.app`.
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
