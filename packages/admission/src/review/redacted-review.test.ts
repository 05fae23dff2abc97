import { JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { createContext, createSnapshot, type Snapshot } from "@jobset-ts/core";
import { aPod } from "@jobset-ts/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { markedJobSets, SECRET_MARKS } from "../../../testing/src/testing/marked-jobsets.ts";
import { runs } from "../../../testing/src/testing/runs.ts";
import { createWebhookHandler, type ReviewEvent } from "./handler.ts";
import { redactDecision, redactErrors } from "./redacted-review.ts";
import { review } from "./review.ts";
import type { WebRequest } from "./web.ts";
import type { Stage } from "./webhooks.ts";

// The parts of the runtime's own classes that these tests use.
declare const Request: new (url: string, init: object) => WebRequest;
declare const AbortSignal: { timeout(milliseconds: number): never };

const context = createContext({ now: "2026-11-21T12:00:00Z" });
const empty = createSnapshot([], { kinds: "all" });
const paths = { JobSet: "-jobset-x-k8s-io-v1alpha2-jobset", Pod: "--v1-pod" };
const kinds = {
  JobSet: { group: "jobset.x-k8s.io", version: "v1alpha2", kind: "JobSet" },
  Pod: { group: "", version: "v1", kind: "Pod" },
};

function createReview(kind: keyof typeof kinds, request: object) {
  const sent = { uid: "u-1", kind: kinds[kind], namespace: "ml", ...request };
  return { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request: sent };
}

/** All output of the handler about a review: the response, and the values that a program can log. */
async function listOutput(
  kind: keyof typeof kinds,
  stage: Stage,
  sent: unknown,
  readSnapshot: () => Snapshot = () => empty,
): Promise<string> {
  const answered: ReviewEvent[] = [];
  const serve = createWebhookHandler({
    context,
    deadline: (waitsMs) => AbortSignal.timeout(waitsMs),
    readSnapshot,
    redact: true,
    onReview: (one) => answered.push(one),
  });
  const response = await serve(
    new Request(`https://webhooks/${stage}${paths[kind]}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(sent),
    }),
  );
  const text = await response.text();
  expect(answered).toHaveLength(1);
  return answered[0]?.outcome === "Allowed" ? text : text + JSON.stringify(answered);
}

const marksIn = (text: string) => SECRET_MARKS.filter((mark) => text.includes(mark));

/** A patch may contain the unredacted object. */
const withoutPatch = (text: string) => text.replace(/"patch":"[^"]*"/, "");

describe("the option redact", () => {
  const edits = fc.tuple(markedJobSets(), markedJobSets());

  it("no response and no report of a handler with redact shows a value of a JobSet", async () => {
    let denied = 0;
    await fc.assert(
      fc.asyncProperty(edits, async ([oldObject, object]) => {
        for (const stage of ["mutate", "validate"] as const) {
          for (const request of [
            { operation: "CREATE", object },
            { operation: "UPDATE", oldObject, object },
            { operation: "UPDATE", oldObject, object: JSON.stringify(object) },
            { operation: "UPDATE", oldObject: [object], object },
          ]) {
            const text = await listOutput("JobSet", stage, createReview("JobSet", request));
            if (text.includes('"allowed":false')) denied += 1;
            expect(marksIn(withoutPatch(text)), text).toEqual([]);
          }
        }
        const whole = JSON.stringify(object);
        for (const sent of [whole, { ...createReview("JobSet", {}), request: whole }, [object]]) {
          expect(marksIn(await listOutput("JobSet", "validate", sent))).toEqual([]);
        }
      }),
      { numRuns: runs(12) },
    );
    expect(denied).toBeGreaterThan(12);
  });

  it("the option redact changes no outcome, code, reason, path or patch", () => {
    fc.assert(
      fc.property(
        edits,
        fc.constantFrom<Stage>("mutate", "validate"),
        ([oldObject, object], stage) => {
          const sent = createReview("JobSet", { operation: "UPDATE", oldObject, object });
          const plain = review(sent, empty, context, { stage });
          const redacted = review(sent, empty, context, { stage, redact: true });
          const getFacts = ({ outcome, response: { response } }: typeof plain) => {
            const { code, reason, details } = response.status;
            const fields = details?.causes?.map(({ field, reason }) => [field, reason]);
            return { outcome, code, reason, fields, patch: response.patch };
          };
          expect(getFacts(redacted)).toEqual(getFacts(plain));
        },
      ),
      { numRuns: runs(25) },
    );
  });

  it("a denial with redact still shows numbers of the spec and whether a value changes", () => {
    const jobSet = (image: string, value: string, restarts: number) => ({
      metadata: { name: "train", namespace: "ml" },
      spec: {
        replicatedJobs: [
          {
            name: "w",
            replicas: 2,
            template: {
              spec: {
                backoffLimit: restarts,
                template: {
                  spec: { containers: [{ name: "c", image, env: [{ name: "T", value }] }] },
                },
              },
            },
          },
        ],
      },
    });
    const request = {
      operation: "UPDATE",
      oldObject: jobSet("train:1", "Hunter2-old", 41),
      object: jobSet("train:2", "Hunter2-new", 42),
    };
    const getMessage = (redact: boolean) =>
      review(createReview("JobSet", request), empty, context, { stage: "validate", redact })
        .response.response.status.message;
    const message = getMessage(true);
    expect(message).toContain('"value":"(redacted 2)"');
    expect(message).toContain('"backoffLimit":42');
    expect(message).not.toContain("Hunter2");
    expect(getMessage(false)).toContain('"value":"Hunter2-new"');
  });

  it("a denial of a follower does not quote a value of its leader", async () => {
    const command = ["run", "--password=Hunter2-in-args"];
    const condition = { type: "PodScheduled", status: "False", message: "no run Hunter2-in-args" };
    const leader = {
      ...aPod("train-w-0-0-abcde").inNamespace("ml").exclusive("rack"),
      spec: { containers: [{ name: "c", command }] },
      status: { phase: "Pending", conditions: [{ ...condition, reason: "Unschedulable" }] },
    };
    const object = {
      ...aPod("train-w-0-1-fghij")
        .inNamespace("ml")
        .withAnnotations({ [JOBSET_NAME_KEY]: "train" })
        .exclusive("rack"),
      spec: { containers: [{ name: "c", command }] },
    } as KubernetesObject;
    const cluster = createSnapshot([leader], { kinds: "all" });
    const sent = createReview("Pod", { operation: "CREATE", object });
    const plain = review(sent, cluster, context, { stage: "validate" });
    expect(marksIn(JSON.stringify(plain))).not.toEqual([]);
    const text = await listOutput("Pod", "validate", sent, () => cluster);
    expect(text).toContain("leader");
    expect(marksIn(text)).toEqual([]);
  });

  it("a failed read does not quote a value of the object under review", async () => {
    const volumeClaimPolicies = [{ templates: [{ metadata: { name: "data" } }] }];
    const [marked] = fc.sample(markedJobSets({ misshapen: false }), { numRuns: 1, seed: 1 });
    const { spec } = marked as KubernetesObject & { spec: object };
    const object = { ...marked, spec: { ...spec, volumeClaimPolicies } };
    const sent = createReview("JobSet", { operation: "CREATE", object });
    const text = await listOutput("JobSet", "validate", sent, () => {
      throw new Error(`refused: ${JSON.stringify(object)}`);
    });
    expect(text).toContain("could not be read");
    expect(marksIn(text)).toEqual([]);
  });

  it("a denial stays a denial without its reason if the redacted request is not denied", () => {
    const status = { message: "Hunter2 is wrong", reason: "Invalid", code: 422 };
    const nothing = { roots: [], symptoms: [], unknown: [], transient: false };
    const decided = { outcome: "Denied", denial: { status, ...nothing } } as const;
    const request = { uid: "u-1", kind: kinds.Pod, operation: "CREATE", object: {} } as never;
    for (const second of [
      { outcome: "Allowed", decisions: [] },
      { outcome: "Denied", denial: { ...decided.denial, status: { ...status, code: 403 } } },
    ] as const) {
      const shown = redactDecision(decided, request, empty, () => second);
      expect(shown).toMatchObject({
        outcome: "Denied",
        denial: { status: { code: 422, reason: "Invalid" } },
      });
      expect(marksIn(JSON.stringify(shown))).toEqual([]);
    }
    const error = { type: "FieldValueInvalid", field: "request", body: "Hunter2" } as const;
    expect(redactErrors({}, [error], () => undefined)).toEqual([
      { type: "FieldValueInvalid", field: "<nil>", body: expect.stringContaining("withheld") },
    ]);
  });
});
