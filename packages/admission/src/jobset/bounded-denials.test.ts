// Tests that the response to a JobSet stays small and is computed in linear time, however large the JobSet is and
// however many rules it violates.
import { byteLength } from "@jobset-ts/api/text";
import { createContext, createSnapshot, NO_QUIRKS, UPSTREAM_QUIRKS } from "@jobset-ts/core";
import { admitBySchema, openAPIV3Schema, type StructuralSchema } from "@jobset-ts/crd";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../testing/src/testing/runs.ts";
import type { Denial } from "../denial/denial.ts";
import { explainDenial, renderExplanation } from "../denial/explain-denial.ts";
import { review } from "../review/review.ts";
import type { WebhookRequest } from "../webhook-shape.ts";
import { admitJobSet } from "./admit-jobset.ts";
import {
  type CreateHostileRequest,
  hostileCreations,
  hostileEdits,
} from "./testing/hostile-jobsets.ts";
import { validateJobSet } from "./validate-jobset.ts";

const KIB = 1024;
const features = { InPlaceRestart: true, ElasticJobSet: true, RestartJob: true };
const contexts = [NO_QUIRKS, UPSTREAM_QUIRKS].map((quirks) =>
  createContext({ now: 0, features, quirks }),
);
const cluster = createSnapshot([], { kinds: ["PersistentVolumeClaim"] });

type Context = ReturnType<typeof createContext>;

function reviewRequest(request: WebhookRequest, context: Context, stage: "mutate" | "validate") {
  const kind = { group: "jobset.x-k8s.io", version: "v1alpha2", kind: "JobSet" };
  const admissionReview = {
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: { uid: "u", kind, ...request },
  };
  return review(admissionReview, cluster, context, { stage }).response;
}

/** The size of a denial: bytes of the message and of the causes, without the overhead of JSON. */
function countDenialBytes({ status }: Denial): number {
  const { message, details: { causes = [], name = "" } = {} } = status;
  const texts = [message, name, ...causes.flatMap((cause) => [cause.field, cause.message])];
  return texts.reduce((sum, text) => sum + byteLength(text), 0);
}

function expectBounded(denial: Denial) {
  const explanation = explainDenial(denial);
  expect(countDenialBytes(denial)).toBeLessThan(64 * KIB);
  expect(byteLength(JSON.stringify(denial))).toBeLessThan(256 * KIB);
  expect(byteLength(JSON.stringify(explanation))).toBeLessThan(256 * KIB);
  expect(byteLength(renderExplanation(explanation))).toBeLessThan(64 * KIB);
}

// Tests run in Node. The library does not use its types.
declare const process: {
  cpuUsage(since?: object): { readonly user: number; readonly system: number };
};

/** Milliseconds of CPU time that a function takes. */
function measureCpu(run: () => unknown): number {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Durations below this, in milliseconds, are too short to measure growth. */
const MAX_REVIEW_MS = 100;

const cases = [
  ...[...hostileCreations].map(([name, hostile]) => ["CREATE", name, hostile] as const),
  ...[...hostileEdits].map(([name, hostile]) => ["UPDATE", name, hostile] as const),
];

describe.each(cases)("%s of %s", (operation, _, hostile: CreateHostileRequest) => {
  const createRequest = (bytes: number): WebhookRequest => ({ operation, ...hostile(bytes) });

  it("a denial is short", () => {
    const request = createRequest(30 * KIB);
    for (const context of contexts) {
      const admitted = admitJobSet(request, cluster, context);
      if (!admitted.allowed) expectBounded(admitted.denial);
      expect(JSON.stringify(reviewRequest(request, context, "validate")).length).toBeLessThan(
        128 * KIB,
      );
      const { response } = reviewRequest(request, context, "mutate");
      if (!response.allowed) expect(JSON.stringify(response).length).toBeLessThan(128 * KIB);
    }
    // Omits the schema, because it may reject the JobSet first.
    const validated = validateJobSet(request, cluster, contexts[0] as Context);
    if (!validated.allowed) expectBounded(validated.denial);
    const { object, oldObject } = request;
    const { errors, warnings } = admitBySchema(object, { old: oldObject });
    expect(byteLength(JSON.stringify([errors.map(({ body }) => body), warnings]))).toBeLessThan(
      128 * KIB,
    );
  });

  it("a denial takes time proportional to the JobSet", () => {
    const [context = createContext({ now: 0 })] = contexts;
    const [small, large] = [createRequest(12 * KIB), createRequest(48 * KIB)];
    const measureReview = (request: WebhookRequest) =>
      measureCpu(() => {
        admitJobSet(request, cluster, context);
        validateJobSet(request, cluster, context);
      });
    // At four times the size, a quadratic cost would take sixteen times as long.
    const isInProportion = () => {
      const most = measureReview(large);
      return most < MAX_REVIEW_MS || most < 10 * measureReview(small);
    };
    // Other load on the machine also affects CPU time. A quadratic cost still exceeds the limit.
    expect(Array.from({ length: 10 }).some(isInProportion)).toBe(true);
  });
});

/** A JobSet with a huge value at one path of the schema. */
function hugeAtSomePath(): fc.Arbitrary<object> {
  // One error for each of 4,000 elements exceeds the limit.
  const count = runs(4_000, 10_000);
  const values: readonly unknown[] = [
    "x".repeat(10_000),
    '"\u0001é'.repeat(3_333),
    Array(count).fill(0),
    Array(count).fill("a"),
    Array(count).fill({ name: "a" }),
    Array(count).fill([]),
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index])),
    { ["k".repeat(10_000)]: ["k".repeat(10_000)] },
  ];
  return fc
    .record({
      steps: fc.array(fc.nat(), { minLength: 1, maxLength: 14 }),
      value: fc.constantFrom(...values),
    })
    .map(({ steps, value }) => {
      const part = at(openAPIV3Schema(), ["spec", ...steps], value);
      return {
        apiVersion: "jobset.x-k8s.io/v1alpha2",
        kind: "JobSet",
        metadata: { name: "js", namespace: "ml" },
        ...(part as object),
      };
    });
}

/** Returns an object with `value` at a path, as far as the path exists. */
function at(
  schema: StructuralSchema,
  [step, ...steps]: readonly (number | string)[],
  value: unknown,
): unknown {
  if (step === undefined) return value;
  if (schema.items !== undefined) return [at(schema.items, steps, value)];
  if (schema.additionalProperties !== undefined) {
    return { key: at(schema.additionalProperties as StructuralSchema, steps, value) };
  }
  const names = Object.keys(schema.properties ?? {});
  const name = typeof step === "string" ? step : names[step % Math.max(names.length, 1)];
  const below = name === undefined ? undefined : schema.properties?.[name];
  return name === undefined || below === undefined ? value : { [name]: at(below, steps, value) };
}

it("a denial is short for a huge value at any path of the JobSet", () => {
  const base = {
    apiVersion: "jobset.x-k8s.io/v1alpha2",
    kind: "JobSet",
    metadata: { name: "js", namespace: "ml" },
    spec: {},
  };
  fc.assert(
    fc.property(hugeAtSomePath(), (object) => {
      for (const context of contexts) {
        for (const request of [
          { operation: "CREATE", object },
          { operation: "UPDATE", object, oldObject: base },
          { operation: "UPDATE", object: base, oldObject: object },
        ] as const) {
          const results = [
            admitJobSet(request, cluster, context),
            validateJobSet(request, cluster, context),
          ];
          for (const result of results) if (!result.allowed) expectBounded(result.denial);
        }
      }
    }),
    { numRuns: runs(12, 250) },
  );
});
