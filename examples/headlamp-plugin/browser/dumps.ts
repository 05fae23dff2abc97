import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { diagnosedKinds } from "@jobset-ts/diagnose";
import type { Listings } from "./api-server.ts";

const folder = join(import.meta.dirname, "..", "..", "..", "packages", "conformance", "dumps");

/** The known diagnosis of a JobSet in a dump. */
export interface ExpectedDump {
  readonly file: string;
  /** `namespace/name`. */
  readonly jobSet: string;
  readonly status: string;
  readonly statusAlternatives?: readonly string[];
  readonly rootCause?: string | null;
  readonly rootCauses?: readonly string[];
  readonly alternatives?: readonly string[];
  readonly strict?: string;
  readonly takenAt: string;
}

/** Reads the records, one per JobSet. */
export function listExpectedDumps(): readonly ExpectedDump[] {
  const text = readFileSync(join(folder, "truth.jsonl"), "utf8");
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as ExpectedDump);
}

type DumpedObject = { readonly kind: string; readonly metadata: object };

/** Returns the objects of a dump as text, so that a test can change it. */
export function dumpText(file: string): string {
  return gunzipSync(readFileSync(join(folder, file))).toString("utf8");
}

/** Returns the responses of an API server that has exactly these objects. */
export function getListings(objects: readonly DumpedObject[]): Listings {
  const listObjects = (kind: string) => objects.filter((object) => object.kind === kind);
  return Object.fromEntries(
    diagnosedKinds.map((kind) => [kind, { outcome: "Read", objects: listObjects(kind) }]),
  );
}

export function readDumpAsListings(file: string, change = (text: string) => text): Listings {
  return getListings(objectsIn(change(dumpText(file))));
}

export function objectsIn(text: string): readonly DumpedObject[] {
  return (JSON.parse(text) as { readonly items: readonly DumpedObject[] }).items;
}
