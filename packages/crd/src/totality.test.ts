// Every function that this package exports, by what each of its arguments may be.

import { required } from "@jobset-ts/api/errors";
import { runs } from "@jobset-ts/testing";
import { jobSets } from "@jobset-ts/testing/arbitraries";
import {
  anything,
  type FunctionTable,
  functionsAnswerAnything,
  ofCode,
} from "@jobset-ts/testing/totality";
import fc from "fast-check";
import { expect, it } from "vitest";
import * as crd from "./index.ts";

const jobSet = anything(jobSets());
const fieldError = { typed: fc.constant(required("spec", "now")) };
const crdSchema = ofCode(crd.openAPIV3Schema());
const requests = fc.record(
  { old: jobSets(), subresource: fc.constantFrom("status" as const, undefined) },
  { requiredKeys: [] },
);

const rows = {
  admitBySchema: [jobSet, { typed: requests }],
  customResourceDefinition: [],
  decodeObject: [jobSet, crdSchema],
  decodeStoredObject: [jobSet, crdSchema],
  openAPIV3Schema: [],
  schemaErrorText: [fieldError],
} satisfies FunctionTable<typeof crd>;

const properties = functionsAnswerAnything(crd, rows);

it("has a row for each function", () => {
  expect(Object.keys(rows).sort()).toEqual(properties.map(([name]) => name).sort());
});

it.each(properties)("%s answers whatever may come", async (_, property) => {
  await fc.assert(property, { numRuns: runs(100) });
});
