import {
  type Features,
  featureGates,
  featuresOf,
  type Instant,
  parseFeatureGates,
  parseTime,
} from "@jobset-ts/api";
import { dnsLabelMessages, labelValueMessages } from "@jobset-ts/api/kubernetes";
import { suggestName } from "@jobset-ts/api/text";
import { NO_QUIRKS, type Quirks, UPSTREAM_QUIRKS } from "@jobset-ts/core";
import { type KueueFeatures, kueueFeatureGates, kueueFeaturesOf } from "@jobset-ts/kueue";
import { InvalidArgumentError } from "commander";
import type { FieldValidation } from "../admission/field-validation.ts";
import { parseJsonPath } from "../output/jsonpath.ts";
import type { Output } from "../output/report.ts";

/** Reads one of some formats, or `jsonpath=` and a template. */
export function parseOutput(formats: readonly string[]): (text: string) => Output {
  return (text) => {
    const [, template] = /^jsonpath=(.*)$/s.exec(text) ?? [];
    if (template !== undefined) {
      const read = parseJsonPath(template);
      if (read.ok) return { jsonPath: read.value };
      throw new InvalidArgumentError(`${read.message}.`);
    }
    if (formats.includes(text)) return text as Exclude<Output, object>;
    throw new InvalidArgumentError(
      `Allowed choices are ${formats.join(", ")}.${suggestName(text, formats)}`,
    );
  };
}

/** Reads an RFC 3339 time. */
export function parseNow(text: string): Instant {
  const now = parseTime(text);
  if (now !== undefined) return now;
  throw new InvalidArgumentError("A time is like 2026-02-07T06:56:19Z.");
}

/** Reads a number that is not negative, such as a rate; 0 is a rate without limit. */
export function parseRate(text: string): number {
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(text)) return Number(text);
  throw new InvalidArgumentError("A rate is a number like 500 or 0.5.");
}

/** Reads `workers=16`, and adds it to those before. */
export function parseScale(
  text: string,
  before: Readonly<Record<string, number>> = {},
): Readonly<Record<string, number>> {
  const [, name = "", podCount] = /^([^=]+)=(\d{1,9})$/.exec(text) ?? [];
  if (podCount !== undefined) return { ...before, [name]: Number(podCount) };
  throw new InvalidArgumentError(
    "It is the name of a ReplicatedJob and a number, as in workers=16.",
  );
}

/** Reads `upstream` or `none`. */
export function parseQuirks(text: string): Quirks {
  if (text === "upstream") return UPSTREAM_QUIRKS;
  if (text === "none") return NO_QUIRKS;
  throw new InvalidArgumentError("Quirks are either upstream or none.");
}

/** Reads `RestartJob=true,ElasticJobSet=false`; gates that are left out have their default. */
export function parseFeatures(text: string): Features {
  return parsedGates(text, featuresOf, featureGates);
}

/** Reads Kueue's gates in the same way. */
export function parseKueueFeatures(text: string): KueueFeatures {
  return parsedGates(text, kueueFeaturesOf, kueueFeatureGates);
}

function parsedGates<Gates>(
  text: string,
  gatesOf: (settings: Readonly<Record<string, boolean>>) => Gates,
  known: object,
): Gates {
  try {
    return gatesOf(parseFeatureGates(text));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const names = text.split(",").map((setting) => setting.replace(/=.*/, "").trim());
    const unknown = names.find((name) => !Object.hasOwn(known, name));
    const suggestion = unknown === undefined ? "" : suggestName(unknown, Object.keys(known));
    throw new InvalidArgumentError(`${error.message}.${suggestion}`);
  }
}

/** Reads what kubectl's flag of that name takes. */
export function parseValidate(text: string): FieldValidation {
  const how = new Map<string, FieldValidation>([
    ["strict", "strict"],
    ["true", "strict"],
    ["warn", "warn"],
    ["ignore", "ignore"],
    ["false", "ignore"],
  ]).get(text);
  if (how !== undefined) return how;
  throw new InvalidArgumentError("It is strict (or true), warn, or ignore (or false).");
}

/** A namespace is a DNS-1123 label. */
export function parseNamespace(text: string): string {
  if (dnsLabelMessages(text).length === 0) return text;
  throw new InvalidArgumentError(
    "A namespace is up to 63 of a-z, 0-9 and -, with no - at its ends.",
  );
}

/** A UID becomes a label, so it has to be a label's value. */
export function parseUid(text: string): string {
  if (text !== "" && labelValueMessages(text).length === 0) return text;
  throw new InvalidArgumentError(
    "A UID is up to 63 letters, digits, -, _ and ., with a letter or digit at its ends.",
  );
}
