// Every exported function of this package, with the possible values of each argument.

import { required } from "@jobset-ts/api/errors";
import { jobSets } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { createJobsWithEveryMember } from "../../testing/src/testing/jobs-with-every-member.ts";
import { anything, type FunctionTable, trusted } from "../../testing/src/testing/never-throws.ts";
import { testTotality } from "../../testing/src/testing/test-totality.ts";
import * as index from "./index.ts";
import * as jobExports from "./job.ts";

const crd = { ...index, ...jobExports };

const jobSet = anything(jobSets());
const baseJobs = Object.values(createJobsWithEveryMember());
const job = anything(fc.constantFrom(...baseJobs));
const templates = baseJobs.map(({ spec }) => spec.template);
const path = trusted("spec.template");
const fieldError = { typed: fc.constant(required("spec", "now")) };
const crdSchema = trusted(crd.openAPIV3Schema());
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
  readIndexList: [
    { typed: fc.constantFrom("", "0,2-4", "0-2147483646", "x") },
    { typed: fc.integer() },
  ],
  validateJob: [job],
  validateLabels: [anything(fc.constant({ app: "train", "example.com/a": "b" })), path],
  validatePodSpec: [anything(fc.constantFrom(...templates.map(({ spec }) => spec))), path],
  validatePodTemplate: [anything(fc.constantFrom(...templates)), path],
  withGeneratedSelector: [job],
} satisfies FunctionTable<typeof crd>;

testTotality("@jobset-ts/crd", crd, rows);
