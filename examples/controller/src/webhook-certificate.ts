import { createPrivateKey, X509Certificate } from "node:crypto";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import {
  type ApiClient,
  type ApiResponse,
  type ConditionLog,
  logLine,
  sleep,
  writeLine,
} from "@jobset-ts/controller-runtime";
import { clusterPath } from "@jobset-ts/core/requests";
import { type KeyPair, selfSignedCertificate } from "./self-signed-certificate.ts";

/** The Secret with `tls.crt` and `tls.key`. The Service of the webhooks has the same name. */
const SECRET = { namespace: "jobset-system", name: "jobset-webhooks" } as const;
const SECRET_PATH = `/api/v1/namespaces/${SECRET.namespace}/secrets/${SECRET.name}`;

/** The hostname that the API server uses for the webhooks. */
const HOST = `${SECRET.name}.${SECRET.namespace}.svc`;

const CONFIGURATION_PATHS = (["Mutating", "Validating"] as const).map((which) => {
  const apiVersion = "admissionregistration.k8s.io/v1";
  const collection = clusterPath({ apiVersion, kind: `${which}WebhookConfiguration` });
  return `${collection}/jobset-${which.toLowerCase()}-webhooks`;
});

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LIFE_MS = 365 * DAY_MS;
/** Clocks differ, so a certificate that becomes valid now would not be valid yet for some clients. */
const SKEW_MS = HOUR_MS;

/** The intervals between checks of the certificate, after success and after failure. */
export interface CertificateTimes {
  readonly everyMs: number;
  readonly retryMs: number;
}

const USUAL_TIMES: CertificateTimes = { everyMs: DAY_MS, retryMs: 60_000 };

const CERTIFICATE_NAME = "certificate of the webhooks";

type RejectedResponse = Extract<ApiResponse, { ok: false }>;

interface Secret extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
}

interface WebhookConfiguration extends KubernetesObject {
  readonly webhooks?: readonly {
    readonly name: string;
    readonly clientConfig: {
      readonly service?: { readonly name: string; readonly namespace: string };
      readonly caBundle?: string;
    };
  }[];
}

/**
 * Checks the webhook certificate at once and every day, until the signal aborts. Only one replica may run this at a
 * time.
 */
export async function maintainWebhookCertificate(
  client: ApiClient,
  troubles: ConditionLog,
  signal: AbortSignal,
  { everyMs, retryMs }: CertificateTimes = USUAL_TIMES,
): Promise<void> {
  while (!signal.aborted) {
    const renewal = await renewCertificate(client, Date.now());
    if (signal.aborted) return;
    if (renewal.ok) {
      troubles.resolve(CERTIFICATE_NAME);
      if (renewal.isNew)
        writeLine(logLine("info", "issued", { about: CERTIFICATE_NAME, validTo: renewal.validTo }));
    } else if (renewal.error.code !== 409) {
      // The webhooks keep their current certificate, and report when it expires.
      troubles.raise(CERTIFICATE_NAME, renewal.error.message, {
        fields: { response: renewal.error.responseText },
      });
    }
    await sleep(renewal.ok ? everyMs : retryMs, signal);
  }
}

/**
 * Ensures that the Secret has a certificate with more than a third of its validity left, and that both webhook
 * configurations trust it. A new certificate is trusted before it is served. The previous one is trusted for one
 * more day, until every replica has read the Secret again. Writes nothing if everything is up to date.
 */
export async function renewCertificate(
  client: ApiClient,
  now: number,
): Promise<
  { readonly ok: true; readonly isNew: boolean; readonly validTo: string } | RejectedResponse
> {
  const path = SECRET_PATH;
  const found = await client.send({ method: "GET", path });
  if (!found.ok) return found;
  const secret = found.object as Secret;
  const current = keyPairIn(secret);
  const isFresh = current !== undefined && hasLife(current, now);
  const next = isFresh
    ? current
    : selfSignedCertificate(HOST, { fromMs: now - SKEW_MS, toMs: now + LIFE_MS });
  const failure = await trust(client, next, current, now);
  if (failure !== undefined) return failure;
  if (!isFresh) {
    const files = { "tls.crt": base64(next.cert), "tls.key": base64(next.key) };
    const body = { ...secret, data: { ...secret.data, ...files } };
    const contentType = "application/json";
    const written = await client.send({ method: "PUT", path, contentType, body });
    if (!written.ok) return written;
  }
  return { ok: true, isNew: !isFresh, validTo: new X509Certificate(next.cert).validTo };
}

/**
 * Makes both webhook configurations trust a certificate. While the certificate is new, they also keep trusting the
 * previous one.
 */
async function trust(
  client: ApiClient,
  next: KeyPair,
  current: KeyPair | undefined,
  now: number,
): Promise<RejectedResponse | undefined> {
  const isYoung = now - getValidity(next.cert).fromMs < DAY_MS;
  for (const path of CONFIGURATION_PATHS) {
    const found = await client.send({ method: "GET", path });
    if (!found.ok) return found;
    const { metadata, webhooks = [] } = found.object as WebhookConfiguration;
    const changed = webhooks.flatMap(({ name, clientConfig: { service, caBundle } }) => {
      // Another program may have webhooks with the same configuration name.
      if (service?.name !== SECRET.name || service.namespace !== SECRET.namespace) return [];
      const before = [...certificatesIn(textIn(caBundle)), ...certificatesIn(current?.cert ?? "")];
      const stillTrusted = isYoung ? before.filter((cert) => isValid(cert, now)) : [];
      const trusted = new Set([...certificatesIn(next.cert), ...stillTrusted]);
      const desired = base64([...trusted].join(""));
      return desired === caBundle ? [] : [{ name, clientConfig: { caBundle: desired } }];
    });
    if (changed.length === 0) continue;
    const { resourceVersion } = metadata;
    const patched = await client.send({
      method: "PATCH",
      path,
      // This patch type merges webhooks by name and leaves their other fields unchanged.
      contentType: "application/strategic-merge-patch+json",
      body: { metadata: { resourceVersion }, webhooks: changed },
    });
    if (!patched.ok) return patched;
  }
  return undefined;
}

/** Returns the certificate and key of a Secret, if they match each other and our hostname. */
function keyPairIn({ data = {} }: Secret): KeyPair | undefined {
  const [cert, key] = [textIn(data["tls.crt"]), textIn(data["tls.key"])];
  try {
    const x509 = new X509Certificate(cert);
    const fits = x509.checkPrivateKey(createPrivateKey(key)) && x509.checkHost(HOST) !== undefined;
    return fits ? { cert, key } : undefined;
  } catch {
    return undefined;
  }
}

function hasLife({ cert }: KeyPair, now: number): boolean {
  const { fromMs, toMs } = getValidity(cert);
  return fromMs <= now && (toMs - now) * 3 > toMs - fromMs;
}

function isValid(cert: string, now: number): boolean {
  try {
    return getValidity(cert).toMs > now;
  } catch {
    return false; // The API server rejects such a bundle, so it is not ours.
  }
}

function getValidity(cert: string): { readonly fromMs: number; readonly toMs: number } {
  const { validFrom, validTo } = new X509Certificate(cert);
  return { fromMs: Date.parse(validFrom), toMs: Date.parse(validTo) };
}

function certificatesIn(pem: string): readonly string[] {
  const pattern = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
  return (pem.match(pattern) ?? []).map((block) => `${block}\n`);
}

function textIn(encoded = ""): string {
  return Buffer.from(encoded, "base64").toString("utf8");
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
