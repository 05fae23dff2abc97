import { forbidden, invalid, notSupported, required } from "@jobset-ts/api/errors";
import { type JsonObject, validateDNS1123Label } from "@jobset-ts/api/kubernetes";
import { choiceErrors, type FoundErrors, invalidForEach } from "../found-errors.ts";
import { integerIn, listIn, objectIn, optionalTextIn, textIn } from "../members-of.ts";
import { claimTemplateErrors } from "./claim-template.ts";
import {
  configMapErrors,
  downwardApiErrors,
  projectedErrors,
  secretErrors,
} from "./file-volumes.ts";
import { descendingPathErrors, parentDirectoryErrors } from "./paths.ts";
import { readAmount } from "./quantities.ts";
import {
  azureDiskErrors,
  csiErrors,
  fibreChannelErrors,
  flexVolumeErrors,
  iscsiErrors,
  quobyteErrors,
} from "./storage-volumes.ts";

/** One kind of volume. */
interface VolumeSource {
  /** The member of the volume. */
  readonly name: string;
  /** The member in the path of errors, if upstream writes it differently. */
  readonly path?: string;
  /** The member in the path of the error about a second source, if upstream writes it differently. */
  readonly forbiddenAt?: string;
  readonly validate: (source: JsonObject, path: string) => FoundErrors;
}

/** All kinds of volumes, in the order in which the API server validates them. */
export const volumeSources: readonly VolumeSource[] = [
  { name: "emptyDir", validate: emptyDirErrors },
  { name: "hostPath", validate: hostPathErrors },
  { name: "gitRepo", validate: gitRepoErrors },
  {
    name: "gcePersistentDisk",
    path: "persistentDisk",
    forbiddenAt: "gcePersistentDisk",
    validate: partitionedDisk("pdName"),
  },
  { name: "awsElasticBlockStore", validate: partitionedDisk("volumeID") },
  { name: "secret", validate: secretErrors },
  { name: "nfs", validate: nfsErrors },
  { name: "iscsi", validate: iscsiErrors },
  { name: "glusterfs", validate: requires("endpoints", "path") },
  { name: "flocker", validate: flockerErrors },
  { name: "persistentVolumeClaim", validate: requires("claimName") },
  { name: "rbd", validate: requires("monitors", "image") },
  { name: "cinder", validate: withSecretName("volumeID") },
  { name: "cephfs", forbiddenAt: "cephFS", validate: requires("monitors") },
  { name: "quobyte", validate: quobyteErrors },
  { name: "downwardAPI", forbiddenAt: "downwarAPI", validate: downwardApiErrors },
  { name: "fc", validate: fibreChannelErrors },
  { name: "flexVolume", validate: flexVolumeErrors },
  { name: "configMap", validate: configMapErrors },
  { name: "azureFile", validate: requires("secretName", "shareName") },
  { name: "vsphereVolume", validate: requires("volumePath") },
  { name: "photonPersistentDisk", validate: requires("pdID") },
  { name: "portworxVolume", validate: requires("volumeID") },
  { name: "azureDisk", validate: azureDiskErrors },
  { name: "storageos", validate: storageOsErrors },
  { name: "projected", validate: projectedErrors },
  { name: "scaleIO", validate: requires("gateway", "system", "volumeName") },
  { name: "csi", validate: csiErrors },
  { name: "ephemeral", validate: ephemeralErrors },
  { name: "image", validate: imageErrors },
];

/** Returns a check that members are not empty. */
function requires(...names: readonly string[]): VolumeSource["validate"] {
  return function* (source, path) {
    for (const name of names) {
      if (textIn(source, name) === "" && listIn(source, name).length === 0) {
        yield required(`${path}.${name}`);
      }
    }
  };
}

function withSecretName(...names: readonly string[]): VolumeSource["validate"] {
  const requiredErrors = requires(...names);
  return function* (source, path) {
    yield* requiredErrors(source, path);
    const secret = objectIn(source, "secretRef");
    if (secret !== undefined) yield* requires("name")(secret, `${path}.secretRef`);
  };
}

function partitionedDisk(name: string): VolumeSource["validate"] {
  const requiredErrors = requires(name);
  return function* (source, path) {
    yield* requiredErrors(source, path);
    const partition = integerIn(source, "partition") ?? 0;
    if (partition >= 0 && partition <= 255) return;
    yield invalid(`${path}.partition`, partition, "must be between 1 and 255, inclusive");
  };
}

function* emptyDirErrors(source: JsonObject, path: string): FoundErrors {
  const limit = readAmount(source.sizeLimit);
  if (limit === undefined || limit.nanos >= 0n) return;
  yield forbidden(`${path}.sizeLimit`, "SizeLimit field must be a valid resource quantity");
}

const HOST_PATH_TYPES = [
  "",
  "BlockDevice",
  "CharDevice",
  "Directory",
  "DirectoryOrCreate",
  "File",
  "FileOrCreate",
  "Socket",
];

function* hostPathErrors(source: JsonObject, path: string): FoundErrors {
  const hostPath = textIn(source, "path");
  if (hostPath === "") {
    yield required(`${path}.path`);
    return;
  }
  yield* parentDirectoryErrors(hostPath, `${path}.path`);
  yield* choiceErrors(`${path}.type`, textIn(source, "type"), HOST_PATH_TYPES);
}

function* gitRepoErrors(source: JsonObject, path: string): FoundErrors {
  yield* requires("repository")(source, path);
  yield* descendingPathErrors(textIn(source, "directory"), `${path}.directory`);
}

function* nfsErrors(source: JsonObject, path: string): FoundErrors {
  const exported = textIn(source, "path");
  yield* requires("server", "path")(source, path);
  if (!exported.startsWith("/")) {
    yield invalid(`${path}.path`, exported, "must be an absolute path");
  }
}

function* flockerErrors(source: JsonObject, path: string): FoundErrors {
  const name = textIn(source, "datasetName");
  const uuid = textIn(source, "datasetUUID");
  if (name === "" && uuid === "") {
    yield required(path, "one of datasetName and datasetUUID is required");
  }
  if (name !== "" && uuid !== "") {
    const detail = "datasetName and datasetUUID can not be specified simultaneously";
    yield invalid(path, "resource", detail);
  }
  if (name.includes("/")) yield invalid(`${path}.datasetName`, name, "must not contain '/'");
}

function* storageOsErrors(source: JsonObject, path: string): FoundErrors {
  const name = textIn(source, "volumeName");
  const namespace = textIn(source, "volumeNamespace");
  const secret = objectIn(source, "secretRef");
  if (name === "") yield required(`${path}.volumeName`);
  else yield* invalidForEach(`${path}.volumeName`, name, validateDNS1123Label(name));
  if (namespace !== "") {
    const messages = validateDNS1123Label(namespace);
    yield* invalidForEach(`${path}.volumeNamespace`, namespace, messages);
  }
  if (secret !== undefined) yield* requires("name")(secret, `${path}.secretRef`);
}

function* ephemeralErrors(source: JsonObject, path: string): FoundErrors {
  const template = objectIn(source, "volumeClaimTemplate");
  const field = `${path}.volumeClaimTemplate`;
  if (template === undefined) yield required(field);
  else yield* claimTemplateErrors(template, field);
}

function* imageErrors(source: JsonObject, path: string): FoundErrors {
  yield* pullPolicyErrors(optionalTextIn(source, "pullPolicy"), `${path}.pullPolicy`);
}

/** Yields the errors in the policy that says when an image is pulled. */
export function* pullPolicyErrors(policy: string | undefined, field: string): FoundErrors {
  const policies = ["Always", "IfNotPresent", "Never"];
  if (!policy) yield required(field);
  else if (!policies.includes(policy)) yield notSupported(field, policy, policies);
}
