import process from "node:process";
import { aJobSet } from "@jobset-ts/testing";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { ApiClient } from "./api-client.ts";
import { ConditionLog } from "./condition-log.ts";
import { EventRecorder } from "./event-recorder.ts";
import { type CapturedLog, captureLog } from "./testing/captured-log.ts";
import { eventually } from "./testing/eventually.ts";
import { FakeApiServer } from "./testing/fake-api-server.ts";
import { html, neverRespond, status } from "./testing/fake-responses.ts";
import { connectionIn, temporaryFolder, writeKubeConfig } from "./testing/kubeconfig.ts";

const train = aJobSet("train");
const failed = { type: "Warning", reason: "JobCreationFailed", message: "no" } as const;
const started = { type: "Normal", reason: "Started", message: "yes" } as const;
const posts = /^POST .*\/events$/;

let server: FakeApiServer;
let log: CapturedLog;
let client: ApiClient;
let troubles: ConditionLog;
let recorder: EventRecorder;

beforeEach(async () => {
  log = captureLog();
  server = await new FakeApiServer().start();
  client = new ApiClient(connectionIn(writeKubeConfig(`${temporaryFolder()}/c`, server.url)));
  troubles = new ConditionLog();
  recorder = new EventRecorder(client, "jobset-0", troubles, 0.1);
  onTestFinished(async () => {
    // Requests may have reached the server while their responses have not arrived.
    troubles.silence();
    const stopped = recorder.stop();
    client.close();
    await stopped;
    await server.stop();
  });
});

/** Returns the Events on the server as `<reason> <count>`. */
function listReportedEvents(): readonly string[] {
  return server.objects("Event").map(({ reason, series }) => `${reason} ${series?.count ?? 1}`);
}

function reports(expected: readonly string[]): Promise<void> {
  const text = JSON.stringify(expected);
  return eventually(`there are ${text}`, () => JSON.stringify(listReportedEvents()) === text);
}

describe("Event counts", () => {
  it("EventRecorder creates an Event and counts it when it recurs", async () => {
    recorder.emit(train, failed);
    await reports(["JobCreationFailed 1"]);
    recorder.emit(train, { ...failed, message: "no, again" });
    recorder.emit(train, started);
    await reports(["JobCreationFailed 2", "Started 1"]);
    expect(server.objects("Event")[0]).toMatchObject({
      apiVersion: "events.k8s.io/v1",
      metadata: { namespace: "default", name: expect.stringMatching(/^train\.[0-9a-f]+$/) },
      reportingInstance: "jobset-0",
      regarding: { kind: "JobSet", name: "train" },
      note: "no",
      series: { count: 2, lastObservedTime: expect.stringMatching(/Z$/) },
    });
  });

  it("EventRecorder delays the count of a frequent Event, and creates a new Event after a pause", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    for (let times = 0; times < 100; times += 1) recorder.emit(train, failed);
    await reports(["JobCreationFailed 2"]);
    await eventually("nothing but what is due is awaited", () => vi.getTimerCount() === 1);
    vi.advanceTimersByTime(6 * 60_000);
    await reports(["JobCreationFailed 100"]);
    expect(server.requests.map((line) => line.split(" ")[0])).toEqual(["POST", "PATCH", "PATCH"]);
    recorder.emit(train, failed);
    await reports(["JobCreationFailed 100", "JobCreationFailed 1"]);
  });
});

describe("failed requests", () => {
  it("EventRecorder retries a failed request and includes later occurrences", async () => {
    server.injectFault(posts, html(502), 3);
    recorder.emit(train, failed);
    recorder.emit(train, failed);
    await reports(["JobCreationFailed 2"]);
    expect(server.requests.filter((line) => line.startsWith("POST"))).toHaveLength(4);
    expect(log.messages).toEqual([]);
  });

  it("EventRecorder gives up after twelve requests and logs one line per cause", async () => {
    const failures = server.injectFault(posts, status(500, "InternalError", "no room"));
    for (const name of ["a", "b"]) recorder.emit(aJobSet(name), failed);
    await eventually("it is given up", () => failures() === 24);
    await recorder.stop();
    server.clearFaults();
    new EventRecorder(client, "jobset-0", troubles).emit(train, failed);
    await reports(["JobCreationFailed 1"]);
    await eventually("it has recovered", () => log.messages.length === 2);
    expect(log.messages).toEqual(["error Events: no room", "info Events: recovered"]);
    expect(log.lines[0]).toMatchObject({ reason: "JobCreationFailed", regarding: "JobSet a" });
  });

  it("a rejected Event is not sent again, and its rejection is logged once although each Event has its own name", async () => {
    const rejections = server.injectFault(/./, async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { metadata } = JSON.parse(Buffer.concat(chunks).toString());
      const message = `Event "${metadata.name}" is invalid`;
      await status(422, "Invalid", message)(request, response);
    });
    for (const name of ["a", "b"]) recorder.emit(aJobSet(name), failed);
    await eventually("both are refused", () => rejections() === 2 && log.messages.length > 0);
    await recorder.stop();
    expect(log.messages).toEqual([
      expect.stringMatching(/^error Events: Event "a\.[0-9a-f]+" is invalid$/),
    ]);
  });

  it.each([401, 403])(
    "EventRecorder retries after status %d, because a starting server has not loaded its roles",
    async (code) => {
      server.injectFault(posts, status(code, "Forbidden", "no RBAC policy matched"), 5);
      recorder.emit(train, failed);
      await reports(["JobCreationFailed 1"]);
      expect(log.messages).toEqual([]);
    },
  );

  it("EventRecorder gives up after six requests if permission is missing", async () => {
    const refusals = server.injectFault(posts, status(403, "Forbidden", "no RBAC policy matched"));
    recorder.emit(train, failed);
    await eventually("it is logged", () => log.messages.length === 1);
    expect(log.messages).toEqual(["error Events: no RBAC policy matched"]);
    expect(refusals()).toBe(6);
  });

  it("an Event that has expired is created again, with its count", async () => {
    recorder.emit(train, failed);
    await reports(["JobCreationFailed 1"]);
    for (const event of server.objects("Event")) server.remove(event);
    recorder.emit(train, failed);
    await reports(["JobCreationFailed 2"]);
    expect(log.messages).toEqual([]);
  });

  it("EventRecorder treats an existing Event as a success", async () => {
    server.injectFault(posts, status(409, "AlreadyExists", "it exists"), 1);
    recorder.emit(train, failed);
    await recorder.stop();
    expect(server.requests).toHaveLength(1);
    expect(log.messages).toEqual([]);
  });
});

describe("stop", () => {
  it("stop waits for open requests but not for retries", async () => {
    const patient = new EventRecorder(client, "jobset-0", new ConditionLog(), 60_000);
    const failures = server.injectFault(posts, html(502));
    patient.emit(train, failed);
    await eventually("it has failed", () => failures() === 1);
    await patient.stop();
    expect(failures()).toBeLessThan(3);
  });

  it("stop ends many pending retries without a listener leak warning", async () => {
    const warned = vi.fn();
    process.on("warning", warned);
    onTestFinished(() => void process.off("warning", warned));
    const patient = new EventRecorder(client, "jobset-0", new ConditionLog(), 60_000);
    const failures = server.injectFault(posts, html(502));
    for (let nth = 0; nth < 20; nth += 1) patient.emit(aJobSet(`train-${nth}`), failed);
    await eventually("all have failed", () => failures() === 20);
    await patient.stop();
    expect(warned).not.toHaveBeenCalled();
  });

  it("closing the client ends pending requests", async () => {
    server.injectFault(posts, neverRespond);
    recorder.emit(train, failed);
    const stopped = recorder.stop();
    await eventually("it has come", () => server.requests.length === 1);
    client.close();
    await stopped;
  });
});
