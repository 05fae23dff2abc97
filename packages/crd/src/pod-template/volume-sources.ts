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
  readonly errorsOf: (source: JsonObject, path: string) => FoundErrors;
}

/** All kinds of volumes, in the order in which the API server validates them. */
export const volumeSources: readonly VolumeSource[] = [
  { name: "emptyDir", errorsOf: emptyDirErrors },
  { name: "hostPath", errorsOf: hostPathErrors },
  { name: "gitRepo", errorsOf: gitRepoErrors },
  {
    name: "gcePersistentDisk",
    path: "persistentDisk",
    forbiddenAt: "gcePersistentDisk",
    errorsOf: partitionedDisk("pdName"),
  },
  { name: "awsElasticBlockStore", errorsOf: partitionedDisk("volumeID") },
  { name: "secret", errorsOf: secretErrors },
  { name: "nfs", errorsOf: nfsErrors },
  { name: "iscsi", errorsOf: iscsiErrors },
  { name: "glusterfs", errorsOf: requires("endpoints", "path") },
  { name: "flocker", errorsOf: flockerErrors },
  { name: "persistentVolumeClaim", errorsOf: requires("claimName") },
  { name: "rbd", errorsOf: requires("monitors", "image") },
  { name: "cinder", errorsOf: withSecretName("volumeID") },
  { name: "cephfs", forbiddenAt: "cephFS", errorsOf: requires("monitors") },
  { name: "quobyte", errorsOf: quobyteErrors },
  { name: "downwardAPI", forbiddenAt: "downwarAPI", errorsOf: downwardApiErrors },
  { name: "fc", errorsOf: fibreChannelErrors },
  { name: "flexVolume", errorsOf: flexVolumeErrors },
  { name: "configMap", errorsOf: configMapErrors },
  { name: "azureFile", errorsOf: requires("secretName", "shareName") },
  { name: "vsphereVolume", errorsOf: requires("volumePath") },
  { name: "photonPersistentDisk", errorsOf: requires("pdID") },
  { name: "portworxVolume", errorsOf: requires("volumeID") },
  { name: "azureDisk", errorsOf: azureDiskErrors },
  { name: "storageos", errorsOf: storageOsErrors },
  { name: "projected", errorsOf: projectedErrors },
  { name: "scaleIO", errorsOf: requires("gateway", "system", "volumeName") },
  { name: "csi", errorsOf: csiErrors },
  { name: "ephemeral", errorsOf: ephemeralErrors },
  { name: "image", errorsOf: imageErrors },
];

/** Returns a check that members are not empty. */
function requires(...names: readonly string[]): VolumeSource["errorsOf"] {
  return function* (source, path) {
    for (const name of names) {
      if (textIn(source, name) === "" && listIn(source, name).length === 0) {
        yield required(`${path}.${name}`);
      }
    }
  };
}

function withSecretName(...names: readonly string[]): VolumeSource["errorsOf"] {
  const requiredErrors = requires(...names);
  return function* (source, path) {
    yield* requiredErrors(source, path);
    const secret = objectIn(source, "secretRef");
    if (secret !== undefined) yield* requires("name")(secret, `${path}.secretRef`);
  };
}

function partitionedDisk(name: string): VolumeSource["errorsOf"] {
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
