import { asString } from "./members.ts";
import { compilePattern, type PatternMatcher } from "./pattern.ts";
import { isLongerThan } from "./utf8.ts";

// Kubernetes' validation of names and labels: error messages without a path, empty if the value is valid.

/** The maximum length of a DNS label, a label value and the name part of a key, in bytes. */
const MAX_LABEL_BYTES = 63;
/** The maximum length of a DNS subdomain in bytes. */
const MAX_SUBDOMAIN_BYTES = 253;

/** The pattern of a whole name. */
interface NamePattern {
  readonly source: string;
  readonly matches: PatternMatcher;
}

// The patterns are not composed, so that a bundler can leave out those that a program does not use.
const DNS_LABEL = /* @__PURE__ */ namePattern("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
const DNS_1035_LABEL = /* @__PURE__ */ namePattern("[a-z]([-a-z0-9]*[a-z0-9])?");
const DNS_SUBDOMAIN = /* @__PURE__ */ namePattern(
  "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*",
);
const LABEL_NAME = /* @__PURE__ */ namePattern("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");
const QUALIFIED_NAME = /* @__PURE__ */ namePattern(
  "([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]",
);
const LABEL_VALUE = /* @__PURE__ */ namePattern("(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?");

const LABEL_TOO_LONG = `must be no more than ${MAX_LABEL_BYTES} characters`;
const SUBDOMAIN_TOO_LONG = `must be no more than ${MAX_SUBDOMAIN_BYTES} characters`;

/**
 * Validates the name of most objects: at most 253 bytes of DNS labels joined by dots.
 *
 * @see Kubernetes `validation.IsDNS1123Subdomain`
 * @example validateDNS1123Subdomain("train.example.com") // => []
 */
export function validateDNS1123Subdomain(name: string): readonly string[] {
  return [
    ...(isLongerThan(name, MAX_SUBDOMAIN_BYTES) ? [SUBDOMAIN_TOO_LONG] : []),
    ...(matchesWhole(name, DNS_SUBDOMAIN)
      ? []
      : [
          `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', ${patternMessage(DNS_SUBDOMAIN)})`,
        ]),
  ];
}

/**
 * Validates the name of a namespace: a DNS label of at most 63 bytes.
 *
 * @see Kubernetes `validation.IsDNS1123Label`
 * @example validateDNS1123Label("team.a") // => ["must not contain dots"]
 */
export function validateDNS1123Label(name: string): readonly string[] {
  const messages = isLongerThan(name, MAX_LABEL_BYTES) ? [LABEL_TOO_LONG] : [];
  if (matchesWhole(name, DNS_LABEL)) return messages;
  if (matchesWhole(name, DNS_SUBDOMAIN)) return [...messages, "must not contain dots"];
  return [
    ...messages,
    `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', ${patternMessage(DNS_LABEL)})`,
  ];
}

/**
 * Returns why a text is not a DNS-1035 label: at most 63 characters, starting with a letter. Service names, and names
 * that become part of a hostname, must be DNS-1035 labels.
 *
 * @param tooLong - the message for more than 63 bytes, if it differs from Kubernetes' own
 * @see Kubernetes `validation.IsDNS1035Label`
 * @example validateDNS1035Label("train-workers-0") // => []
 */
export function validateDNS1035Label(name: string, tooLong = LABEL_TOO_LONG): readonly string[] {
  return [
    ...(isLongerThan(name, MAX_LABEL_BYTES) ? [tooLong] : []),
    ...(matchesWhole(name, DNS_1035_LABEL)
      ? []
      : [
          `a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', ${patternMessage(DNS_1035_LABEL)})`,
        ]),
  ];
}

/** A function, so that bundlers can remove it. */
const labelNameHint = () =>
  `must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', ${patternMessage(LABEL_NAME)})`;

/**
 * Validates the key of a label or annotation, or a finalizer: a name of at most 63 bytes, optionally with a DNS
 * subdomain and `/` before it.
 *
 * @see Kubernetes `validation.IsQualifiedName`
 * @example validateQualifiedName("example.com/")[0] // => "name part must be non-empty"
 */
export function validateQualifiedName(key: string): readonly string[] {
  const text = asString(key);
  // Most keys are short and valid.
  if (text.length <= MAX_LABEL_BYTES && matchesWhole(text, QUALIFIED_NAME)) return [];
  const parts = text.split("/");
  if (parts.length > 2) {
    return [
      `a valid label key ${labelNameHint()} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const [name = "", prefix] = parts.reverse();
  return [
    ...(prefix === undefined ? [] : prefixMessages(prefix)),
    ...(name === "" ? ["name part must be non-empty"] : []),
    ...(isLongerThan(name, MAX_LABEL_BYTES)
      ? [`name part must be no more than ${MAX_LABEL_BYTES} bytes`]
      : []),
    ...(matchesWhole(name, LABEL_NAME) ? [] : [`name part ${labelNameHint()}`]),
  ];
}

function prefixMessages(prefix: string): readonly string[] {
  if (prefix === "") return ["prefix part must be non-empty"];
  // Kubernetes' two checks of subdomains differ in one word.
  const tooLong = `must be no more than ${MAX_SUBDOMAIN_BYTES} bytes`;
  return validateDNS1123Subdomain(prefix).map(
    (message) => `prefix part ${message === SUBDOMAIN_TOO_LONG ? tooLong : message}`,
  );
}

/**
 * Validates a label value: empty, or at most 63 bytes.
 *
 * @see Kubernetes `validation.IsValidLabelValue`
 * @example validateLabelValue("") // => []
 */
export function validateLabelValue(value: string): readonly string[] {
  if (asString(value).length <= MAX_LABEL_BYTES && matchesWhole(value, LABEL_VALUE)) return [];
  return [
    ...(isLongerThan(value, MAX_LABEL_BYTES)
      ? [`must be no more than ${MAX_LABEL_BYTES} bytes`]
      : []),
    ...(matchesWhole(value, LABEL_VALUE)
      ? []
      : [
          `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', ${patternMessage(LABEL_VALUE)})`,
        ]),
  ];
}

function namePattern(source: string): NamePattern {
  return { source, matches: compilePattern(`^${source}$`) };
}

function matchesWhole(text: string, { matches }: NamePattern): boolean {
  return matches(asString(text));
}

function patternMessage({ source }: NamePattern): string {
  return `regex used for validation is '${source}'`;
}
