// Tests that values of user objects appear in no log line, Event, metric, page or denial of the program.

import { writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import fc from "fast-check";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import {
  type CapturedLog,
  captureLog,
} from "../../../packages/controller-runtime/src/testing/captured-log.ts";
import { serverCertificate } from "../../../packages/controller-runtime/src/testing/certificates.ts";
import { eventually } from "../../../packages/controller-runtime/src/testing/eventually.ts";
import { FakeApiServer } from "../../../packages/controller-runtime/src/testing/fake-api-server.ts";
import {
  type Fault,
  status,
} from "../../../packages/controller-runtime/src/testing/fake-responses.ts";
import { temporaryFolder } from "../../../packages/controller-runtime/src/testing/kubeconfig.ts";
import { sendRequest } from "../../../packages/controller-runtime/src/testing/send-request.ts";
import {
  markedJobSets,
  SECRET_MARKS,
} from "../../../packages/testing/src/testing/marked-jobsets.ts";
import { RunningProgram } from "./testing/running-program.ts";

let server: FakeApiServer;
let log: CapturedLog;

beforeEach(async () => {
  log = captureLog();
  server = await new FakeApiServer().start();
  onTestFinished(() => server.stop());
});

const marksIn = (...texts: readonly unknown[]) =>
  SECRET_MARKS.filter((mark) => texts.some((text) => JSON.stringify(text).includes(mark)));

/** Rejects a request with a message that quotes the whole request and the stored object. */
function createQuotingFault(code: number, reason: string): Fault {
  return (request: IncomingMessage, response: ServerResponse) => {
    let body = "";
    request.on("data", (piece) => {
      body += piece;
    });
    request.on("end", () => {
      const stored = server
        .objects()
        .filter(({ metadata: { name } }) => request.url?.includes(`/${name}/`));
      const said = [body, JSON.stringify(body), JSON.stringify(stored)];
      status(code, reason, `refused: ${said.join(" and ")}`)(request, response);
    });
  };
}

function listJobSets(names: readonly string[], misshapen: boolean): readonly KubernetesObject[] {
  const drawn = fc.sample(markedJobSets({ misshapen }), { numRuns: names.length, seed: 42 });
  return drawn.map((jobSet, index) => {
    const metadata = { ...jobSet.metadata, name: names[index], uid: `u-${names[index]}` };
    return { ...jobSet, metadata };
  });
}

it("no log line, Event, metric or page contains a value that an API server quotes", async () => {
  const names = ["a", "b", "c", "d", "e", "f"];
  const jobSets = listJobSets(names, true);
  server.injectFault(/^POST .*\/jobs$/, createQuotingFault(422, "Invalid"));
  server.injectFault(/^PUT .*\/jobsets\/[abc]\/status$/, createQuotingFault(500, "InternalError"));
  for (const jobSet of jobSets) server.put(jobSet);
  const running = await RunningProgram.start(server.url, { metricsPort: 0 });
  await running.ready();
  const events = () =>
    server.objects("Event").filter(({ reason }) => reason === "JobCreationFailed");
  await eventually("creations are refused and reported", () => events().length >= 3);
  await eventually("failures are logged", () => log.lines.length >= 6);
  const pages = [await running.get("metrics", "/metrics"), await running.readiness()];
  expect(JSON.stringify(events())).toContain("refused: ");
  expect(JSON.stringify(log.lines)).toContain("(redacted ");
  expect(marksIn(events(), log.lines, pages)).toEqual([]);
});

it.each([
  ["explained", true, "env[0].value: Forbidden: field is immutable"],
  ["with upstream's message", false, "(redacted "],
])(
  "a denial contains no value of the object, and uses the real values: %s",
  async (_, explainDenials, shown) => {
    const certDir = temporaryFolder();
    writeFileSync(join(certDir, "tls.crt"), serverCertificate.cert);
    writeFileSync(join(certDir, "tls.key"), serverCertificate.key);
    const webhook = { host: "127.0.0.1", port: 0, certDir, explainDenials };
    const { program } = await RunningProgram.start(server.url, { webhook });
    const [oldObject, object] = listJobSets(["train", "train"], false);
    const kind = { group: "jobset.x-k8s.io", version: "v1alpha2", kind: "JobSet" };
    const request = { uid: "u-1", operation: "UPDATE", kind, oldObject, object };
    const path = "/validate-jobset-x-k8s-io-v1alpha2-jobset";
    const options = { method: "POST", path, headers: { "content-type": "application/json" } };
    const sent = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request };
    const { text } = await sendRequest(
      program.ports.get("webhook") ?? 0,
      options,
      JSON.stringify(sent),
    );
    expect(JSON.parse(text).response).toMatchObject({ allowed: false, status: { code: 422 } });
    expect(text).toContain(shown);
    expect(marksIn(text)).toEqual([]);
  },
);
