import { openAPIV3Schema, type StructuralSchema } from "@jobset-ts/crd";
import { type ReleaseName, releaseNames } from "./releases.ts";
import { schemaDifferences } from "./schema-differences.ts";

/**
 * A difference of a schema from the next newer one: the path, and the older value. Without a value, the older schema
 * does not have the path.
 *
 * A path has `.name` for a member, `[]` for the elements of a list, and `#keyword` at its end for a keyword.
 */
export type SchemaDifference = readonly [path: string, value?: unknown];

const known = new Map<ReleaseName, StructuralSchema>();

/** Returns the schema of a release's CustomResourceDefinition, built on first use, frozen and shared. */
export function releaseSchema(name: ReleaseName): StructuralSchema {
  const done = known.get(name);
  if (done !== undefined) return done;
  const newer = releaseNames[releaseNames.indexOf(name) - 1];
  let schema = newer === undefined ? openAPIV3Schema() : releaseSchema(newer);
  for (const [path, ...value] of schemaDifferences[name] ?? []) {
    schema = withChange(schema, parsePath(path), value) as StructuralSchema;
  }
  known.set(name, schema);
  return schema;
}

/** Returns the member names from the root of a schema to the target of a path. */
export function parsePath(path: string): readonly string[] {
  return path
    .replaceAll("[]", ".[]")
    .replace("#", ".#")
    .split(".")
    .flatMap((step) => {
      if (step === "[]") return ["items"];
      return step.startsWith("#") ? [step.slice(1)] : ["properties", step];
    });
}

/** Returns a copy of an object in which only the member at the path differs. Unchanged parts are shared. */
function withChange(value: unknown, path: readonly string[], change: readonly unknown[]): unknown {
  const [name, ...below] = path;
  if (name === undefined) return deepFreeze(change[0]);
  const { [name]: old, ...others } = value as Readonly<Record<string, unknown>>;
  if (below.length === 0 && change.length === 0) return Object.freeze(others);
  return Object.freeze({ ...others, [name]: withChange(old, below, change) });
}

function deepFreeze(value: unknown): unknown {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}
