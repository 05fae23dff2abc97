import type { FieldError } from "./field-error.ts";
import type { JobSet } from "./jobset.ts";
import { isObject } from "./members.ts";
import { failurePolicyRuleName } from "./names.ts";
import { identityErrors, jobSetDecodeErrors } from "./typed/decode-jobset.ts";
import { getMember, isAbsent } from "./typed/json-object.ts";
import { reserializeAndCheck } from "./typed/serialise.ts";
import { mapShared } from "./typed/shared-list.ts";
import type { Unvalidated } from "./unvalidated.ts";

/**
 * Fills in what JobSet's mutating webhook fills in when a JobSet is created; it does not act on updates.
 *
 * | member | acts when | becomes |
 * |---|---|---|
 * | `spec.successPolicy` | absent | `{ operator: "All" }` |
 * | `spec.startupPolicy` | absent | `{ startupPolicyOrder: "AnyOrder" }` |
 * | `…replicatedJobs[].template.spec.completionMode` | absent | `Indexed` |
 * | `…replicatedJobs[].template.spec.template.spec.restartPolicy` | absent or empty | `OnFailure` |
 * | `spec.network` | absent | `{}`, and then its members |
 * | `spec.network.enableDNSHostnames` | absent | `true` |
 * | `spec.network.publishNotReadyAddresses` | absent | `true` |
 * | `spec.failurePolicy.rules[].name` | absent or empty | `failurePolicyRule<index>` |
 * | `spec.volumeClaimPolicies[].retentionPolicy` | absent | `{ whenDeleted: "Delete" }` |
 *
 * Null is absent; `{}` counts as present and does not change. A rule's index counts named rules, too, and the
 * webhook does not check whether another rule already has that name. Missing objects on the way to a default are
 * created. The steps are independent and idempotent, and nothing else changes. The defaults of the API server's
 * schema (`groupName`, `replicas`, `restartStrategy`) are a separate step, before and after this one.
 *
 * @param jobSet - any JSON value; a member of the wrong type does not change
 * @returns the same object if nothing is missing; unchanged parts are shared with the input
 * @see JobSet `pkg/webhooks`, `jobSetWebhook.Default`
 * @example defaultJobSet({ spec: { network: { subdomain: "net" } } }).spec.network // => { subdomain: "net", enableDNSHostnames: true, publishNotReadyAddresses: true }
 */
export function defaultJobSet<Received extends Unvalidated<JobSet>>(jobSet: Received): Received {
  if (isAbsent(jobSet)) return jobSet;
  return changeAt(jobSet, "spec", defaultSpec) as Received;
}

/** The response of JobSet's mutating webhook to the creation of a JobSet. */
type DefaultedRequest =
  | {
      readonly allowed: false;
      /** HTTP 400, Bad Request. */
      readonly code: 400;
      /** Why the object cannot be read as a JobSet, with as many errors as one response can hold. */
      readonly errors: readonly [FieldError, ...FieldError[]];
      /** The number of further errors. */
      readonly omitted: number;
    }
  | {
      readonly allowed: true;
      /** The object after the webhook's patch. */
      readonly jobSet: Unvalidated<JobSet>;
      /** Whether there is a patch. If not, `jobSet` is the object that was sent. */
      readonly changed: boolean;
    };

/**
 * Responds to a request to create a JobSet as the mutating webhook does: {@link defaultJobSet} and its side effects.
 *
 * The webhook returns the whole object as its Go types encode it. So if a default is filled in, quantities get their
 * canonical text, and members that the types always print are added, such as `status: { restarts: 0 }`, which the API
 * server drops.
 *
 * @param object - any JSON value, as in the request
 * @param options.alwaysSerialize - returns the whole object even if no default was filled in, as releases do up to v0.11
 * @returns a rejection if the object is of another kind or cannot be decoded: a wrong JSON type, an integer with a fraction
 * or out of range, an invalid quantity or time
 * @example defaultJobSetRequest({ kind: "Job" }).allowed // => false
 */
export function defaultJobSetRequest(
  object: unknown,
  options: { readonly alwaysSerialize?: boolean } = {},
): DefaultedRequest {
  const received = object as Unvalidated<JobSet>;
  const defaulted = defaultJobSet(received);
  const changed = defaulted !== received || options.alwaysSerialize === true;
  // A default has the right type, so everything decodes if it decoded before.
  const written = changed
    ? reserializeAndCheck(defaulted, "JobSet")
    : { value: received, decodes: false };
  if (!written.decodes || identityErrors(object).length > 0) {
    const { errors, omitted } = jobSetDecodeErrors(object);
    const [first, ...others] = errors;
    if (first !== undefined)
      return { allowed: false, code: 400, errors: [first, ...others], omitted };
  }
  return { allowed: true, jobSet: written.value as Unvalidated<JobSet>, changed };
}

function defaultSpec(received: unknown): unknown {
  let spec = changeAt(received, "successPolicy", defaultIfAbsent({ operator: "All" }));
  spec = changeAt(spec, "startupPolicy", defaultIfAbsent({ startupPolicyOrder: "AnyOrder" }));
  spec = changeAt(spec, "replicatedJobs", (jobs) => mapElements(jobs, defaultReplicatedJob));
  spec = changeAt(spec, "network", defaultNetwork);
  spec = changeAt(spec, "failurePolicy", defaultFailurePolicy);
  return changeAt(spec, "volumeClaimPolicies", (policies) =>
    mapElements(policies, defaultVolumeClaimPolicy),
  );
}

function defaultReplicatedJob(replicatedJob: unknown): unknown {
  return changeAt(replicatedJob, "template", (template) =>
    changeAt(template, "spec", (received) => {
      const jobSpec = changeAt(received, "completionMode", defaultIfAbsent("Indexed"));
      return changeAt(jobSpec, "template", (podTemplate) =>
        changeAt(podTemplate, "spec", (podSpec) =>
          changeAt(podSpec, "restartPolicy", defaultIfEmpty("OnFailure")),
        ),
      );
    }),
  );
}

function defaultNetwork(received: unknown): unknown {
  const network = changeAt(received, "enableDNSHostnames", defaultIfAbsent(true));
  return changeAt(network, "publishNotReadyAddresses", defaultIfAbsent(true));
}

function defaultFailurePolicy(failurePolicy: unknown): unknown {
  if (isAbsent(failurePolicy)) return failurePolicy;
  return changeAt(failurePolicy, "rules", (rules) =>
    mapElements(rules, (rule, index) =>
      changeAt(rule, "name", defaultIfEmpty(failurePolicyRuleName(index))),
    ),
  );
}

function defaultVolumeClaimPolicy(policy: unknown): unknown {
  return changeAt(policy, "retentionPolicy", defaultIfAbsent({ whenDeleted: "Delete" }));
}

type Change = (received: unknown) => unknown;

function defaultIfAbsent(fallback: unknown): Change {
  return (received) => received ?? fallback;
}

function defaultIfEmpty(fallback: string): Change {
  return (received) => (isAbsent(received) || received === "" ? fallback : received);
}

/**
 * Returns the object with one member changed, or the same object if the change has no effect. An absent object counts
 * as `{}`. Values that are not objects stay as they are.
 */
function changeAt(object: unknown, name: string, change: Change): unknown {
  const present = object ?? {};
  if (!isObject(present)) return object;
  const before = getMember(present, name);
  const after = change(before);
  if (Object.is(after, before)) return object;
  const changed: Record<string, unknown> = { ...present };
  changed[name] = after;
  return changed;
}

/**
 * Returns the list with every element changed, or the same list if nothing changes. Values that are not lists do not
 * change.
 */
function mapElements(list: unknown, change: (element: unknown, index: number) => unknown): unknown {
  return Array.isArray(list) ? mapShared<unknown>(list, change) : list;
}
