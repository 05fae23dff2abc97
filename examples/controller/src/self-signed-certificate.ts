import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** A certificate with its private key, as PEM text. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/**
 * Issues a self-signed certificate for a server. A client that trusts this certificate trusts only this server. A
 * certificate authority would add a key that must be kept secret.
 *
 * @param name - the DNS name of the server
 * @see RFC 5280, section 4.1, for the format; RFC 5758 for ECDSA with SHA-256
 */
export function selfSignedCertificate(
  name: string,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const serial = randomBytes(16);
  // A positive number that uses all its bytes.
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40;
  const subject = sequence(set(sequence(COMMON_NAME, encodeDer(UTF8_STRING, Buffer.from(name)))));
  const extensions = sequence(
    sequence(KEY_USAGE, TRUE, octets(encodeDer(BIT_STRING, Buffer.from([7, 0x80])))), // The bit of digitalSignature.
    sequence(EXTENDED_KEY_USAGE, octets(sequence(SERVER_AUTH))),
    sequence(SUBJECT_ALT_NAME, octets(sequence(encodeDer(DNS_NAME, Buffer.from(name))))),
  );
  const toBeSigned = sequence(
    encodeDer(VERSION, encodeDer(INTEGER, Buffer.from([2]))), // X.509 version 3.
    encodeDer(INTEGER, serial),
    ECDSA_WITH_SHA256,
    subject,
    sequence(time(fromMs), time(toMs)),
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    encodeDer(EXTENSIONS, extensions),
  );
  const signature = sign("sha256", toBeSigned, privateKey);
  const certificate = sequence(
    toBeSigned,
    ECDSA_WITH_SHA256,
    encodeDer(BIT_STRING, Buffer.from([0]), signature),
  );
  return {
    cert: pem("CERTIFICATE", certificate),
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

// DER tags.
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_IDENTIFIER = 0x06;
const UTF8_STRING = 0x0c;
const GENERALIZED_TIME = 0x18;
const UTC_TIME = 0x17;
const SEQUENCE = 0x30;
const SET = 0x31;
const DNS_NAME = 0x82;
const VERSION = 0xa0;
const EXTENSIONS = 0xa3;

const TRUE = encodeDer(0x01, Buffer.from([0xff]));
const COMMON_NAME = identifier("550403");
const KEY_USAGE = identifier("551d0f");
const SUBJECT_ALT_NAME = identifier("551d11");
const EXTENDED_KEY_USAGE = identifier("551d25");
const SERVER_AUTH = identifier("2b06010505070301");
const ECDSA_WITH_SHA256 = sequence(identifier("2a8648ce3d040302"));

/** Encodes a DER value with its tag and length. */
function encodeDer(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const digits = length < 0x100 ? [length] : [length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, 0x80 | digits.length, ...digits]), content]);
}

function sequence(...contents: readonly Uint8Array[]): Buffer {
  return encodeDer(SEQUENCE, ...contents);
}

function set(content: Uint8Array): Buffer {
  return encodeDer(SET, content);
}

function octets(content: Uint8Array): Buffer {
  return encodeDer(OCTET_STRING, content);
}

/** @param hex - the identifier in DER notation, such as 55 04 03 for 2.5.4.3 */
function identifier(hex: string): Buffer {
  return encodeDer(OBJECT_IDENTIFIER, Buffer.from(hex, "hex"));
}

/** Encodes a time in seconds. Years from 2050 on have four digits. */
function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\.\d+|\D/g, "");
  const isLate = Number(digits.slice(0, 4)) >= 2050;
  return isLate
    ? encodeDer(GENERALIZED_TIME, Buffer.from(`${digits}Z`))
    : encodeDer(UTC_TIME, Buffer.from(`${digits.slice(2)}Z`));
}

function pem(label: string, content: Buffer): string {
  const lines = content.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}
