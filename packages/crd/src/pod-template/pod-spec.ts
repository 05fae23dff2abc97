import { duplicate, forbidden, invalid, notSupported, required } from "@jobset-ts/api/errors";
import {
  type JsonObject,
  validateDNS1123Label,
  validateDNS1123Subdomain,
  validateQualifiedName,
} from "@jobset-ts/api/kubernetes";
import { jsonQuote } from "@jobset-ts/api/text";
import {
  choiceErrors,
  type FoundErrors,
  invalidForEach,
  rangeErrors,
  requiredChoiceErrors,
} from "../found-errors.ts";
import {
  elementsIn,
  flagIn,
  hasMember,
  integerIn,
  mapIn,
  objectIn,
  optionalTextIn,
  textIn,
} from "../members-of.ts";
import { labelErrors } from "../selectors.ts";
import { affinityErrors } from "./affinity.ts";
import { containerErrors, listContainers, type PlacedContainer } from "./containers.ts";
import { fileVolumeErrors } from "./environment.ts";
import { goStructText } from "./go-struct.ts";
import {
  dnsConfigErrors,
  hostAliasErrors,
  hostnameErrors,
  hostnameOverrideErrors,
} from "./host-names.ts";
import { podResourceErrors } from "./pod-resources.ts";
import { hostNetworkErrors } from "./ports.ts";
import { resourceErrors } from "./resources.ts";
import { podSecurityContextErrors } from "./security-context.ts";
import { tolerationErrors } from "./tolerations.ts";
import { topologySpreadErrors } from "./topology-spread.ts";
import { volumeErrors } from "./volumes.ts";
import { foreignOptionErrors, hostProcessErrors } from "./windows-options.ts";

/**
 * Yields the errors in the spec of a Pod, in the order of the API server.
 *
 * @param spec - with the defaults of the API
 * @see Kubernetes `ValidatePodSpec`, 1.36
 */
export function* podSpecErrors(spec: JsonObject, path: string): FoundErrors {
  const containers = listContainers(spec, path);
  yield* volumeAndContainerErrors(spec, path);
  yield* hostNetworkErrors(spec, path);
  yield* choiceErrors(`${path}.restartPolicy`, textIn(spec, "restartPolicy"), RESTART_POLICIES);
  yield* choiceErrors(`${path}.dnsPolicy`, textIn(spec, "dnsPolicy"), DNS_POLICIES);
  yield* labelErrors(mapIn(spec, "nodeSelector"), `${path}.nodeSelector`);
  yield* podSecurityContextErrors(spec, path);
  yield* affinityErrors(objectIn(spec, "affinity"), `${path}.affinity`);
  yield* dnsConfigErrors(spec, path);
  yield* gateErrors(spec, path);
  yield* topologySpreadErrors(spec, path);
  yield* hostProcessErrors(spec, path, containers);
  yield* hostUserErrors(spec, path, containers);
  yield* hostnameOverrideErrors(spec, path);
  yield* serviceAccountErrors(spec, `${path}.serviceAccountName`);
  yield* objectNameErrors(spec, "nodeName", path);
  yield* rangeErrors(`${path}.activeDeadlineSeconds`, integerIn(spec, "activeDeadlineSeconds"), [
    1,
    MAX_SECONDS,
  ]);
  yield* hostnameErrors(spec, path);
  yield* tolerationErrors(spec, path);
  yield* hostAliasErrors(spec, path);
  yield* objectNameErrors(spec, "priorityClassName", path);
  const runtimeClass = optionalTextIn(spec, "runtimeClassName");
  if (runtimeClass !== undefined) {
    const messages = validateDNS1123Subdomain(runtimeClass);
    yield* invalidForEach(`${path}.runtimeClassName`, runtimeClass, messages);
  }
  yield* preemptionErrors(spec, `${path}.preemptionPolicy`);
  yield* overheadErrors(spec, `${path}.overhead`);
  yield* operatingSystemErrors(spec, path, containers);
  yield* fileVolumeErrors(spec, containers);
}

const RESTART_POLICIES = ["Always", "OnFailure", "Never"];
const DNS_POLICIES = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];
const MAX_SECONDS = 2 ** 31 - 1;
const DEFAULT_GRACE_SECONDS = 30;

function* volumeAndContainerErrors(spec: JsonObject, path: string): FoundErrors {
  const volumes = yield* volumeErrors(spec, path);
  const claims = new Set<string>();
  for (const [claim] of elementsIn(spec, "resourceClaims", path)) {
    const name = textIn(claim, "name");
    if (name !== "") claims.add(name);
  }
  yield* resourceClaimErrors(spec, path);
  yield* containerErrors(spec, path, {
    volumes,
    claims,
    graceSeconds: integerIn(spec, "terminationGracePeriodSeconds") ?? DEFAULT_GRACE_SECONDS,
    restartPolicy: textIn(spec, "restartPolicy"),
    usesHostUsers: flagIn(spec, "hostUsers") !== false,
  });
  yield* podResourceErrors(spec, path, claims);
}

function* resourceClaimErrors(spec: JsonObject, field: string): FoundErrors {
  const names = new Set<string>();
  for (const [claim, path] of elementsIn(spec, "resourceClaims", field)) {
    const name = textIn(claim, "name");
    if (name === "") yield required(`${path}.name`);
    else if (names.has(name)) yield duplicate(`${path}.name`, name);
    else yield* invalidForEach(`${path}.name`, name, validateDNS1123Label(name));
    names.add(name);
    yield* claimSourceErrors(claim, path);
  }
}

function* claimSourceErrors(claim: JsonObject, path: string): FoundErrors {
  const sources = ["resourceClaimName", "resourceClaimTemplateName"];
  const present = sources.filter((source) => optionalTextIn(claim, source) !== undefined);
  const formatClaim = () => goStructText(claim, "PodResourceClaim");
  if (present.length === 2) {
    const detail =
      "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified";
    yield invalid(path, claim, detail, formatClaim());
  }
  if (present.length === 0) {
    const detail = "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`";
    yield invalid(path, claim, detail, formatClaim());
  }
  for (const source of present) {
    const name = textIn(claim, source);
    yield* invalidForEach(`${path}.${source}`, name, validateDNS1123Subdomain(name));
  }
}

/** Names of gates are valid condition names, with an optional domain. */
function* gateErrors(spec: JsonObject, path: string): FoundErrors {
  for (const [gate, at] of elementsIn(spec, "readinessGates", path)) {
    const type = textIn(gate, "conditionType");
    yield* invalidForEach(`${at}.conditionType`, type, validateQualifiedName(type));
  }
  const seen = new Set<string>();
  for (const [gate, at] of elementsIn(spec, "schedulingGates", path)) {
    const name = textIn(gate, "name");
    yield* invalidForEach(at, name, validateQualifiedName(name));
    if (seen.has(name)) yield duplicate(at, name);
    seen.add(name);
  }
}

/** A Pod with its own user namespace cannot share namespaces of its host, and block devices have no owner mapping. */
function* hostUserErrors(
  spec: JsonObject,
  path: string,
  containers: readonly PlacedContainer[],
): FoundErrors {
  if (flagIn(spec, "hostUsers") !== false) return;
  const detail = "when `hostUsers` is false";
  const members = [
    ["hostNetwork", "hostNetwork"],
    ["hostPID", "HostPID"],
    ["hostIPC", "HostIPC"],
  ] as const;
  for (const [member, shown] of members) {
    if (flagIn(spec, member) === true) yield forbidden(`${path}.${shown}`, detail);
  }
  for (const [container, at] of containers) {
    if (elementsIn(container, "volumeDevices", at).length > 0) {
      yield forbidden(`${at}.volumeDevices`, detail);
    }
  }
}

/** The older name of the member counts if the newer one is absent. */
function* serviceAccountErrors(spec: JsonObject, field: string): FoundErrors {
  const name = textIn(spec, "serviceAccountName") || textIn(spec, "serviceAccount");
  if (name !== "") yield* invalidForEach(field, name, validateDNS1123Subdomain(name));
}

function* objectNameErrors(spec: JsonObject, member: string, path: string): FoundErrors {
  const name = textIn(spec, member);
  if (name !== "") {
    yield* invalidForEach(`${path}.${member}`, name, validateDNS1123Subdomain(name));
  }
}

function* preemptionErrors(spec: JsonObject, field: string): FoundErrors {
  const policy = optionalTextIn(spec, "preemptionPolicy");
  if (policy === undefined) return;
  yield* requiredChoiceErrors(field, policy, ["PreemptLowerPriority", "Never"]);
}

/** The overhead of a Pod has the same rules as limits. */
function* overheadErrors(spec: JsonObject, field: string): FoundErrors {
  if (!hasMember(spec, "overhead")) return;
  yield* resourceErrors({ limits: mapIn(spec, "overhead") }, field, new Set());
}

function* operatingSystemErrors(
  spec: JsonObject,
  path: string,
  containers: readonly PlacedContainer[],
): FoundErrors {
  const os = objectIn(spec, "os");
  if (os === undefined) return;
  const name = textIn(os, "name");
  if (name === "") yield required(`${path}.os.name`);
  else if (name !== "linux" && name !== "windows") {
    yield notSupported(`${path}.os`, name, ["linux", "windows"], jsonQuote(name));
  } else yield* foreignOptionErrors(spec, path, containers, name);
}
