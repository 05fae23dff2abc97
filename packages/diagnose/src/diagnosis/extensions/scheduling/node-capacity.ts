import { asArray, asRecord, getName, isObject, parseQuantity } from "@jobset-ts/api/kubernetes";
import type { ClusterIndex } from "../../view/cluster-facts.ts";
import { memoize, memoizeByObject } from "../../view/memoize.ts";
import type { PodInJob } from "../../view/pod-view.ts";
import { listTaintedNodes } from "./taints.ts";

/** Why a resource is not sufficient for a Pod on any node, even on an empty one. */
export interface Shortage {
  readonly text: string;
  readonly advice: string;
}

/**
 * Reports that no node of the cluster offers a resource that a container of the Pod requests. Undefined otherwise, and if
 * several containers request it.
 */
export function findShortage(view: PodInJob, resource: string): Shortage | undefined {
  const { facts } = view;
  if (!facts.wasRead("Node") || facts.snapshot.nodes.length === 0) return undefined;
  if (largestOf(facts)(resource).value > 0 || !getRequest(view, resource)?.value) return undefined;
  const broken = brokenOf(facts)(resource);
  if (broken !== undefined) {
    const name = getName(broken);
    return {
      text: `node ${name} has ${resource}, but offers none of it`,
      advice: `check the device plugin of node ${name}: kubectl get pods -A -o wide --field-selector spec.nodeName=${name}`,
    };
  }
  return {
    text: `no node offers ${resource}`,
    advice: `add nodes that offer ${resource}; if nodes have such devices, check their drivers and device plugins: kubectl describe nodes`,
  };
}

/**
 * Reports whether only nodes with a taint that the Pod does not tolerate offer as much of a resource as the Pod
 * requests. Then the nodes that lack it are not for such Pods, and neither more nor fewer Pods on them help.
 */
export function isOnlyOnTainted(view: PodInJob, resource: string): boolean {
  const { value = 0 } = getRequest(view, resource) ?? none;
  if (value === 0 || !view.facts.wasRead("Node")) return false;
  const offering = offeringOf(view.facts)(JSON.stringify([resource, value]));
  if (offering.length === 0) return false;
  const tainted = listTaintedNodes(view);
  return offering.every((name) => tainted.has(name));
}

/** The names of the nodes that offer an amount of a resource. Many Pods request the same amount. */
const offeringOf = /* @__PURE__ */ memoizeByObject(({ snapshot }: ClusterIndex) =>
  memoize((request) => {
    const [resource, value]: readonly [string, number] = JSON.parse(request);
    return snapshot.nodes
      .filter(
        ({ status }) =>
          (readAmount(asRecord(status?.allocatable), resource) ?? none).value >= value,
      )
      .map(getName);
  }),
);

/** An amount of a resource. The value is rounded, which is enough to compare. */
interface Amount {
  readonly value: number;
  readonly text: string;
}

const none: Amount = { value: 0, text: "0" };

/** The largest amount of each resource that a node offers. */
const largestOf = /* @__PURE__ */ memoizeByObject(({ snapshot }: ClusterIndex) =>
  memoize((resource) =>
    snapshot.nodes
      .map(({ status }) => readAmount(asRecord(status?.allocatable), resource) ?? none)
      .reduce((one, other) => (one.value < other.value ? other : one), none),
  ),
);

/** A node that has a resource. Nodes offer less than they have if a device plugin does not run, or finds devices unhealthy. */
const brokenOf = /* @__PURE__ */ memoizeByObject(({ snapshot }: ClusterIndex) =>
  memoize((resource) =>
    snapshot.nodes.find(
      ({ status }) => (readAmount(asRecord(asRecord(status).capacity), resource) ?? none).value > 0,
    ),
  ),
);

interface Container {
  readonly resources?: Readonly<Record<"requests" | "limits", Readonly<Record<string, unknown>>>>;
}

/**
 * Returns the amount that a container of the Pod requests. Undefined if no container or several
 * containers request it.
 */
function getRequest({ pod }: PodInJob, resource: string): Amount | undefined {
  const amounts = asArray(pod.pod.spec?.containers as readonly Container[] | undefined)
    .filter(isObject)
    .flatMap(({ resources }) => {
      const { requests, limits } = asRecord(resources) as Partial<NonNullable<typeof resources>>;
      return (
        readAmount(asRecord(requests), resource) ?? readAmount(asRecord(limits), resource) ?? []
      );
    });
  return amounts.length === 1 ? amounts[0] : undefined;
}

function readAmount(
  amounts: Readonly<Record<string, unknown>>,
  resource: string,
): Amount | undefined {
  const parsed = parseQuantity(amounts[resource]);
  if (!parsed.ok) return undefined;
  const { mantissa, exponent, text } = parsed.value;
  return { value: Number(mantissa) * 10 ** exponent, text };
}
