import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A certificate chain and its key, as PEM text. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** @throws Error if a file cannot be read */
export function readCertificate(certDir: string): Certificate {
  return {
    cert: readFileSync(join(certDir, "tls.crt"), "utf8"),
    key: readFileSync(join(certDir, "tls.key"), "utf8"),
  };
}
