import { formatFieldError } from "@jobset-ts/api/errors";
import { describe, expect, it } from "vitest";
import { listTypeErrors } from "./list-types.ts";
import type { StructuralSchema } from "./structural-schema.ts";

const port = { type: "object", properties: { port: { type: "integer" } } } as const;
const schema: StructuralSchema = {
  type: "object",
  properties: {
    values: { type: "array", items: { type: "integer" }, "x-kubernetes-list-type": "set" },
    ports: {
      type: "array",
      items: port,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["port", "protocol"],
    },
    jobs: {
      type: "array",
      items: port,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
    },
  },
};

const listTexts = (value: unknown) => listTypeErrors(value, schema).errors.map(formatFieldError);

describe("listTypeErrors", () => {
  it("listTypeErrors reports an element of a set once, at its second position", () => {
    expect(listTexts({ values: [1, "1", 1, 2, 1, null, null] })).toEqual([
      "values[2]: Duplicate value: 1",
      "values[6]: Duplicate value: null",
    ]);
  });

  it("listTypeErrors shows all keys of an element, sorted by name", () => {
    const ports = [
      { protocol: "TCP", port: 80, name: "a" },
      { port: 80, protocol: "TCP" },
    ];
    expect(listTexts({ ports })).toEqual([
      'ports[1]: Duplicate value: {"port":80,"protocol":"TCP"}',
    ]);
  });

  it("listTypeErrors treats absent keys as equal, and compares lists and objects by value", () => {
    const jobs = [{}, { name: { b: 1, a: [] } }, null, { name: { a: [], b: 1 } }];
    expect(listTexts({ jobs })).toEqual([
      "jobs[2]: Duplicate value: {}",
      'jobs[3]: Duplicate value: {"name":{"a":[],"b":1}}',
    ]);
  });

  it("listTypeErrors reports only the type error for a list with elements that are not objects", () => {
    expect(listTexts({ jobs: [{ name: "a" }, { name: "a" }, "<", 5] })).toEqual([
      'jobs[2]: Invalid value: "<": must be an object for an array of list-type map',
    ]);
  });

  it("listTypeErrors is linear in the length of a list", () => {
    const values = Array.from({ length: 200_000 }, (_, index) => index);
    expect(listTexts({ values })).toEqual([]);
  });
});
