import { forbidden, invalid } from "@jobset-ts/api/errors";
import { type JsonObject, validateDNS1123Subdomain } from "@jobset-ts/api/kubernetes";
import { byteLength, isLongerThan, jsonQuote } from "@jobset-ts/api/text";
import type { FoundErrors } from "../found-errors.ts";
import { flagIn, mapIn, optionalTextIn } from "../members-of.ts";
import type { PlacedContainer } from "./containers.ts";

const MAX_CREDENTIAL_BYTES = 64 * 1024;

/** Yields the errors in the options of a Windows container or Pod. */
export function* windowsOptionErrors(options: JsonObject | undefined, field: string): FoundErrors {
  if (options === undefined) return;
  const name = optionalTextIn(options, "gmsaCredentialSpecName");
  const credential = optionalTextIn(options, "gmsaCredentialSpec");
  const user = optionalTextIn(options, "runAsUserName");
  if (name !== undefined) {
    for (const message of validateDNS1123Subdomain(name)) {
      yield invalid(`${field}.gmsaCredentialSpecName`, name, message, jsonQuote(name));
    }
  }
  const fail = (detail: string) =>
    invalid(`${field}.gmsaCredentialSpec`, credential, detail, jsonQuote(credential ?? ""));
  if (credential === "") yield fail("gmsaCredentialSpec cannot be an empty string");
  else if (credential !== undefined && isLongerThan(credential, MAX_CREDENTIAL_BYTES)) {
    yield fail("gmsaCredentialSpec size must be under 64 KiB");
  }
  if (user === undefined) return;
  for (const detail of userNameMessages(user)) {
    yield invalid(`${field}.runAsUserName`, user, `runAsUserName${detail}`, jsonQuote(user));
  }
}

const MAX_DOMAIN_BYTES = 255;
const MAX_USER_BYTES = 104;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the validated rule is about control characters
const hasControlCharacters = /[\u0000-\u001f\u007f]/;
const isNetBiosName = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/u;
const dnsLabel = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
const isDnsName = new RegExp(`^${dnsLabel}(?:\\.${dnsLabel})*$`);

/** Returns the errors in a name of the form `user` or `domain\user`, without the name of the member. */
function userNameMessages(name: string): readonly string[] {
  if (name === "") return [" cannot be an empty string"];
  if (hasControlCharacters.test(name)) return [" cannot contain control characters"];
  const parts = name.split("\\", 3);
  if (parts.length > 2) return [" cannot contain more than one backslash"];
  const [user = "", domain] = parts.reverse();
  return [...domainMessages(domain), ...userMessages(user)];
}

function domainMessages(domain: string | undefined): readonly string[] {
  if (domain === undefined) return [];
  const isLong = isLongerThan(domain, MAX_DOMAIN_BYTES);
  return [
    ...(isLong ? ["'s Domain length must be under 256 characters"] : []),
    ...(isNetBiosName.test(domain) || isDnsName.test(domain)
      ? []
      : ["'s Domain doesn't match the NetBios nor the DNS format"]),
  ];
}

function userMessages(user: string): readonly string[] {
  const isLong = byteLength(user) > MAX_USER_BYTES;
  return [
    ...(user === "" ? ["'s User cannot be empty"] : []),
    ...(isLong ? [`'s User length must not be longer than ${MAX_USER_BYTES} characters`] : []),
    ...(/^[. ]+$/.test(user) ? ["'s User cannot contain only periods or spaces"] : []),
    ...(/["/\\:;|=,+*?<>@[\]]/.test(user)
      ? ["'s User cannot contain the following characters: \"/\\:;|=,+*?<>@[]"]
      : []),
  ];
}

/**
 * Yields the errors in the processes of a Pod that run on a Windows host.
 *
 * @see Kubernetes `validateWindowsHostProcessPod`
 */
export function* hostProcessErrors(
  spec: JsonObject,
  field: string,
  containers: readonly PlacedContainer[],
): FoundErrors {
  const ofPod = getHostProcess(spec);
  let count = 0;
  for (const [container, path] of containers) {
    const own = getHostProcess(container);
    if (ofPod !== undefined && own !== undefined && ofPod !== own) {
      const detail = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
      yield invalid(`${path}.securityContext.windowsOptions.hostProcess`, own, detail);
    }
    if (own ?? ofPod) count += 1;
  }
  if (count === 0) return;
  if (count !== containers.length) {
    const detail =
      "If pod contains any hostProcess containers then all containers must be HostProcess containers";
    yield invalid(field, "", detail);
  }
  if (flagIn(spec, "hostNetwork") !== true) {
    const detail = "hostNetwork must be true if pod contains any hostProcess containers";
    yield invalid(`${field}.hostNetwork`, false, detail);
  }
}

function getHostProcess(owner: JsonObject): boolean | undefined {
  return flagIn(mapIn(mapIn(owner, "securityContext"), "windowsOptions"), "hostProcess");
}

/** Yields an error for each option that the operating system of a Pod does not have. */
export function* foreignOptionErrors(
  spec: JsonObject,
  field: string,
  containers: readonly PlacedContainer[],
  os: "linux" | "windows",
): FoundErrors {
  const detail =
    os === "linux"
      ? "windows options cannot be set for a linux pod"
      : "cannot be set for a windows pod";
  const names = os === "linux" ? linuxNames : windowsNames;
  for (const [member, isInSpec] of names.ofPod) {
    const owner = isInSpec ? spec : mapIn(spec, "securityContext");
    if (!isSet(member, owner[member])) continue;
    yield forbidden(`${field}.${isInSpec ? member : `securityContext.${member}`}`, detail);
  }
  for (const [container, path] of containers) {
    const context = mapIn(container, "securityContext");
    for (const member of names.ofContainer) {
      if (!isPresent(context[member])) continue;
      yield forbidden(`${path}.securityContext.${member}`, detail);
    }
  }
}

interface ForeignNames {
  /** The members in the order of their errors. Some are in the Pod spec, and the others in its security context. */
  readonly ofPod: readonly (readonly [member: string, isInSpec: boolean])[];
  readonly ofContainer: readonly string[];
}

const linuxNames: ForeignNames = {
  ofPod: [["windowsOptions", false]],
  ofContainer: ["windowsOptions"],
};

const windowsNames: ForeignNames = {
  ofPod: [
    ["appArmorProfile", false],
    ["seLinuxOptions", false],
    ["hostUsers", true],
    ["hostPID", true],
    ["hostIPC", true],
    ["seccompProfile", false],
    ["fsGroup", false],
    ["fsGroupChangePolicy", false],
    ["sysctls", false],
    ["shareProcessNamespace", true],
    ["runAsUser", false],
    ["runAsGroup", false],
    ["supplementalGroups", false],
    ["supplementalGroupsPolicy", false],
    ["seLinuxChangePolicy", false],
  ],
  ofContainer: [
    "appArmorProfile",
    "seLinuxOptions",
    "seccompProfile",
    "capabilities",
    "readOnlyRootFilesystem",
    "privileged",
    "allowPrivilegeEscalation",
    "procMount",
    "runAsUser",
    "runAsGroup",
  ],
};

/**
 * The members of a Pod that are rejected only if they are true, or not empty. Others are rejected even if they are
 * false.
 */
const zeroIsAbsent: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "hostPID",
  "hostIPC",
  "sysctls",
]);

function isSet(member: string, value: unknown): boolean {
  if (!zeroIsAbsent.has(member)) return isPresent(value);
  return Array.isArray(value) ? value.length > 0 : value === true;
}

function isPresent(value: unknown): boolean {
  return (value ?? undefined) !== undefined;
}
