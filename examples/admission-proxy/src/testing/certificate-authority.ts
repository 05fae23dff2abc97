import {
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from "node:crypto";
import type { Certificate } from "../certificate.ts";

/** The hostnames in the certificates, in addition to 127.0.0.1. */
const hosts = ["localhost", "kubernetes.default.svc"];

/** A certificate authority for one test, encoded in DER. Node can read X.509 certificates but not create them. */
export class CertificateAuthority {
  /** The CA certificate as PEM text. */
  readonly cert: string;
  readonly #key: KeyObject;
  readonly #name = distinguishedName("a test's authority");

  constructor() {
    this.#key = newKey();
    const isAuthority = extension("551d13", true, sequence(encodeTagged(0x01, bytes("ff"))));
    this.cert = this.#sign(this.#name, this.#key, [isAuthority]);
  }

  /** Creates a key and a certificate for it that is valid for a day. */
  issue(): Certificate {
    const key = newKey();
    const dnsNames = hosts.map((host) => encodeTagged(0x82, Buffer.from(host)));
    const loopback = encodeTagged(0x87, bytes("7f000001"));
    const names = extension("551d11", false, sequence(...dnsNames, loopback));
    const forServers = extension(
      "551d25",
      false,
      sequence(encodeTagged(0x06, bytes("2b06010505070301"))),
    );
    const cert = this.#sign(distinguishedName("a test"), key, [names, forServers]);
    return { cert, key: key.export({ type: "pkcs8", format: "pem" }).toString() };
  }

  #sign(subject: Buffer, key: KeyObject, extensions: readonly Buffer[]): string {
    const algorithm = sequence(encodeTagged(0x06, bytes("2a8648ce3d040302"))); // The OID of ecdsa-with-SHA256.
    const hour = 3_600_000;
    const validity = sequence(
      parseTimeOfDay(Date.now() - hour),
      parseTimeOfDay(Date.now() + 24 * hour),
    );
    const unsigned = sequence(
      encodeTagged(0xa0, encodeTagged(0x02, bytes("02"))), // Version 3.
      encodeTagged(0x02, Buffer.concat([bytes("01"), randomBytes(8)])),
      algorithm,
      this.#name,
      validity,
      subject,
      createPublicKey(key).export({ type: "spki", format: "der" }),
      encodeTagged(0xa3, sequence(...extensions)),
    );
    const signature = bitString(sign("sha256", unsigned, this.#key));
    return pem(sequence(unsigned, algorithm, signature));
  }
}

function newKey(): KeyObject {
  return generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
}

function distinguishedName(commonName: string): Buffer {
  const value = encodeTagged(0x0c, Buffer.from(commonName));
  return sequence(encodeTagged(0x31, sequence(encodeTagged(0x06, bytes("550403")), value)));
}

function parseTimeOfDay(instant: number): Buffer {
  const text = new Date(instant).toISOString().replace(/[-:T]|\.\d+/g, "");
  return encodeTagged(0x18, Buffer.from(text));
}

function extension(id: string, isCritical: boolean, value: Buffer): Buffer {
  const critical = isCritical ? [encodeTagged(0x01, bytes("ff"))] : [];
  return sequence(encodeTagged(0x06, bytes(id)), ...critical, encodeTagged(0x04, value));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return encodeTagged(0x30, Buffer.concat(parts));
}

function bitString(content: Buffer): Buffer {
  return encodeTagged(0x03, Buffer.concat([bytes("00"), content]));
}

/** Encodes a DER value of at most 64 KiB: tag, length and content. */
function encodeTagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function bytes(hex: string): Buffer {
  return Buffer.from(hex, "hex");
}

function pem(der: Buffer): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}
