import { X509Certificate } from "node:crypto";
import * as https from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { connect } from "node:tls";
import { type ApiClient, ConditionLog } from "@jobset-ts/controller-runtime";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { captureLog } from "../../../packages/controller-runtime/src/testing/captured-log.ts";
import { eventually } from "../../../packages/controller-runtime/src/testing/eventually.ts";
import {
  FakeApiServer,
  type StoredObject,
} from "../../../packages/controller-runtime/src/testing/fake-api-server.ts";
import { status } from "../../../packages/controller-runtime/src/testing/fake-responses.ts";
import {
  temporaryFolder,
  writeKubeConfig,
} from "../../../packages/controller-runtime/src/testing/kubeconfig.ts";
import { readPrerequisites } from "./install/manifests.ts";
import { clientFor } from "./kube-config.ts";
import { selfSignedCertificate } from "./self-signed-certificate.ts";
import { RunningProgram } from "./testing/running-program.ts";
import { maintainWebhookCertificate, renewCertificate } from "./webhook-certificate.ts";

const host = "jobset-webhooks.jobset-system.svc";
const day = 86_400_000;
const now = Date.parse("2026-03-01T00:00:00Z");

let server: FakeApiServer;
let client: ApiClient;

beforeEach(async () => {
  server = await new FakeApiServer().start();
  onTestFinished(() => server.stop());
  const kinds = ["mutatingwebhookconfigurations", "validatingwebhookconfigurations"];
  for (const kind of kinds) server.served.add(`/apis/admissionregistration.k8s.io/v1/${kind}`);
  server.served.add("/api/v1/secrets");
  const isNeeded = ({ kind = "" }) => kind === "Secret" || kind.endsWith("WebhookConfiguration");
  for (const object of readPrerequisites().filter(isNeeded)) server.put(object);
  const file = writeKubeConfig(join(temporaryFolder(), "config"), server.url);
  client = clientFor(file);
  onTestFinished(() => client.close());
});

/** Returns the certificate in the Secret. */
function getServedCertificate(): string {
  return decodeBase64(server.objects("Secret")[0]?.data?.["tls.crt"]);
}

/** Returns the CA bundle of each webhook. */
function trusted(): readonly string[] {
  return [
    ...server.objects("MutatingWebhookConfiguration"),
    ...server.objects("ValidatingWebhookConfiguration"),
  ].flatMap(({ webhooks }) =>
    webhooks.map(({ clientConfig }: StoredObject) => decodeBase64(clientConfig.caBundle)),
  );
}

function expectEveryWebhookTrusts(...certs: readonly string[]): void {
  expect(trusted()).toEqual(Array.from({ length: 4 }, () => certs.join("")));
}

function decodeBase64(text = ""): string {
  return Buffer.from(text, "base64").toString();
}

const listWrites = () => server.requests.filter((line) => /^(PUT|PATCH)/.test(line));

describe("the self-signed certificate", () => {
  it("a client that trusts the self-signed certificate accepts it under its name", async () => {
    const { cert, key } = selfSignedCertificate(host, {
      fromMs: Date.now() - day,
      toMs: Date.now() + day,
    });
    const listening = https.createServer({ cert, key }).listen(0, "127.0.0.1");
    onTestFinished(() => void listening.close());
    await new Promise((resolve) => listening.once("listening", resolve));
    const { port } = listening.address() as AddressInfo;
    const isAuthorized = (options: object) =>
      new Promise((resolve) => {
        const socket = connect({ host: "127.0.0.1", port, ...options }, () => {
          resolve(socket.authorized);
          socket.end();
        });
        socket.on("error", ({ message }) => resolve(message));
      });
    expect(await isAuthorized({ ca: cert, servername: host })).toBe(true);
    expect(await isAuthorized({ ca: cert, servername: "other.svc" })).toMatch(/does not match/);
    const another = selfSignedCertificate(host, { fromMs: 0, toMs: Date.now() + day });
    expect(await isAuthorized({ ca: another.cert, servername: host })).toMatch(/self-signed/);
  });

  it("the certificate states its validity, also for years after 2050", () => {
    const [fromMs, toMs] = [Date.parse("2049-12-31T23:59:59Z"), Date.parse("2050-01-01T00:00:00Z")];
    const { validFrom, validTo } = new X509Certificate(
      selfSignedCertificate(host, { fromMs, toMs }).cert,
    );
    expect([validFrom, validTo].map(Date.parse)).toEqual([fromMs, toMs]);
  });
});

describe("the webhook certificate", () => {
  it("a missing webhook certificate is issued for a year and trusted by every webhook", async () => {
    expect(await renewCertificate(client, now)).toMatchObject({ ok: true, isNew: true });
    const { subjectAltName, validTo } = new X509Certificate(getServedCertificate());
    expect(subjectAltName).toBe(`DNS:${host}`);
    expect(Date.parse(validTo)).toBe(now + 365 * day);
    expectEveryWebhookTrusts(getServedCertificate());
  });

  it("the webhook certificate is not changed for two thirds of its validity", async () => {
    await renewCertificate(client, now);
    const written = listWrites().length;
    for (const at of [0, 1, 100, 243]) {
      const renewal = await renewCertificate(client, now + at * day);
      expect(renewal).toMatchObject({ ok: true, isNew: false });
    }
    expect(listWrites()).toHaveLength(written);
  });

  it("a renewed certificate is trusted before it is served, and the old one for one more day", async () => {
    await renewCertificate(client, now);
    const old = getServedCertificate();
    const { length } = listWrites();
    const later = now + 244 * day;
    expect(await renewCertificate(client, later)).toMatchObject({ ok: true, isNew: true });
    expect(
      listWrites()
        .slice(length)
        .map((line) => line.split(" ")[0]),
    ).toEqual(["PATCH", "PATCH", "PUT"]);
    const renewed = getServedCertificate();
    expect(renewed).not.toBe(old);
    expectEveryWebhookTrusts(renewed, old);
    await renewCertificate(client, later + day / 2);
    expectEveryWebhookTrusts(renewed, old);
    await renewCertificate(client, later + day);
    expectEveryWebhookTrusts(renewed);
  });

  it("a certificate for another name is issued again", async () => {
    const other = selfSignedCertificate("other.svc", { fromMs: now - day, toMs: now + 365 * day });
    const data = { "tls.crt": btoa(other.cert), "tls.key": btoa(other.key) };
    server.put({ ...server.objects("Secret")[0], data } as StoredObject);
    expect(await renewCertificate(client, now)).toMatchObject({ isNew: true });
    expectEveryWebhookTrusts(getServedCertificate());
  });

  it("a webhook without the CA bundle gets it again", async () => {
    await renewCertificate(client, now);
    const [configuration] = server.objects("ValidatingWebhookConfiguration");
    for (const { clientConfig } of configuration?.webhooks ?? []) delete clientConfig.caBundle;
    await renewCertificate(client, now + 30 * day);
    expectEveryWebhookTrusts(getServedCertificate());
  });

  it("webhooks of another Service keep their certificate", async () => {
    const [configuration] = server.objects("MutatingWebhookConfiguration");
    for (const { clientConfig } of configuration?.webhooks ?? [])
      clientConfig.service.name = "jobset-admission-proxy";
    await renewCertificate(client, now);
    expect(trusted().map((text) => text !== "")).toEqual([false, false, true, true]);
  });

  it("a certificate that the webhooks do not trust is not served", async () => {
    server.injectFault(/^PATCH .*validating/, status(403, "Forbidden", "it may not"));
    const renewal = await renewCertificate(client, now);
    expect(renewal).toMatchObject({ ok: false, error: { message: "it may not" } });
    expect(getServedCertificate()).toBe("");
  });

  it("a failed check of the certificate is logged once and repeated soon, a successful one daily", async () => {
    const log = captureLog();
    const stopping = new AbortController();
    server.injectFault(/^GET .*secrets/, status(403, "Forbidden", "it may not"), 3);
    const times = { everyMs: 10, retryMs: 5 };
    const maintenance = maintainWebhookCertificate(
      client,
      new ConditionLog(),
      stopping.signal,
      times,
    );
    const countReads = () => server.requests.filter((line) => /^GET .*secrets/.test(line)).length;
    await eventually("it looks again and again", () => countReads() > 5);
    stopping.abort();
    await maintenance;
    expect(log.messages).toEqual([
      "error certificate of the webhooks: it may not",
      "info certificate of the webhooks: recovered",
      "info certificate of the webhooks: issued",
    ]);
  });

  it("the certificate is checked once a day", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const log = captureLog();
    const stopping = new AbortController();
    const maintenance = maintainWebhookCertificate(client, new ConditionLog(), stopping.signal);
    await vi.waitUntil(() => log.messages.length > 0);
    const { length } = server.requests;
    vi.advanceTimersByTime(day / 2);
    expect(server.requests).toHaveLength(length);
    vi.advanceTimersByTime(day / 2);
    await vi.waitUntil(() => server.requests.length > length);
    stopping.abort();
    await maintenance;
  });

  it("the program that holds the Lease issues the certificate before it is ready", async () => {
    captureLog();
    const certDir = temporaryFolder();
    const leaderElection = { namespace: "ns", identity: "me" };
    const webhook = { host: "127.0.0.1", port: 0, certDir };
    const options = { webhook, leaderElection, managesCertificate: true } as const;
    const running = await RunningProgram.start(server.url, options);
    await eventually("a certificate is there", () => getServedCertificate() !== "");
    expect(await running.readiness()).toMatchObject({ code: 503 });
  });
});
