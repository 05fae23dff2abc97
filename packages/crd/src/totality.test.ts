// Every function that this package exports, by what each of its arguments may be.

import { required } from "@jobset-ts/api/errors";
import { jobSets } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import {
  anything,
  type FunctionTable,
  ofCode,
} from "../../testing/src/testing/answers-anything.ts";
import { testTotality } from "../../testing/src/testing/test-totality.ts";
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
  findPrunedFields: [jobSet, crdSchema],
  openAPIV3Schema: [],
  formatSchemaError: [fieldError],
} satisfies FunctionTable<typeof crd>;

testTotality("@jobset-ts/crd", crd, rows);
