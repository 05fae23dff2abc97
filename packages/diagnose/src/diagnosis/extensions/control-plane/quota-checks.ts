import type { Unvalidated } from "@jobset-ts/api";
import {
  asArray,
  asRecord,
  type Container,
  canonicalQuantity,
  getName,
  getNamespace,
  isObject,
  type KubernetesObject,
  parseQuantity,
} from "@jobset-ts/api/kubernetes";
import {
  createKey,
  type DiagnosisCheck,
  fail,
  fieldEvidence,
  pass,
} from "../../checks/check-results.ts";
import type { JobView } from "../../view/jobset-view.ts";

interface ResourceQuota extends KubernetesObject {
  readonly spec?: { readonly scopes?: readonly string[]; readonly scopeSelector?: object };
  readonly status?: Readonly<Partial<Record<"hard" | "used", Readonly<Record<string, unknown>>>>>;
}

/**
 * Finds the ResourceQuota because of which the API server rejects the Pods of a Job. It matters if the Events with the
 * server's error have expired.
 */
export const quotaChecks: readonly DiagnosisCheck<JobView>[] = [
  { id: "quota-exhausted", causes: [], run: checkQuotas },
];

function checkQuotas({ job, name, numbers, failedCreation, replicatedJob }: JobView) {
  if (job === undefined || !numbers.missing || failedCreation !== undefined) return pass;
  const { facts, namespace } = replicatedJob.jobSet;
  const requests = sumRequests(asArray(asRecord(job.spec?.template?.spec).containers));
  for (const quota of facts.objects<ResourceQuota>("ResourceQuota", "")) {
    const { scopes, scopeSelector } = asRecord(quota.spec);
    // Only some Pods count towards a quota with scopes.
    if (getNamespace(quota) !== namespace || asArray(scopes).length > 0 || isObject(scopeSelector))
      continue;
    const exhausted = findExhausted(quota, requests);
    if (exhausted === undefined) continue;
    const { resource, used, hard, request } = exhausted;
    const object = createKey("ResourceQuota", quota);
    const text = `ResourceQuota ${getName(quota)} has no room for another pod of ${name}: ${resource}: ${used} of ${hard} used, and a pod needs ${request}`;
    return fail(text, {
      objects: [object],
      evidence: [fieldEvidence(object, `status.used[${resource}]`, `${used} of ${hard}`)],
      advice: [
        `free quota or raise it, then the controller retries: run \`kubectl describe resourcequota ${getName(quota)} -n ${namespace}\``,
      ],
      group: `${getName(quota)} ${resource}`,
    });
  }
  return pass;
}

/** Returns the first resource of which a quota has not enough left for a Pod. Amounts are texts. */
function findExhausted(quota: Unvalidated<ResourceQuota>, requests: ReadonlyMap<string, bigint>) {
  const status = asRecord(quota.status);
  const used = asRecord(status.used);
  for (const [resource, hard] of Object.entries(asRecord(status.hard))) {
    const request = requests.get(resource) ?? 0n;
    const [most, now] = [readNano(hard), readNano(used[resource])];
    if (request === 0n || most === undefined || now === undefined || now + request <= most)
      continue;
    const [usedText, hardText, requestText] = [now, most, request].map(formatNano);
    return { resource, used: usedText, hard: hardText, request: requestText };
  }
  return undefined;
}

/**
 * Returns the amounts that a Pod adds to a quota, by the names that a quota has for them. Init containers are ignored, so
 * an amount may be too small.
 */
function sumRequests(containers: readonly Unvalidated<Container>[]): ReadonlyMap<string, bigint> {
  const sums = new Map([
    ["pods", ONE],
    ["count/pods", ONE],
  ]);
  const add = (name: string, amount: unknown) =>
    sums.set(name, (sums.get(name) ?? 0n) + (readNano(amount) ?? 0n));
  for (const container of containers) {
    const { requests, limits } = asRecord(asRecord(container).resources);
    // Without a request, the limit is the request.
    const all = { ...asRecord(limits), ...asRecord(requests) };
    for (const [name, amount] of Object.entries(all)) {
      add(name, amount);
      add(`requests.${name}`, amount);
    }
    for (const [name, amount] of Object.entries(asRecord(limits))) add(`limits.${name}`, amount);
  }
  return sums;
}

/** The number 1 in the unit of {@link readNano}. */
const ONE = 10n ** 9n;

/** The maximum exponent of a quantity that is added. Larger ones have more digits than any real cluster needs. */
const MAX_EXPONENT = 30;

/** Returns an amount in billionths, the smallest part of a quantity. Undefined for other values and for huge ones. */
function readNano(amount: unknown): bigint | undefined {
  const parsed = parseQuantity(amount);
  if (!parsed.ok || parsed.value.exponent > MAX_EXPONENT) return undefined;
  return parsed.value.mantissa * 10n ** BigInt(parsed.value.exponent + 9);
}

function formatNano(amount: bigint): string {
  return canonicalQuantity(`${amount}n`) ?? "";
}
