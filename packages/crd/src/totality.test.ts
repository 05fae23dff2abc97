// Every function that this package exports, by what each of its arguments may be.

import { required } from "@jobset-ts/api/errors";
import { jobSets } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { expect, it } from "vitest";
import {
  anything,
  type FunctionTable,
  functionsAnswerAnything,
  ofCode,
} from "../../testing/src/testing/answers-anything.ts";
import { MOST_RESULT_PARTS, numberCosts } from "../../testing/src/testing/ignores-numbers.ts";
import { runs } from "../../testing/src/testing/runs.ts";
import * as crd from "./index.ts";

const jobSet = anything(jobSets());
const fieldError = { typed: fc.constant(required("spec", "now")) };
const crdSchema = ofCode(crd.openAPIV3Schema());
const requests = fc.record(
  { old: jobSets(), subresource: fc.constantFrom("status" as const, undefined) },
  { requiredKeys: [] },
);

/** The CPU time of this process, in milliseconds. */
const cpuMs = () => process.cpuUsage().user / 1000;

const rows = {
  admitBySchema: [jobSet, { typed: requests }],
  customResourceDefinition: [],
  decodeObject: [jobSet, crdSchema],
  decodeStoredObject: [jobSet, crdSchema],
  openAPIV3Schema: [],
  formatSchemaError: [fieldError],
} satisfies FunctionTable<typeof crd>;

const properties = functionsAnswerAnything(crd, rows);

it("the totality test of @jobset-ts/crd covers each function", () => {
  expect(Object.keys(rows).sort()).toEqual(properties.map(([name]) => name).sort());
});

it.each(properties)("%s returns a result for every input", async (_, property) => {
  await fc.assert(property, { numRuns: runs(30, 500) });
});

it.each(numberCosts(crd, rows, cpuMs))(
  "the cost of %s does not grow with a number",
  async (_, measure) => {
    const { share, worst, resultParts } = await measure();
    expect(share, worst).toBeLessThan(1);
    expect(resultParts, worst).toBeLessThan(MOST_RESULT_PARTS);
  },
);
