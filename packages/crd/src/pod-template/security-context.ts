import { duplicate, invalid, notSupported, required, tooLong } from "@jobset-ts/api/errors";
import type { JsonObject } from "@jobset-ts/api/kubernetes";
import { isLongerThan, jsonQuote } from "@jobset-ts/api/text";
import { choiceErrors, type FoundErrors, rangeErrors } from "../found-errors.ts";
import {
  elementsIn,
  flagIn,
  integerIn,
  listIn,
  mapIn,
  objectIn,
  optionalTextIn,
  textIn,
  textsIn,
} from "../members-of.ts";
import { goStructText } from "./go-struct.ts";
import { descendingPathErrors } from "./paths.ts";
import { windowsOptionErrors } from "./windows-options.ts";

const IDS = [0, 2 ** 31 - 1] as const;

/**
 * Yields the errors in the security context of a container.
 *
 * @param usesHostUsers - whether the Pod's users are those of its host
 * @see Kubernetes `ValidateSecurityContext`
 */
export function* securityContextErrors(
  context: JsonObject | undefined,
  field: string,
  usesHostUsers: boolean,
): FoundErrors {
  if (context === undefined) return;
  for (const name of ["runAsUser", "runAsGroup"]) {
    yield* rangeErrors(`${field}.${name}`, integerIn(context, name), IDS);
  }
  const procMount = optionalTextIn(context, "procMount");
  if (procMount !== undefined) {
    yield* choiceErrors(`${field}.procMount`, procMount, ["Default", "Unmasked"]);
    if (procMount === "Unmasked" && usesHostUsers) {
      yield invalid(`${field}.procMount`, procMount, "`hostUsers` must be false to use `Unmasked`");
    }
  }
  yield* seccompErrors(objectIn(context, "seccompProfile"), `${field}.seccompProfile`);
  yield* escalationErrors(context, field);
  yield* windowsOptionErrors(objectIn(context, "windowsOptions"), `${field}.windowsOptions`);
  yield* appArmorErrors(objectIn(context, "appArmorProfile"), `${field}.appArmorProfile`);
}

function* escalationErrors(context: JsonObject, field: string): FoundErrors {
  if (flagIn(context, "allowPrivilegeEscalation") !== false) return;
  const fail = (other: string) => {
    const detail = `cannot set \`allowPrivilegeEscalation\` to false and ${other}`;
    return invalid(field, context, detail, goStructText(context, "SecurityContext"));
  };
  if (flagIn(context, "privileged") === true) yield fail("`privileged` to true");
  for (const capability of textsIn(mapIn(context, "capabilities"), "add")) {
    if (capability === "CAP_SYS_ADMIN") yield fail("`capabilities.Add` CAP_SYS_ADMIN");
  }
}

/**
 * Yields the errors in the security context of a Pod.
 *
 * @see Kubernetes `validatePodSpecSecurityContext`
 */
export function* podSecurityContextErrors(spec: JsonObject, path: string): FoundErrors {
  const context = mapIn(spec, "securityContext");
  const field = `${path}.securityContext`;
  for (const name of ["fsGroup", "runAsUser", "runAsGroup"]) {
    yield* rangeErrors(`${field}.${name}`, integerIn(context, name), IDS);
  }
  for (const [index, group] of listIn(context, "supplementalGroups").entries()) {
    const id = typeof group === "number" ? group : undefined;
    yield* rangeErrors(`${field}.supplementalGroups[${index}]`, id, IDS);
  }
  if (flagIn(spec, "shareProcessNamespace") === true && flagIn(spec, "hostPID") === true) {
    const detail = "ShareProcessNamespace and HostPID cannot both be enabled";
    yield invalid(`${field}.shareProcessNamespace`, true, detail);
  }
  yield* sysctlErrors(spec, context, field);
  yield* optionalChoiceErrors(context, "fsGroupChangePolicy", field, ["Always", "OnRootMismatch"]);
  yield* seccompErrors(objectIn(context, "seccompProfile"), `${field}.seccompProfile`);
  yield* windowsOptionErrors(objectIn(context, "windowsOptions"), `${field}.windowsOptions`);
  yield* appArmorErrors(objectIn(context, "appArmorProfile"), `${field}.appArmorProfile`);
  yield* optionalChoiceErrors(context, "supplementalGroupsPolicy", field, ["Merge", "Strict"]);
  // `MountOption` needs the gate SELinuxMount, which is off by default.
  yield* optionalChoiceErrors(context, "seLinuxChangePolicy", field, ["Recursive"]);
}

function* optionalChoiceErrors(
  context: JsonObject,
  name: string,
  field: string,
  choices: readonly string[],
): FoundErrors {
  const value = optionalTextIn(context, name);
  if (value !== undefined) yield* choiceErrors(`${field}.${name}`, value, choices);
}

const sysctlSegment = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const sysctlName = `^(${sysctlSegment}[\\./])*${sysctlSegment}$`;
const isSysctlName = new RegExp(sysctlName);
const MAX_SYSCTL_BYTES = 253;

function* sysctlErrors(spec: JsonObject, context: JsonObject, field: string): FoundErrors {
  const names = new Set<string>();
  for (const [sysctl, path] of elementsIn(context, "sysctls", field)) {
    const name = textIn(sysctl, "name");
    if (name === "") yield required(`${path}.name`);
    else if (isLongerThan(name, MAX_SYSCTL_BYTES) || !isSysctlName.test(name)) {
      const detail = `must have at most ${MAX_SYSCTL_BYTES} characters and match regex ${sysctlName}`;
      yield invalid(`${path}.name`, name, detail);
    } else if (names.has(name)) yield duplicate(`${path}.name`, name);
    names.add(name);
    for (const member of ["hostNetwork", "hostIPC"]) {
      if (flagIn(spec, member) !== true || getNamespaceFlag(name) !== member) continue;
      yield invalid(`${path}.name`, name, `may not be specified when '${member}' is true`);
    }
  }
}

/** The kernel parameters of System V IPC. */
const ipcSysctls: ReadonlySet<string> = /* @__PURE__ */ new Set([
  ...["sem", "shmall", "shmmax", "shmmni", "shm_rmid_forced", "shm"],
  ...["msgmax", "msgmnb", "msgmni", "msg"],
]);

/** Returns the flag that gives the Pod the kernel namespace of its host to which a sysctl belongs. */
function getNamespaceFlag(sysctl: string): string | undefined {
  const name = normalizeSysctl(sysctl);
  if (name === "net" || name.startsWith("net.")) return "hostNetwork";
  if (name === "fs.mqueue" || name.startsWith("fs.mqueue.")) return "hostIPC";
  return name.startsWith("kernel.") && ipcSysctls.has(name.slice("kernel.".length))
    ? "hostIPC"
    : undefined;
}

/** Sysctls are separated by dots, or by slashes if the first separator is one. */
function normalizeSysctl(name: string): string {
  const [plain = ""] = name.split("*", 1);
  if (/^[^./]*\//.test(plain)) {
    return plain.replace(/[./]/g, (separator) => (separator === "/" ? "." : "/"));
  }
  return plain;
}

const PROFILE_TYPES = ["Localhost", "RuntimeDefault", "Unconfined"];

function* seccompErrors(profile: JsonObject | undefined, field: string): FoundErrors {
  if (profile === undefined) return;
  const type = textIn(profile, "type");
  const file = optionalTextIn(profile, "localhostProfile");
  if (type === "") yield required(`${field}.type`, "type is required when seccompProfile is set");
  else yield* choiceErrors(`${field}.type`, type, PROFILE_TYPES);
  if (type !== "Localhost") {
    if (file === undefined) return;
    const detail = "can only be set when seccomp type is Localhost";
    const shown = goStructText(profile, "SeccompProfile");
    yield invalid(`${field}.localhostProfile`, profile, detail, shown);
  } else if (file === undefined) {
    yield required(`${field}.localhostProfile`, "must be set when seccomp type is Localhost");
  } else yield* descendingPathErrors(file, `${field}.localhostProfile`);
}

const MAX_PROFILE_BYTES = 4095;

function* appArmorErrors(profile: JsonObject | undefined, field: string): FoundErrors {
  if (profile === undefined) return;
  const type = textIn(profile, "type");
  const file = optionalTextIn(profile, "localhostProfile");
  const fileField = `${field}.localhostProfile`;
  switch (type) {
    case "Localhost":
      yield* localhostProfileErrors(file, fileField);
      return;
    case "RuntimeDefault":
    case "Unconfined":
      if (file === undefined) return;
      yield invalid(
        fileField,
        file,
        "can only be set when AppArmor type is Localhost",
        jsonQuote(file),
      );
      return;
    case "":
      yield required(`${field}.type`, "type is required when appArmorProfile is set");
      return;
    default:
      yield notSupported(`${field}.type`, type, PROFILE_TYPES, jsonQuote(type));
  }
}

function* localhostProfileErrors(file: string | undefined, field: string): FoundErrors {
  const isEmpty = file === undefined || file === "";
  if (isEmpty) yield required(field, "must be set when AppArmor type is Localhost");
  else if (file.trim() !== file) {
    yield invalid(field, file, "must not be padded with whitespace");
  }
  if (!isEmpty && isLongerThan(file, MAX_PROFILE_BYTES)) {
    yield tooLong(field, file, MAX_PROFILE_BYTES);
  }
}
