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

/** The Secret with `tls.crt` and `tls.key`; the Service of the webhooks has its name. */
const SECRET = { namespace: "jobset-system", name: "jobset-webhooks" } as const;
const SECRET_PATH = `/api/v1/namespaces/${SECRET.namespace}/secrets/${SECRET.name}`;

/** The name by which the API server asks the webhooks. */
const HOST = `${SECRET.name}.${SECRET.namespace}.svc`;

const CONFIGURATION_PATHS = (["Mutating", "Validating"] as const).map((which) => {
  const apiVersion = "admissionregistration.k8s.io/v1";
  const collection = clusterPath({ apiVersion, kind: `${which}WebhookConfiguration` });
  return `${collection}/jobset-${which.toLowerCase()}-webhooks`;
});

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LIFE_MS = 365 * DAY_MS;
/** Clocks differ; a certificate that is valid from now on is not valid yet for some. */
const SKEW_MS = HOUR_MS;

/** How often the certificate is checked, and how soon again after a failure. */
export interface CertificateTimes {
  readonly everyMs: number;
  readonly retryMs: number;
}

const USUAL_TIMES: CertificateTimes = { everyMs: DAY_MS, retryMs: 60_000 };

const WHAT = "certificate of the webhooks";

type Refused = Extract<ApiResponse, { ok: false }>;

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
 * Looks at the certificate of the webhooks until the signal is given: at once, and each day. To be done by one replica
 * at a time.
 */
export async function keepWebhookCertificate(
  client: ApiClient,
  troubles: ConditionLog,
  signal: AbortSignal,
  { everyMs, retryMs }: CertificateTimes = USUAL_TIMES,
): Promise<void> {
  while (!signal.aborted) {
    const looked = await lookAfterCertificate(client, Date.now());
    if (signal.aborted) return;
    if (looked.ok) {
      troubles.resolve(WHAT);
      if (looked.isNew)
        writeLine(logLine("info", "issued", { about: WHAT, validTo: looked.validTo }));
    } else if (looked.error.code !== 409) {
      // The webhooks still have the one that they have; when it expires, they say so.
      troubles.raise(WHAT, looked.error.message, { fields: { answer: looked.error.answer } });
    }
    await sleep(looked.ok ? everyMs : retryMs, signal);
  }
}

/**
 * Sees to it that the Secret has a certificate with more than a third of its life left, and that both webhook
 * configurations trust it. A new one is trusted before it is served, and the one before it for a day more, until every
 * replica has read the Secret again. Nothing is written when all is well.
 */
export async function lookAfterCertificate(
  client: ApiClient,
  now: number,
): Promise<{ readonly ok: true; readonly isNew: boolean; readonly validTo: string } | Refused> {
  const path = SECRET_PATH;
  const found = await client.send({ method: "GET", path });
  if (!found.ok) return found;
  const secret = found.object as Secret;
  const current = keyPairIn(secret);
  const isFresh = current !== undefined && hasLife(current, now);
  const next = isFresh
    ? current
    : selfSignedCertificate(HOST, { fromMs: now - SKEW_MS, toMs: now + LIFE_MS });
  const refused = await trust(client, next, current, now);
  if (refused !== undefined) return refused;
  if (!isFresh) {
    const files = { "tls.crt": base64(next.cert), "tls.key": base64(next.key) };
    const body = { ...secret, data: { ...secret.data, ...files } };
    const contentType = "application/json";
    const written = await client.send({ method: "PUT", path, contentType, body });
    if (!written.ok) return written;
  }
  return { ok: true, isNew: !isFresh, validTo: new X509Certificate(next.cert).validTo };
}

/** Lets both webhook configurations trust a certificate, and for as long as it is young also what they trusted before. */
async function trust(
  client: ApiClient,
  next: KeyPair,
  current: KeyPair | undefined,
  now: number,
): Promise<Refused | undefined> {
  const isYoung = now - getValidity(next.cert).fromMs < DAY_MS;
  for (const path of CONFIGURATION_PATHS) {
    const found = await client.send({ method: "GET", path });
    if (!found.ok) return found;
    const { metadata, webhooks = [] } = found.object as WebhookConfiguration;
    const changed = webhooks.flatMap(({ name, clientConfig: { service, caBundle } }) => {
      // Another program's webhooks may stand under the same name.
      if (service?.name !== SECRET.name || service.namespace !== SECRET.namespace) return [];
      const before = [...certificatesIn(textIn(caBundle)), ...certificatesIn(current?.cert ?? "")];
      const stillTrusted = isYoung ? before.filter((cert) => isValid(cert, now)) : [];
      const trusted = new Set([...certificatesIn(next.cert), ...stillTrusted]);
      const wanted = base64([...trusted].join(""));
      return wanted === caBundle ? [] : [{ name, clientConfig: { caBundle: wanted } }];
    });
    if (changed.length === 0) continue;
    const { resourceVersion } = metadata;
    const patched = await client.send({
      method: "PATCH",
      path,
      // It knows webhooks by their names, and leaves of each the rest as it is.
      contentType: "application/strategic-merge-patch+json",
      body: { metadata: { resourceVersion }, webhooks: changed },
    });
    if (!patched.ok) return patched;
  }
  return undefined;
}

/** What a Secret has, if it is a certificate for our name with its key. */
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
    return false; // an API server refuses such a bundle, so that it can be none of ours
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
