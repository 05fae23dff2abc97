import { forbidden, invalid } from "@jobset-ts/api/errors";
import type { JsonObject } from "@jobset-ts/api/kubernetes";
import type { FoundErrors } from "../found-errors.ts";
import { elementsIn, hasMember, mapIn, objectIn, textIn } from "../members-of.ts";
import { type Amount, add, readAmounts } from "./quantities.ts";
import { isHugePages, podResourceNameErrors } from "./resource-names.ts";
import { resourceErrors } from "./resources.ts";

type Amounts = ReadonlyMap<string, Amount>;

/**
 * Yields the errors in the resources of the Pod as a whole, and with their relation to the resources of containers.
 *
 * @see Kubernetes `validatePodResources`
 */
export function* podResourceErrors(
  spec: JsonObject,
  field: string,
  podClaims: ReadonlySet<string>,
): FoundErrors {
  const resources = objectIn(spec, "resources");
  const path = `${field}.resources`;
  if (resources === undefined) return;
  if (textIn(mapIn(spec, "os"), "name") === "windows") {
    yield forbidden(path, "may not be set for a windows pod");
    return;
  }
  if (hasMember(resources, "claims")) {
    yield forbidden(`${path}.claims`, "claims may not be set for Resources at pod-level");
  }
  yield* resourceErrors(resources, path, podClaims, podResourceNameErrors);
  yield* consistencyErrors(spec, resources, path);
}

function* consistencyErrors(spec: JsonObject, resources: JsonObject, path: string): FoundErrors {
  const requests = readAmounts(mapIn(resources, "requests"));
  const limits = readAmounts(mapIn(resources, "limits"));
  for (const [name, total] of sumContainerAmounts(spec, "requests")) {
    const request = requests.get(name);
    if (request === undefined || total.nanos <= request.nanos) continue;
    const detail = `must be greater than or equal to aggregate container requests of ${total.text}`;
    yield invalid(`${path}.requests[${name}]`, request.text, detail);
  }
  for (const [name, total] of sumContainerAmounts(spec, "limits")) {
    const limit = limits.get(name);
    if (limit === undefined || !isHugePages(name) || total.nanos <= limit.nanos) continue;
    const detail = `must be greater than or equal to aggregate container limits of ${total.text}`;
    yield invalid(`${path}.limits[${name}]`, limit.text, detail);
  }
  for (const [container, , index] of elementsIn(spec, "containers", "")) {
    for (const [name, amount] of readContainerAmounts(container, "limits")) {
      const limit = limits.get(name);
      if (limit === undefined || amount.nanos <= limit.nanos) continue;
      const detail = `must be less than or equal to pod limits of ${limit.text}`;
      yield invalid(`${path}.containers[${index}][${name}].limits`, amount.text, detail);
    }
  }
}

type Kind = "requests" | "limits";

function readContainerAmounts(container: JsonObject, kind: Kind): Amounts {
  return readAmounts(mapIn(mapIn(container, "resources"), kind));
}

/**
 * Returns the maximum of what all containers need at the same time. Init containers run one after another, but sidecars
 * (init containers that always restart) run until the Pod ends.
 */
function sumContainerAmounts(spec: JsonObject, kind: Kind): Amounts {
  const total = new Map<string, Amount>();
  const sidecars = new Map<string, Amount>();
  const initial = new Map<string, Amount>();
  for (const [container] of elementsIn(spec, "containers", "")) {
    addAll(total, readContainerAmounts(container, kind));
  }
  for (const [container] of elementsIn(spec, "initContainers", "")) {
    const amounts = readContainerAmounts(container, kind);
    if (textIn(container, "restartPolicy") === "Always") {
      addAll(total, amounts);
      addAll(sidecars, amounts);
      raiseMaxima(initial, sidecars);
    } else {
      const withSidecars = new Map(amounts);
      addAll(withSidecars, sidecars);
      raiseMaxima(initial, withSidecars);
    }
  }
  raiseMaxima(total, initial);
  return total;
}

function addAll(sums: Map<string, Amount>, amounts: Amounts): void {
  for (const [name, amount] of amounts) {
    const sum = sums.get(name);
    sums.set(name, sum === undefined ? amount : add(sum, amount));
  }
}

function raiseMaxima(maxima: Map<string, Amount>, amounts: Amounts): void {
  for (const [name, amount] of amounts) {
    const maximum = maxima.get(name);
    if (maximum === undefined || amount.nanos > maximum.nanos) maxima.set(name, amount);
  }
}
