import { forbidden, invalid, notFound, notSupported, required } from "@jobset-ts/api/errors";
import type { JsonObject } from "@jobset-ts/api/kubernetes";
import { choiceErrors, type FoundErrors } from "../found-errors.ts";
import { elementsIn, flagIn, hasMember, mapIn, optionalTextIn, textIn } from "../members-of.ts";
import { descendingPathErrors, hasBacksteps } from "./paths.ts";
import type { Volumes } from "./volumes.ts";

/**
 * Yields the errors in the volume mounts of a container. For some members of a mount, upstream names the list
 * instead of the mount.
 *
 * @see Kubernetes `ValidateVolumeMounts`
 */
export function* volumeMountErrors(
  container: JsonObject,
  volumes: Volumes,
  field: string,
): FoundErrors {
  const mounts = elementsIn(container, "volumeMounts", field);
  if (mounts.length === 0) return;
  const devices = pathsByName(container, "volumeDevices", "devicePath");
  const devicePaths = new Set(devices.values());
  const paths = new Set<string>();
  const list = `${field}.volumeMounts`;
  for (const [mount, path] of mounts) {
    const name = textIn(mount, "name");
    const mountPath = textIn(mount, "mountPath");
    if (name === "") yield required(`${path}.name`);
    if (!volumes.has(name)) yield notFound(`${path}.name`, name);
    if (mountPath === "") yield required(`${path}.mountPath`);
    if (paths.has(mountPath)) yield invalid(`${path}.mountPath`, mountPath, "must be unique");
    paths.add(mountPath);
    if (devices.has(name)) {
      yield invalid(`${path}.name`, name, "must not already exist in volumeDevices");
    }
    if (devicePaths.has(mountPath)) {
      const detail = "must not already exist as a path in volumeDevices";
      yield invalid(`${path}.mountPath`, mountPath, detail);
    }
    yield* subPathErrors(mount, path, list);
    yield* propagationErrors(mount, container, `${list}.mountPropagation`);
    yield* recursiveReadOnlyErrors(mount, `${list}.recursiveReadOnly`);
  }
}

function* subPathErrors(mount: JsonObject, path: string, list: string): FoundErrors {
  const subPath = textIn(mount, "subPath");
  const expression = textIn(mount, "subPathExpr");
  if (subPath !== "") yield* descendingPathErrors(subPath, `${list}.subPath`);
  if (expression === "") return;
  if (subPath !== "") {
    const detail = "subPathExpr and subPath are mutually exclusive";
    yield invalid(`${path}.subPathExpr`, expression, detail);
  }
  yield* descendingPathErrors(expression, `${list}.subPathExpr`);
}

function* propagationErrors(mount: JsonObject, container: JsonObject, field: string): FoundErrors {
  const propagation = optionalTextIn(mount, "mountPropagation");
  if (propagation === undefined) return;
  yield* choiceErrors(field, propagation, ["Bidirectional", "HostToContainer", "None"]);
  const isPrivileged = flagIn(mapIn(container, "securityContext"), "privileged") === true;
  if (propagation === "Bidirectional" && !isPrivileged) {
    const detail = "Bidirectional mount propagation is available only to privileged containers";
    yield forbidden(field, detail);
  }
}

function* recursiveReadOnlyErrors(mount: JsonObject, field: string): FoundErrors {
  const choice = optionalTextIn(mount, "recursiveReadOnly");
  if (choice === undefined || choice === "Disabled") return;
  const choices = ["Disabled", "Enabled", "IfPossible"];
  if (!choices.includes(choice)) {
    yield notSupported(field, choice, choices);
    return;
  }
  if (flagIn(mount, "readOnly") !== true) {
    yield forbidden(field, "may only be specified when readOnly is true");
  }
  if ((optionalTextIn(mount, "mountPropagation") ?? "None") !== "None") {
    const detail = "may only be specified when mountPropagation is None or not specified";
    yield forbidden(field, detail);
  }
}

/**
 * Yields the errors in the block devices of a container.
 *
 * @see Kubernetes `ValidateVolumeDevices`
 */
export function* volumeDeviceErrors(
  container: JsonObject,
  volumes: Volumes,
  field: string,
): FoundErrors {
  const devices = elementsIn(container, "volumeDevices", field);
  if (devices.length === 0) return;
  const mounts = pathsByName(container, "volumeMounts", "mountPath");
  const mountPaths = new Set(mounts.values());
  const paths = new Set<string>();
  const names = new Set<string>();
  for (const [device, path] of devices) {
    const name = textIn(device, "name");
    const devicePath = textIn(device, "devicePath");
    const [nameField, pathField] = [`${path}.name`, `${path}.devicePath`];
    if (name === "") yield required(nameField);
    if (names.has(name)) yield invalid(nameField, name, "must be unique");
    yield* deviceVolumeErrors(name, volumes, nameField);
    if (devicePath === "") yield required(pathField);
    if (paths.has(devicePath)) yield invalid(pathField, devicePath, "must be unique");
    if (hasBacksteps(devicePath)) {
      yield invalid(pathField, devicePath, "can not contain backsteps ('..')");
    } else paths.add(devicePath);
    if (mounts.has(name)) {
      yield invalid(nameField, name, "must not already exist in volumeMounts");
    }
    if (mountPaths.has(devicePath)) {
      yield invalid(pathField, devicePath, "must not already exist as a path in volumeMounts");
    }
    if (name !== "") names.add(name);
  }
}

function* deviceVolumeErrors(name: string, volumes: Volumes, field: string): FoundErrors {
  const volume = volumes.get(name);
  if (volume === undefined) yield notFound(field, name);
  else if (!hasMember(volume, "persistentVolumeClaim") && !hasMember(volume, "ephemeral")) {
    const detail =
      "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode";
    yield invalid(field, name, detail);
  }
}

function pathsByName(
  container: JsonObject,
  list: string,
  pathMember: string,
): ReadonlyMap<string, string> {
  return new Map(
    elementsIn(container, list, "").map(([use]) => [textIn(use, "name"), textIn(use, pathMember)]),
  );
}
