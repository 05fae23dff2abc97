import { findUnknownFields } from "@jobset-ts/api/typed";
import { jobSets } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../testing/src/testing/runs.ts";
import { openAPIV3Schema } from "./openapi-v3-schema.ts";
import { findPrunedFields } from "./pruned-fields.ts";
import type { StructuralSchema } from "./structural-schema.ts";

const schema: StructuralSchema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        labels: { type: "object", additionalProperties: { type: "string" } },
        jobs: {
          type: "array",
          items: { type: "object", properties: { name: { type: "string" } } },
        },
      },
    },
  },
};

describe("findPrunedFields", () => {
  it("findPrunedFields names members at any depth with the known fields, but no keys of maps", () => {
    const spec = { labels: { any: "x" }, jobs: [{ name: "a" }, { nam: "b" }], queue: null };
    expect(findPrunedFields({ metadata: { lables: {} }, spec }, schema)).toEqual([
      { field: "metadata.lables", name: "lables", known: expect.arrayContaining(["labels"]) },
      { field: "spec.jobs[1].nam", name: "nam", known: ["name"] },
      { field: "spec.queue", name: "queue", known: ["labels", "jobs"] },
    ]);
  });

  it("findPrunedFields agrees with the table of types on main's schema", () => {
    const property = fc.property(
      jobSets(),
      fc.dictionary(fc.string(), fc.constant(1)),
      (jobSet, more) => {
        const sent = { ...jobSet, spec: { ...more, ...jobSet.spec } };
        const found = findPrunedFields(sent, openAPIV3Schema()).map(({ field }) => field);
        expect(found).toEqual(findUnknownFields(sent, "JobSet").map(({ field }) => field));
      },
    );
    fc.assert(property, { numRuns: runs(30, 1000) });
  });
});
