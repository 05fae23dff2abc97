import { review as reviewByLibrary } from "@jobset-ts/admission";
import type { LogLine } from "@jobset-ts/controller-runtime";
import { createContext, createSnapshot } from "@jobset-ts/core";
import { podAdmissionRequests } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  markedJobSets,
  SECRET_MARKS,
} from "../../../packages/testing/src/testing/marked-jobsets.ts";
import { admissionProxy, type ProxyOptions } from "./proxy.ts";
import {
  fakeFetch,
  jsonResponse,
  type RespondToRead,
  replayRecording,
  SERVER,
  statusResponse,
} from "./testing/fake-api-server.ts";
import { type Recording, readRecordings } from "./testing/recording.ts";

const recordings = readRecordings();

function getRecording(name: string): Recording {
  const recording = recordings.get(name);
  if (recording === undefined) throw new TypeError(`there is no recording ${name}`);
  return recording;
}

interface ObservedRead {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the test reads single members of the response
  readonly body: any;
  readonly paths: readonly string[];
  /** The log lines without their time. */
  readonly log: readonly Omit<LogLine, "time">[];
}

async function review(
  recording: Recording,
  answers: RespondToRead = replayRecording(recording),
  options: Partial<ProxyOptions> = {},
): Promise<ObservedRead> {
  const { fetch, paths } = fakeFetch(answers);
  const log: Omit<LogLine, "time">[] = [];
  const proxy = admissionProxy({
    server: SERVER,
    fetch,
    log: ({ time: _time, ...line }) => log.push(line),
    ...options,
  });
  const response = await proxy(reviewRequest(recording.request));
  return { status: response.status, body: await response.json(), paths, log };
}

function reviewRequest({ path, body }: Recording["request"]): Request {
  return new Request(`https://proxy${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

describe("recorded exchanges with a real API server", () => {
  it("the recordings cover all four webhooks", () => {
    const paths = [...recordings.values()].map(({ request }) => request.path.split("?")[0]);
    expect([...new Set(paths)].sort()).toEqual([
      "/mutate--v1-pod",
      "/mutate-jobset-x-k8s-io-v1alpha2-jobset",
      "/validate--v1-pod",
      "/validate-jobset-x-k8s-io-v1alpha2-jobset",
    ]);
  });

  it("the recordings contain nothing about the machine that recorded them", () => {
    const text = JSON.stringify([...recordings.values()]);
    expect(text).not.toMatch(
      /127\.0\.0\.1|localhost|bearer|BEGIN |\/(root|home|tmp)\/|managedFields/i,
    );
  });

  it.each([...recordings])("%s", async (_name, recording) => {
    const options = { explainDenials: false };
    const { status, body, paths, log } = await review(recording, undefined, options);
    expect({ status, body }).toEqual(recording.answer);
    expect(paths).toEqual(recording.reads.map(({ path }) => path));
    expect(log).toEqual(recording.log);
  });

  it("the response and the log name the root cause of a denial", async () => {
    const { body, log } = await review(getRecording("pod-follower-leader-pending"));
    const { status, auditAnnotations } = body.response;
    expect(status.message).toMatch(
      /^leader pod not yet scheduled.*\(root cause: no node can host leader train-workers-0-0-\w+: .*\)$/,
    );
    expect(status.details.causes).toMatchObject([{ reason: "insufficient-capacity" }]);
    expect(auditAnnotations).toEqual({
      "root-causes": "insufficient-capacity",
      findings: "insufficient-capacity,leader-unscheduled",
    });
    expect(log[0]).toMatchObject({ roots: [{ id: "insufficient-capacity" }], transient: true });
  });

  it("the response to a denied update names the changed fields", async () => {
    const recording = getRecording("jobset-update-denied");
    const { body } = await review(recording);
    const { status } = body.response;
    expect(status.message).not.toContain("[{");
    expect(status.details.causes.length).toBeGreaterThan(0);
    for (const { field } of status.details.causes) expect(status.message).toContain(`${field}: `);
  });
});

describe("the proxy when the cluster cannot be read", () => {
  const follower = getRecording("pod-follower-allowed");
  const forbidden: RespondToRead = () => statusResponse(403, "Forbidden", "pods is forbidden");
  const cause =
    "the cluster's state could not be read: GET /api/v1/namespaces/ml/pods?limit=500: 403: pods is forbidden";

  it("a failed read rejects the request with a server error, and the log names the cause", async () => {
    const { status, body, log } = await review(follower, forbidden);
    expect(status).toBe(200);
    expect(body.response).toMatchObject({
      allowed: false,
      status: { code: 500, reason: "InternalError", message: `Internal error occurred: ${cause}` },
    });
    const { uid } = body.response;
    expect(log).toEqual([
      {
        level: "error",
        message: cause,
        webhook: "validate Pod",
        outcome: "Unanswered",
        uid,
        operation: "CREATE",
        namespace: "ml",
        name: expect.stringMatching(/^train-workers-0-1-/),
        code: 500,
      },
    ]);
  });

  it("the failure policy Ignore admits a request with a warning", async () => {
    const { body, log } = await review(follower, forbidden, { failurePolicy: "Ignore" });
    expect(body.response).toMatchObject({
      allowed: true,
      warnings: [`not reviewed by JobSet's webhook: ${cause}`],
    });
    expect(log).toMatchObject([{ level: "error", message: cause, code: 200 }]);
  });

  it("a PersistentVolumeClaim that cannot be read is not treated as absent", async () => {
    const { body } = await review(getRecording("jobset-create-allowed"), forbidden);
    expect(body.response).toMatchObject({ allowed: false, status: { code: 500 } });
  });

  it("a request that hangs ends at the deadline and cancels its reads", async () => {
    const signals: AbortSignal[] = [];
    const neverRespond: RespondToRead = (_path, { signal }) => {
      if (signal) signals.push(signal);
      return new Promise(() => {});
    };
    const path = follower.request.path.replace(/timeout=\d+s/, "timeout=1s");
    const impatient = { ...follower, request: { ...follower.request, path } };
    const { body } = await review(impatient, neverRespond);
    expect(body.response.status.message).toMatch(/could not be read: it did not arrive in time$/);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it("the proxy ignores a failed read of Events", async () => {
    const pending = getRecording("pod-follower-leader-pending");
    const answers: RespondToRead = (path, init) =>
      path.includes("/events") ? forbidden(path, init) : replayRecording(pending)(path, init);
    const { body, paths, log } = await review(pending, answers, { explainDenials: false });
    expect(body).toEqual(pending.answer.body);
    expect(paths).toHaveLength(2);
    expect(log).toMatchObject([
      { level: "warning", message: expect.stringMatching(/^GET .*\/events.*: 403: /) },
      { level: "info", roots: [{ id: "insufficient-capacity" }] },
    ]);
  });
});

it("Events do not affect any decision", () => {
  const context = createContext({ now: 0 });
  const stages = fc.constantFrom("mutate" as const, "validate" as const);
  const property = fc.property(podAdmissionRequests(), stages, ({ pod, objects }, stage) => {
    const kind = { group: "", version: "v1", kind: "Pod" };
    const request = { uid: "u-1", kind, operation: "CREATE", object: pod };
    const sent = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request };
    const kinds = ["Pod", "Node"];
    const others = objects.filter(({ kind }) => kind !== "Event");
    const [withEvents, without] = [
      createSnapshot(objects, { kinds: [...kinds, "Event"] }),
      createSnapshot(others, { kinds }),
    ].map((snapshot) => reviewByLibrary(sent, snapshot, context, { stage }).response);
    expect(without).toEqual(withEvents);
  });
  fc.assert(property, { numRuns: 500 });
});

describe("the options of the proxy", () => {
  it("the proxy uses the feature gates of its options", async () => {
    const update = getRecording("jobset-update-denied");
    const body = structuredClone(update.request.body) as ObservedRead["body"];
    body.request.object = structuredClone(body.request.oldObject);
    const job = body.request.object.spec.replicatedJobs[0].template.spec;
    job.parallelism = job.completions = 3;
    const scaled = { ...update, request: { ...update.request, body } };
    const isAllowed = async (featureGates: Readonly<Record<string, boolean>>) =>
      (await review(scaled, undefined, { featureGates })).body.response.allowed;
    expect(await isAllowed({ ElasticJobSet: true })).toBe(true);
    expect(await isAllowed({ ElasticJobSet: false })).toBe(false);
  });

  it("the proxy rejects unknown feature gates", () => {
    expect(() => admissionProxy({ server: SERVER, featureGates: { Elastic: true } })).toThrow(
      'unknown feature gate "Elastic"',
    );
  });

  it("the proxy rejects an invalid server URL", () => {
    expect(() => admissionProxy({ server: "api-server" })).toThrow('"api-server" is not a URL');
  });
});

describe("a request that is not an AdmissionReview", () => {
  const respondTo = async (
    request: Request,
    answers: RespondToRead = () => jsonResponse(200, {}),
  ) => {
    const log: string[] = [];
    const { fetch, paths } = fakeFetch(answers);
    const proxy = admissionProxy({
      server: SERVER,
      fetch,
      log: ({ message }) => log.push(message),
    });
    const response = await proxy(request);
    return { status: response.status, text: await response.text(), paths, log };
  };

  it("/healthz always returns 200", async () => {
    const came = await respondTo(new Request("https://proxy/healthz"));
    expect(came).toEqual({ status: 200, text: "ok\n", paths: [], log: [] });
  });

  it("/readyz returns 200 if the API server responds", async () => {
    const came = await respondTo(new Request("https://proxy/readyz"));
    expect(came).toEqual({ status: 200, text: "ok\n", paths: ["/version"], log: [] });
  });

  it.each([
    [
      statusResponse(401, "Unauthorized", "Unauthorized"),
      `GET /version: ${SERVER} returned 401: Unauthorized\n`,
    ],
    [statusResponse(404, "NotFound", "not found"), "GET /version: there is none\n"],
  ])("/readyz reports why the proxy is not ready", async (response, text) => {
    const came = await respondTo(new Request("https://proxy/readyz"), () => response);
    expect(came).toMatchObject({ status: 503, text });
  });

  it("the proxy responds to another path or method with text, and logs it", async () => {
    const lost = await respondTo(new Request("https://proxy/metrics"));
    expect(lost).toMatchObject({ status: 404, log: ["answered 404 to GET /metrics"] });
    const got = await respondTo(new Request("https://proxy/validate--v1-pod"));
    expect(got).toMatchObject({ status: 405, log: ["answered 405 to GET /validate--v1-pod"] });
  });

  it("the proxy rejects a body that is not a review, and logs it once", async () => {
    const request = new Request("https://proxy/validate--v1-pod", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    const came = await respondTo(request);
    expect(came.status).toBe(400);
    expect(came.log).toHaveLength(1);
  });
});

it("the proxy logs the generateName of a Pod without a name", async () => {
  const pending = getRecording("pod-follower-leader-pending");
  const body = structuredClone(pending.request.body) as ObservedRead["body"];
  body.request.name = "";
  const { log } = await review({ ...pending, request: { ...pending.request, body } });
  expect(log).toMatchObject([{ namespace: "ml", name: "train-workers-0-1-" }]);
});

it("no response and no log line of the proxy contains a value that may be secret", async () => {
  const kind = { group: "jobset.x-k8s.io", version: "v1alpha2", kind: "JobSet" };
  let denied = 0;
  await fc.assert(
    fc.asyncProperty(markedJobSets(), markedJobSets(), async (oldObject, object) => {
      const volumeClaimPolicies = [{ templates: [{ metadata: { name: "data" } }] }];
      const claiming = {
        ...object,
        spec: { ...(object as object as { spec: object }).spec, volumeClaimPolicies },
      };
      const respondWithQuote: RespondToRead = () =>
        statusResponse(403, "Forbidden", JSON.stringify(claiming));
      for (const request of [
        { operation: "UPDATE", oldObject, object },
        { operation: "CREATE", object: claiming },
        { operation: "CREATE", object: JSON.stringify(object) },
      ]) {
        const path = "/validate-jobset-x-k8s-io-v1alpha2-jobset";
        const sent = { uid: "u-1", kind, namespace: "ml", ...request };
        const body = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request: sent };
        const came = await review(
          { request: { path, body } } as unknown as Recording,
          respondWithQuote,
        );
        if (!came.body.response.allowed) denied += 1;
        const text = JSON.stringify([came.body, came.log]);
        expect(
          SECRET_MARKS.filter((mark) => text.includes(mark)),
          text,
        ).toEqual([]);
      }
    }),
    { numRuns: 10 },
  );
  expect(denied).toBeGreaterThan(20);
});

it("the log line about Events that cannot be read does not quote a value of the Pod", async () => {
  const pending = getRecording("pod-follower-leader-pending");
  const body = structuredClone(pending.request.body) as ObservedRead["body"];
  body.request.object.spec.containers[0].env = [{ name: "TOKEN", value: "hunter2-in-env" }];
  const quoting = statusResponse(403, "Forbidden", 'TOKEN "hunter2-in-env" is not allowed');
  const { log } = await review(
    { ...pending, request: { ...pending.request, body } },
    (path, init) =>
      path.includes("/events") ? quoting.clone() : replayRecording(pending)(path, init),
  );
  expect(log[0]?.message).toMatch(/TOKEN "\(redacted \d+\)" is not allowed$/);
  expect(JSON.stringify(log)).not.toContain("hunter2");
});

/** Returns the response status to a request, and the lines that the proxy wrote to standard error. */
async function readLogLines(request: Request): Promise<{ status: number; lines: string[] }> {
  const lines: string[] = [];
  const write = console.error;
  console.error = (line: string) => lines.push(line);
  try {
    const { fetch } = fakeFetch(() => jsonResponse(200, {}));
    const { status } = await admissionProxy({ server: SERVER, fetch })(request);
    return { status, lines };
  } finally {
    console.error = write;
  }
}

it("the proxy writes its log as JSON to standard error", async () => {
  const { lines } = await readLogLines(reviewRequest(getRecording("jobset-update-denied").request));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { time: expect.stringMatching(/^\d{4}-.*Z$/), roots: [{ id: "replicated-jobs-immutable" }] },
  ]);
});

describe("the log line of a denial", () => {
  const denied = getRecording("jobset-update-denied").request;
  const nested = `${'{"a":['.repeat(20_000)}${"]}".repeat(20_000)}`;

  /** Returns the denied request with other JSON text for one of its fields. */
  function withMember(member: string, text: string): Request {
    const { request, ...review } = structuredClone(denied.body) as ObservedRead["body"];
    const others = JSON.stringify({ ...request, [member]: undefined }).slice(1);
    const body = `${JSON.stringify(review).slice(0, -1)},"request":{"${member}":${text},${others}}`;
    return new Request(`https://proxy${denied.path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
  }

  it.each(["name", "namespace", "uid", "operation", "dryRun", "userInfo"])(
    "the proxy logs the denial of a request whose %s is deeply nested",
    async (member) => {
      const { status, lines } = await readLogLines(withMember(member, nested));
      expect([200, 400]).toContain(status);
      expect(lines).toHaveLength(1);
      expect(Buffer.byteLength(lines[0] ?? "")).toBeLessThan(16 * 1024);
      const isMalformed = ["uid", "operation"].includes(member);
      expect(JSON.parse(lines[0] ?? "")).toMatchObject({
        level: isMalformed ? "warning" : "info",
        outcome: isMalformed ? "Malformed" : "Denied",
        webhook: "validate JobSet",
      });
    },
  );

  it("the proxy escapes terminal control characters in the name of a request", async () => {
    const name = "\u001b[2J\u009b1m\u202e\u2028";
    const { lines } = await readLogLines(withMember("name", JSON.stringify(name)));
    expect(lines[0]).toMatch(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+$/u);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ name });
  });
});
