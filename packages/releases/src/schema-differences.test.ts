// Checks that the schemas of releases equal the recorded CRDs. `npx vitest run packages/releases --update` rewrites the differences.
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { gunzipSync } from "node:zlib";
import { isObject } from "@jobset-ts/api/kubernetes";
import { openAPIV3Schema, type StructuralSchema } from "@jobset-ts/crd";
import { expect, it } from "vitest";
import { release } from "./release.ts";
import { releases } from "./releases.ts";

const newestFirst = releases.map(({ name }) => name);

/** The recorded schema of a release, without descriptions. */
function recordedSchema(name: string): StructuralSchema {
  const file = new URL(`testdata/${name}.crd.json.gz`, import.meta.url);
  const crd = JSON.parse(gunzipSync(readFileSync(file)).toString("utf8"));
  return crd.spec.versions[0].schema.openAPIV3Schema;
}

/** Lists the differences of a schema from a newer one: the path, and the older value if there is one. */
function differences(newer: unknown, older: unknown, path = ""): unknown[][] {
  if (isDeepStrictEqual(newer, older)) return [];
  if (!isObject(newer) || !isObject(older)) return [[path, older]];
  const names = [...new Set([...Object.keys(newer), ...Object.keys(older)])].sort();
  return names.flatMap((name) => {
    const below = `${path}/${name}`;
    return Object.hasOwn(older, name) ? differences(newer[name], older[name], below) : [[below]];
  });
}

/** Shortens a path: `.name` for a member, `[]` for the elements of a list, `#keyword` for other parts. */
function shortPath(path: string): string {
  return path
    .replaceAll("/properties/", ".")
    .replaceAll("/items", "[]")
    .replace(/\/([\w-]+)$/, "#$1")
    .replace(/^\./, "");
}

it("the differences of the schemas are those between the recorded CRDs", async () => {
  const lines = [
    "// Written by schema-differences.test.ts: `npx vitest run packages/releases --update`.",
    'import type { SchemaDifference } from "./release-schema.ts";',
    "",
    "/** For each release, newest first: the differences of its schema from the next newer one. The first one is compared with main. */",
    "// biome-ignore format: a line for each difference",
    "export const schemaDifferences: Readonly<Record<string, readonly SchemaDifference[]>> = {",
  ];
  let newer = openAPIV3Schema();
  for (const name of newestFirst) {
    const older = recordedSchema(name);
    lines.push(`  "${name}": [`);
    for (const [path, ...value] of differences(newer, older)) {
      lines.push(`    ${JSON.stringify([shortPath(String(path)), ...value])},`);
    }
    lines.push("  ],");
    newer = older;
  }
  lines.push("};", "");
  await expect(lines.join("\n")).toMatchFileSnapshot("schema-differences.ts");
});

it.each(newestFirst)("the schema of %s equals the recorded CRD", (name) => {
  expect(release(name).schema).toEqual(recordedSchema(name));
});
