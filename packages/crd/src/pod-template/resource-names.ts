import { invalid, notSupported } from "@jobset-ts/api/errors";
import { validateQualifiedName } from "@jobset-ts/api/kubernetes";
import { jsonQuote } from "@jobset-ts/api/text";
import type { FoundErrors } from "../found-errors.ts";

const HUGE_PAGES_PREFIX = "hugepages-";
const QUOTA_PREFIX = "requests.";

const containerResources: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "cpu",
  "memory",
  "ephemeral-storage",
]);

/** The resources without a domain that Kubernetes defines, for containers, volumes and quotas. */
const standardResources: ReadonlySet<string> = /* @__PURE__ */ new Set([
  ...containerResources,
  ...["cpu", "memory", "ephemeral-storage", "storage"].map((name) => `requests.${name}`),
  ...["cpu", "memory", "ephemeral-storage"].map((name) => `limits.${name}`),
  ...["pods", "resourcequotas", "services", "replicationcontrollers", "secrets", "configmaps"],
  ...["persistentvolumeclaims", "storage", "services.nodeports", "services.loadbalancers"],
]);

/** The standard resources that only come in whole numbers. */
const countedResources: ReadonlySet<string> = /* @__PURE__ */ new Set([
  ...["pods", "resourcequotas", "services", "replicationcontrollers", "secrets", "configmaps"],
  ...["persistentvolumeclaims", "services.nodeports", "services.loadbalancers"],
]);

export function isHugePages(name: string): boolean {
  return name.startsWith(HUGE_PAGES_PREFIX);
}

/** Returns the size in the name of a huge page resource, as a quantity. */
export function getPageSize(name: string): string {
  return name.slice(HUGE_PAGES_PREFIX.length);
}

/** Reports whether requests may be lower than limits. */
export function allowsOvercommit(name: string): boolean {
  return isNative(name) && !isHugePages(name);
}

/** Reports whether a resource comes in whole numbers only, as devices do. */
export function isCounted(name: string): boolean {
  return countedResources.has(name) || isExtended(name);
}

function isNative(name: string): boolean {
  return !name.includes("/") || name.includes("kubernetes.io/");
}

/** An extended resource has a domain, and is short enough for a quota of its requests. */
function isExtended(name: string): boolean {
  if (isNative(name) || name.startsWith(QUOTA_PREFIX)) return false;
  return validateQualifiedName(`${QUOTA_PREFIX}${name}`).length === 0;
}

/**
 * Yields why a container cannot have a resource.
 *
 * @see Kubernetes `validateContainerResourceName`
 */
export function* containerResourceNameErrors(name: string, field: string): FoundErrors {
  yield* resourceNameErrors(name, field);
  if (!name.includes("/")) {
    if (containerResources.has(name) || isHugePages(name)) return;
    yield invalidName(name, field, "must be a standard resource for containers");
  } else if (!isNative(name) && !isExtended(name)) {
    yield invalidName(name, field, "doesn't follow extended resource name standard");
  }
}

/** Yields why a Pod as a whole cannot have a resource. */
export function* podResourceNameErrors(name: string, field: string): FoundErrors {
  const errors = [...resourceNameErrors(name, field)];
  yield* errors;
  if (errors.length > 0 || name === "cpu" || name === "memory" || isHugePages(name)) return;
  yield notSupported(field, name, ["cpu", HUGE_PAGES_PREFIX, "memory"], jsonQuote(name));
}

function* resourceNameErrors(name: string, field: string): FoundErrors {
  const messages = validateQualifiedName(name);
  for (const message of messages) yield invalidName(name, field, message);
  if (messages.length > 0 || name.includes("/") || isStandard(name)) return;
  yield invalidName(name, field, "must be a standard resource type or fully qualified");
}

function isStandard(name: string): boolean {
  return (
    standardResources.has(name) ||
    isHugePages(name) ||
    name.startsWith(`${QUOTA_PREFIX}${HUGE_PAGES_PREFIX}`)
  );
}

function invalidName(name: string, field: string, detail: string) {
  return invalid(field, name, detail, jsonQuote(name));
}
