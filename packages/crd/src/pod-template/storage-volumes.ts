import { invalid, notSupported, required, tooLong } from "@jobset-ts/api/errors";
import { type JsonObject, validateDNS1123Subdomain } from "@jobset-ts/api/kubernetes";
import { byteLength, isLongerThan } from "@jobset-ts/api/text";
import { choiceErrors, type FoundErrors, invalidForEach, rangeErrors } from "../found-errors.ts";
import { badValueText } from "../go-text.ts";
import {
  flagIn,
  hasMember,
  integerIn,
  mapIn,
  objectIn,
  optionalTextIn,
  textIn,
  textsIn,
} from "../members-of.ts";

// The volumes of storage systems that have more rules than required members.

const LUNS = [0, 255] as const;

/** Yields the errors in an iSCSI volume. */
export function* iscsiErrors(source: JsonObject, path: string): FoundErrors {
  const iqn = textIn(source, "iqn");
  const initiator = optionalTextIn(source, "initiatorName");
  const usesChap =
    flagIn(source, "chapAuthDiscovery") === true || flagIn(source, "chapAuthSession") === true;
  if (textIn(source, "targetPortal") === "") yield required(`${path}.targetPortal`);
  if (iqn === "") yield required(`${path}.iqn`);
  else yield* iscsiNameErrors(iqn, `${path}.iqn`);
  yield* rangeErrors(`${path}.lun`, integerIn(source, "lun"), LUNS);
  if (usesChap && !hasMember(source, "secretRef")) yield required(`${path}.secretRef`);
  if (initiator !== undefined) yield* iscsiNameErrors(initiator, `${path}.initiatorname`);
}

const ISCSI_NAMES: Readonly<Record<string, (name: string) => boolean>> = {
  iqn: isQualifiedIscsiName,
  eui: (name) => /^eui[^\n][A-Za-z0-9]{16}$/.test(name),
  naa: (name) => /^naa[^\n][A-Za-z0-9]{32}$/.test(name),
};

function* iscsiNameErrors(name: string, field: string): FoundErrors {
  const isValid = ISCSI_NAMES[name.slice(0, 3)];
  if (isValid === undefined) {
    yield invalid(field, name, "must be valid format starting with iqn, eui, or naa");
  } else if (!isValid(name)) yield invalid(field, name, "must be valid format");
}

/** The target part follows a colon and ends the name. Any text may precede the date and the authority. */
function isQualifiedIscsiName(name: string): boolean {
  const [tail] = /[^,;*&$|\t\n\f\r ]*$/.exec(name) ?? [""];
  const start = name.length - tail.length;
  for (
    let colon = name.lastIndexOf(":");
    colon >= start;
    colon = name.lastIndexOf(":", colon - 1)
  ) {
    const isLast = colon === name.length - 1;
    if (
      !isLast &&
      /iqn\.\d{4}-\d{2}\.[A-Za-z0-9.-]+$/.test(
        name.slice(Math.max(0, colon - MAX_AUTHORITY), colon),
      )
    )
      return true;
    if (colon === 0) return false;
  }
  return false;
}

/** Longer authorities are not searched, so the time is proportional to the length of the name. */
const MAX_AUTHORITY = 300;

/** Yields the errors in a Fibre Channel volume. */
export function* fibreChannelErrors(source: JsonObject, path: string): FoundErrors {
  const wwns = textsIn(source, "targetWWNs");
  const wwids = textsIn(source, "wwids");
  const field = `${path}.targetWWNs`;
  if (wwns.length === 0 && wwids.length === 0) {
    yield required(field, "must specify either targetWWNs or wwids, but not both");
  }
  if (wwns.length > 0 && wwids.length > 0) {
    const detail = "targetWWNs and wwids can not be specified simultaneously";
    yield invalid(field, wwns, detail, badValueText(wwns));
  }
  if (wwns.length === 0) return;
  const lun = integerIn(source, "lun");
  if (lun === undefined) {
    yield required(`${path}.lun`, "lun is required if targetWWNs is specified");
  } else yield* rangeErrors(`${path}.lun`, lun, LUNS);
}

const MAX_TENANT_BYTES = 64;
const PAIRS = "must be a host:port pair or multiple pairs separated by commas";

/** Yields the errors in a Quobyte volume. */
export function* quobyteErrors(source: JsonObject, path: string): FoundErrors {
  const registry = textIn(source, "registry");
  if (registry === "") yield required(`${path}.registry`, PAIRS);
  else if (isLongerThan(textIn(source, "tenant"), MAX_TENANT_BYTES)) {
    const detail = "must be a UUID and may not exceed a length of 64 characters";
    yield required(`${path}.tenant`, detail);
  } else {
    for (const pair of registry.split(",")) {
      if (!isHostAndPort(pair)) yield invalid(`${path}.registry`, registry, PAIRS);
    }
  }
  if (textIn(source, "volume") === "") yield required(`${path}.volume`);
}

/** A host that contains colons is in brackets. */
function isHostAndPort(text: string): boolean {
  return /^(\[[^[\]]*\]|[^:[\]]*):[^:[\]]*$/.test(text);
}

/** Yields the errors in a FlexVolume. */
export function* flexVolumeErrors(source: JsonObject, path: string): FoundErrors {
  if (textIn(source, "driver") === "") yield required(`${path}.driver`);
  for (const key of Object.keys(mapIn(source, "options"))) {
    const domain = `.${(key.split("/", 1)[0] ?? "").toLowerCase()}`;
    if (!domain.endsWith(".kubernetes.io") && !domain.endsWith(".k8s.io")) continue;
    const detail = "kubernetes.io and k8s.io namespaces are reserved";
    yield invalid(`${path}.options[${key}]`, key, detail);
  }
}

const MANAGED_URI =
  "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}";
const BLOB_URI = "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd";

/** Yields the errors in a disk of Azure. The form of its URI depends on its kind. */
export function* azureDiskErrors(source: JsonObject, path: string): FoundErrors {
  const uri = textIn(source, "diskURI");
  const kind = textIn(source, "kind");
  const cachingMode = textIn(source, "cachingMode");
  if (textIn(source, "diskName") === "") yield required(`${path}.diskName`);
  if (uri === "") yield required(`${path}.diskURI`);
  yield* choiceErrors(`${path}.cachingMode`, cachingMode, ["None", "ReadOnly", "ReadWrite"]);
  yield* choiceErrors(`${path}.kind`, kind, ["Dedicated", "Managed", "Shared"]);
  const [start, form] =
    kind === "Managed" ? ["/subscriptions/", MANAGED_URI] : ["https://", BLOB_URI];
  if (!uri.startsWith(start)) yield notSupported(`${path}.diskURI`, uri, [form]);
}

const MAX_DRIVER_BYTES = 63;

/** Yields the errors in a volume of a CSI driver. */
export function* csiErrors(source: JsonObject, path: string): FoundErrors {
  const driver = textIn(source, "driver");
  const field = `${path}.driver`;
  if (driver === "") yield required(field);
  else {
    if (byteLength(driver) > MAX_DRIVER_BYTES) yield tooLong(field, driver, MAX_DRIVER_BYTES);
    yield* invalidForEach(field, driver, validateDNS1123Subdomain(driver.toLowerCase()));
  }
  const secret = objectIn(source, "nodePublishSecretRef");
  if (secret === undefined) return;
  const name = textIn(secret, "name");
  if (name === "") yield required(`${path}.nodePublishSecretRef.name`);
  else yield* invalidForEach(`${path}.name`, name, validateDNS1123Subdomain(name));
}
