// Tests the built module against recordings: decisions of upstream's webhooks about JobSets, and reviews of Pods with
// their reads.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { review } from "@jobset-ts/admission";
import { createRedactor } from "@jobset-ts/api/redaction";
import { createContext, createSnapshot, NO_QUIRKS, UPSTREAM_QUIRKS } from "@jobset-ts/core";
import { applyPatch, type Operation } from "rfc6902";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { withoutAddedZeros } from "../../../packages/conformance/src/added-zeros.ts";
import { type Recording, readRecordings } from "../../admission-proxy/src/testing/recording.ts";
import { RunningModule } from "./module.ts";

const running = new RunningModule();
beforeAll(() => running.start());
afterAll(() => running.stop());
beforeEach(() => {
  running.api.reads = new Map();
  running.api.asked.length = 0;
});

const vectors = join(import.meta.dirname, "..", "..", "..", "packages", "conformance", "vectors");
const kind = { group: "jobset.x-k8s.io", version: "v1alpha2", kind: "JobSet" };
const ANNOTATION = "jobset.pepr.dev/jobset-webhooks";

interface RecordedReview {
  readonly id: string;
  readonly input: {
    readonly jobset?: JobSet;
    readonly old?: JobSet;
    readonly new?: JobSet;
    readonly features?: object;
  };
  readonly output: {
    readonly jobset?: JobSet;
    readonly response?: {
      readonly allowed: boolean;
      readonly code: number;
      readonly message?: string;
    };
  };
}

interface JobSet {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
}

/** Returns the first cases of a family that need only default settings and no upstream quirk. */
function readRecordedCases(
  family: string,
  count: number,
  isSelected: (one: RecordedReview) => boolean = () => true,
) {
  const text = gunzipSync(readFileSync(join(vectors, `${family}.jsonl.gz`))).toString();
  return text
    .split("\n", 400)
    .map((line) => JSON.parse(line) as RecordedReview)
    .filter(
      (one) =>
        Object.keys(one.input).every((member) => ["jobset", "old", "new"].includes(member)) &&
        isSelected(one) &&
        // Only upstream's decoder returns these messages of Go.
        one.output.response?.message?.startsWith("json: ") !== true &&
        !dependsOnQuirks(createRequest(one)),
    )
    .slice(0, count);
}

function dependsOnQuirks(request: object): boolean {
  const sent = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request };
  const [ours, theirs] = [NO_QUIRKS, UPSTREAM_QUIRKS].map((quirks) => {
    const snapshot = createSnapshot([], { kinds: "all" });
    return review(sent, snapshot, createContext({ now: 0, quirks }), { stage: "validate" });
  });
  return JSON.stringify(ours) !== JSON.stringify(theirs);
}

function createRequest({ id, input }: RecordedReview) {
  const [object, oldObject] = input.old === undefined ? [input.jobset] : [input.new, input.old];
  const operation = input.old === undefined ? "CREATE" : "UPDATE";
  return {
    uid: id,
    kind,
    resource: { ...kind, resource: "jobsets" },
    operation,
    object,
    oldObject,
  };
}

const isAllowed = ({ output }: RecordedReview) => output.response?.allowed === true;

/** Returns the denial for redacted ReplicatedJobs. */
function redactText(words: string): string {
  const { redactObject } = createRedactor();
  return words.replace(/\[\{.*\}\](?=: )/, (json) =>
    JSON.stringify(redactObject(JSON.parse(json))),
  );
}

/** The numbering of redacted values is not specified. */
const withoutNumbers = (words: string) => words.replace(/\(redacted \d+\)/g, "(redacted)");

describe("JobSets in the Pepr module", () => {
  it.each(readRecordedCases("jobset.default", 10))(
    "the module defaults $id as upstream does",
    async (one) => {
      const { uid, allowed, patch = "" } = await running.review("mutate", createRequest(one));
      const mutated = structuredClone(one.input.jobset) as JobSet;
      applyPatch(mutated, operationsIn(patch));
      expect([uid, allowed]).toEqual([one.id, true]);
      // The recordings omit zero values that Go's encoder adds.
      const found = withoutAddedZeros(withoutAnnotation(mutated), one.input.jobset);
      expect(found).toEqual(withoutAddedZeros(one.output.jobset, one.input.jobset));
    },
  );

  it.each([
    ...readRecordedCases("jobset.validateCreate", 5, isAllowed),
    ...readRecordedCases("jobset.validateUpdate", 5, isAllowed),
  ])("the module admits $id", async (one) => {
    expect(await running.review("validate", createRequest(one))).toMatchObject({ allowed: true });
  });

  it.each([
    ...readRecordedCases("jobset.validateCreate", 5, (one) => !isAllowed(one)),
    ...readRecordedCases("jobset.validateUpdate", 5, (one) => !isAllowed(one)),
  ])("the module denies $id with upstream's redacted message", async (one) => {
    const { allowed, status } = await running.review("validate", createRequest(one));
    expect(allowed).toBe(false);
    expect(status?.code).toBe(422);
    const words = redactText(one.output.response?.message ?? "");
    expect(withoutNumbers(status?.message ?? "")).toBe(withoutNumbers(words));
  });
});

describe("the Pepr module with the recorded reads of the API server", () => {
  const reviews = [...readRecordings()].map(([name, recording]) => ({ name, recording }));
  const getStage = ({ request }: Recording) =>
    request.path.startsWith("/mutate") ? "mutate" : "validate";

  it.each(reviews)("$name", async ({ recording }) => {
    // Pepr's client lists without pagination.
    running.api.reads = new Map(
      recording.reads.map(({ path, status, body }) => [
        path.replace(/[?&]limit=500/, ""),
        { status, body },
      ]),
    );
    const { request } = recording.request.body as { readonly request: { readonly object: object } };
    const expected = (recording.answer.body as { readonly response: PeprResponse }).response;
    const found = await running.review(getStage(recording), request);
    expect(found.allowed).toBe(expected.allowed);
    expect(running.api.asked).toEqual([...running.api.reads.keys()].map((path) => `GET ${path}`));
    if (expected.allowed) {
      const [one, other] = [found, expected].map(({ patch = "" }) => {
        const object = structuredClone(request.object) as JobSet;
        applyPatch(object, operationsIn(patch));
        return withoutAnnotation(object);
      });
      expect(one).toEqual(other);
    } else {
      // Pepr always returns 422, and it has no fields for a reason and for causes.
      expect(found.status).toEqual({ code: 422, message: expected.status?.message });
    }
  });

  interface PeprResponse {
    readonly allowed: boolean;
    readonly patch?: string;
    readonly status?: { readonly message?: string };
  }
});

describe("limits of Pepr", () => {
  const follower = readRecordings().get("pod-follower-mutate") as Recording;
  const { request } = follower.request.body as { readonly request: object };

  it("a failed read denies the request, and the reason is a warning", async () => {
    const [path = ""] = follower.reads.map((read) => read.path.replace(/[?&]limit=500/, ""));
    running.api.reads = new Map([[path, { status: 403, body: { kind: "Status" } }]]);
    const mutated = await running.review("mutate", request);
    expect(mutated.allowed).toBe(false);
    expect(mutated.result).toBe("Pepr module configured to reject on error");
    expect(mutated.warnings).toEqual([`Action failed: GET ${path}: 403 Forbidden`]);
    const validated = await running.review("validate", request);
    expect(validated).toMatchObject({ allowed: false, status: { code: 422 } });
  });

  it("Pepr adds an annotation to every mutated object", async () => {
    const [one] = readRecordedCases("jobset.default", 1);
    const { patch = "" } = await running.review("mutate", createRequest(one as RecordedReview));
    expect(JSON.stringify(operationsIn(patch))).toContain("jobset.pepr.dev");
  });

  it("other operations are admitted without a call of the capability", async () => {
    const response = await running.review("validate", {
      ...request,
      operation: "DELETE",
      oldObject: {},
    });
    const message = "no in-scope validations -- allowed!";
    expect(response).toMatchObject({ allowed: true, status: { code: 200, message } });
  });
});

function operationsIn(patch: string): Operation[] {
  return patch === "" ? [] : JSON.parse(Buffer.from(patch, "base64").toString());
}

/** Removes the annotation that Pepr adds to every mutated object. */
function withoutAnnotation(object: JobSet): object {
  const { [ANNOTATION]: _, ...rest } = object.metadata.annotations ?? {};
  const { annotations: __, ...metadata } = object.metadata;
  const isEmpty = Object.keys(rest).length === 0;
  return { ...object, metadata: isEmpty ? metadata : { ...metadata, annotations: rest } };
}
