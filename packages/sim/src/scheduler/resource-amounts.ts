import {
  asArray,
  asRecord,
  type Container,
  isObject,
  type PodSpec,
  parseQuantity,
} from "@jobset-ts/api/kubernetes";

/** Amounts by resource: CPU in thousandths, all others in whole units, rounded up. Zeros are omitted. */
export type Amounts = Readonly<Record<string, number>>;

export const NO_AMOUNTS: Amounts = {};

/** The resource that counts Pods. Each Pod uses one. */
export const PODS = "pods";

/**
 * Returns the resource requests of a Pod: the larger of all containers together and the largest init container, since
 * init containers run one after the other. Sidecars (restartable init containers) count with both. A limit without a
 * request counts as the request.
 *
 * @see Kubernetes `resource.PodRequests`
 */
export function getPodRequests(spec: PodSpec): Amounts {
  const inits = asArray(spec.initContainers).filter(isObject);
  let running = asArray(spec.containers)
    .filter(isObject)
    .reduce((sum, container) => addAmounts(sum, getContainerRequests(container)), NO_AMOUNTS);
  let sidecars = NO_AMOUNTS;
  let starting = NO_AMOUNTS;
  for (const container of inits) {
    const requests = getContainerRequests(container);
    if (container.restartPolicy === "Always") {
      sidecars = addAmounts(sidecars, requests);
      running = addAmounts(running, requests);
      starting = maxAmounts(starting, sidecars);
    } else {
      starting = maxAmounts(starting, addAmounts(sidecars, requests));
    }
  }
  return addAmounts(maxAmounts(running, starting), parseAmounts(spec.overhead));
}

/** Parses the quantities of a resource map. Invalid quantities count as zero. */
export function parseAmounts(quantities: Readonly<Record<string, unknown>> | undefined): Amounts {
  const entries = Object.entries(asRecord(quantities)).map(
    ([resource, quantity]) => [resource, parseAmount(resource, quantity)] as const,
  );
  return Object.fromEntries(entries.filter(([, amount]) => amount !== 0));
}

export function addAmounts(one: Amounts, other: Amounts): Amounts {
  if (one === NO_AMOUNTS) return other;
  const sum: Record<string, number> = { ...one };
  for (const resource in other) sum[resource] = (sum[resource] ?? 0) + (other[resource] ?? 0);
  return sum;
}

export function subtractAmounts(one: Amounts, other: Amounts): Amounts {
  const rest: Record<string, number> = { ...one };
  for (const resource in other) rest[resource] = (rest[resource] ?? 0) - (other[resource] ?? 0);
  return rest;
}

function maxAmounts(one: Amounts, other: Amounts): Amounts {
  const larger: Record<string, number> = { ...one };
  for (const resource in other) {
    larger[resource] = Math.max(larger[resource] ?? 0, other[resource] ?? 0);
  }
  return larger;
}

/** The Pods of a template share their containers, and stored objects are immutable. */
const containerRequests = new WeakMap<Container, Amounts>();

function getContainerRequests(container: Container): Amounts {
  let amounts = containerRequests.get(container);
  if (amounts === undefined) {
    const { requests, limits } = asRecord(container.resources);
    amounts = parseAmounts({ ...asRecord(limits), ...asRecord(requests) });
    containerRequests.set(container, amounts);
  }
  return amounts;
}

function parseAmount(resource: string, quantity: unknown): number {
  const parsed = parseQuantity(quantity);
  if (!parsed.ok) return 0;
  const { mantissa, exponent } = parsed.value;
  const power = exponent + (resource === "cpu" ? 3 : 0);
  const whole = Number(mantissa);
  return Math.ceil(power < 0 ? whole / 10 ** -power : whole * 10 ** power);
}
