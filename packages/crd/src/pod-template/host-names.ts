import { forbidden, invalid, required, tooLong } from "@jobset-ts/api/errors";
import {
  type JsonObject,
  validateDNS1123Label,
  validateDNS1123Subdomain,
} from "@jobset-ts/api/kubernetes";
import { byteLength, isLongerThan } from "@jobset-ts/api/text";
import { type FoundErrors, invalidForEach } from "../found-errors.ts";
import { badValueText } from "../go-text.ts";
import { elementsIn, flagIn, objectIn, optionalTextIn, textIn, textsIn } from "../members-of.ts";
import { ipAddressErrors } from "./ip-address.ts";
import { searchPathMessages } from "./value-formats.ts";

const MAX_NAMESERVERS = 3;
const MAX_SEARCHES = 32;
const MAX_SEARCH_BYTES = 2048;

/**
 * Yields the errors in the resolver settings of a Pod.
 *
 * @see Kubernetes `validatePodDNSConfig`
 */
export function* dnsConfigErrors(spec: JsonObject, path: string): FoundErrors {
  const config = objectIn(spec, "dnsConfig");
  const field = `${path}.dnsConfig`;
  const isAlone = textIn(spec, "dnsPolicy") === "None";
  if (config === undefined) {
    if (isAlone) yield required(field, "must provide `dnsConfig` when `dnsPolicy` is None");
    return;
  }
  const nameservers = textsIn(config, "nameservers");
  if (isAlone && nameservers.length === 0) {
    const detail = "must provide at least one DNS nameserver when `dnsPolicy` is None";
    yield required(`${field}.nameservers`, detail);
    return;
  }
  if (nameservers.length > MAX_NAMESERVERS) {
    const detail = `must not have more than ${MAX_NAMESERVERS} nameservers`;
    yield invalid(`${field}.nameservers`, nameservers, detail, badValueText(nameservers));
  }
  for (const [index, address] of nameservers.entries()) {
    yield* ipAddressErrors(address, `${field}.nameservers[${index}]`);
  }
  yield* searchErrors(textsIn(config, "searches"), `${field}.searches`);
  for (const [option, at] of elementsIn(config, "options", field)) {
    if (textIn(option, "name") === "") yield required(at, "must not be empty");
  }
}

function* searchErrors(searches: readonly string[], field: string): FoundErrors {
  const fail = (detail: string) => invalid(field, searches, detail, badValueText(searches));
  if (searches.length > MAX_SEARCHES) {
    yield fail(`must not have more than ${MAX_SEARCHES} search paths`);
  }
  if (byteLength(searches.join(" ")) > MAX_SEARCH_BYTES) {
    const detail = `must not have more than ${MAX_SEARCH_BYTES} characters (including spaces) in the search list`;
    yield fail(detail);
  }
  for (const [index, search] of searches.entries()) {
    if (search === ".") continue;
    const path = search.endsWith(".") ? search.slice(0, -1) : search;
    yield* invalidForEach(`${field}[${index}]`, path, searchPathMessages(path));
  }
}

/** Yields the errors in the lines that a Pod adds to its hosts file. */
export function* hostAliasErrors(spec: JsonObject, path: string): FoundErrors {
  for (const [alias, at] of elementsIn(spec, "hostAliases", path)) {
    yield* ipAddressErrors(textIn(alias, "ip"), `${at}.ip`);
    for (const [index, hostname] of textsIn(alias, "hostnames").entries()) {
      const messages = validateDNS1123Subdomain(hostname);
      yield* invalidForEach(`${at}.hostnames[${index}]`, hostname, messages);
    }
  }
}

const MAX_OVERRIDE_BYTES = 64;

/** Yields the errors in the hostname that replaces those of the Pod and its subdomain. */
export function* hostnameOverrideErrors(spec: JsonObject, path: string): FoundErrors {
  const hostname = optionalTextIn(spec, "hostnameOverride");
  const field = `${path}.hostnameOverride`;
  if (hostname === undefined) return;
  for (const flag of ["setHostnameAsFQDN", "hostNetwork"]) {
    if (flagIn(spec, flag) === true) {
      yield forbidden(field, `may not be specified when ${flag} is true`);
    }
  }
  if (isLongerThan(hostname, MAX_OVERRIDE_BYTES)) {
    yield tooLong(field, hostname, MAX_OVERRIDE_BYTES);
  }
  yield* invalidForEach(field, hostname, validateDNS1123Subdomain(hostname));
}

/** Yields the errors in the hostname and the subdomain of a Pod. */
export function* hostnameErrors(spec: JsonObject, path: string): FoundErrors {
  for (const member of ["hostname", "subdomain"]) {
    const name = textIn(spec, member);
    if (name !== "") yield* invalidForEach(`${path}.${member}`, name, validateDNS1123Label(name));
  }
}
