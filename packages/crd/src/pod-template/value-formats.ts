import { isLongerThan } from "@jobset-ts/api/text";

// The forms of names that only Pods have: messages without a path, empty if the value is valid.

const MAX_SUBDOMAIN_BYTES = 253;
const MAX_PORT_NAME_BYTES = 15;

/** Returns why a text is not the name of an environment variable: printable ASCII characters other than `=`. */
export function envVarNameMessages(name: string): readonly string[] {
  return [
    ...(name === "" ? ["environment variable name must be non-empty"] : []),
    ...(/^[ -<>-~]*$/.test(name)
      ? []
      : [
          "a valid environment variable name must consist only of printable ASCII characters other than '='",
        ]),
  ];
}

const configKey = "[-._a-zA-Z0-9]+";

/** Returns why a text is not a key of a ConfigMap or Secret. */
export function configKeyMessages(key: string): readonly string[] {
  return [
    ...tooLongMessages(key, MAX_SUBDOMAIN_BYTES),
    ...(new RegExp(`^${configKey}$`).test(key)
      ? []
      : [
          `a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '${configKey}')`,
        ]),
    ...dotMessages(key),
  ];
}

function dotMessages(key: string): readonly string[] {
  if (key === "." || key === "..") return [`must not be '${key}'`];
  return key.startsWith("..") ? ["must not start with '..'"] : [];
}

/** Returns why a text is not the name of a port. */
export function portNameMessages(name: string): readonly string[] {
  return [
    ...tooLongMessages(name, MAX_PORT_NAME_BYTES),
    ...(/^[-a-z0-9]+$/.test(name)
      ? []
      : ["must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)"]),
    ...(/[a-z]/.test(name) ? [] : ["must contain at least one letter (a-z)"]),
    ...(name.includes("--") ? ["must not contain consecutive hyphens"] : []),
    ...(name.startsWith("-") || name.endsWith("-") ? ["must not begin or end with a hyphen"] : []),
  ];
}

/** Returns why a number is not a port. */
export function portNumberMessages(port: number): readonly string[] {
  return port >= 1 && port <= 65_535 ? [] : ["must be between 1 and 65535, inclusive"];
}

const headerName = "[-A-Za-z0-9]+";

/** Returns why a text is not the name of an HTTP header. */
export function headerNameMessages(name: string): readonly string[] {
  if (new RegExp(`^${headerName}$`).test(name)) return [];
  return [
    `a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '${headerName}')`,
  ];
}

const searchLabel = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const searchPath = `${searchLabel}(\\.${searchLabel})*`;
const isSearchPath = new RegExp(`^${searchPath}$`);

/** Returns why a text is not a DNS search path: a subdomain in which underscores are allowed. */
export function searchPathMessages(path: string): readonly string[] {
  return [
    ...tooLongMessages(path, MAX_SUBDOMAIN_BYTES),
    // Longer text is invalid anyway, and the pattern would take long for it.
    ...(path.length <= 2 * MAX_SUBDOMAIN_BYTES && isSearchPath.test(path)
      ? []
      : [
          `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${searchPath}')`,
        ]),
  ];
}

function tooLongMessages(text: string, maxBytes: number): readonly string[] {
  return isLongerThan(text, maxBytes) ? [`must be no more than ${maxBytes} characters`] : [];
}
