import {
  mutateJobSet,
  mutatePod,
  requiredObjects,
  review,
  type WebhookRequest,
} from "@jobset-ts/admission";
import { type Context, createContext, createSnapshot, type Snapshot } from "@jobset-ts/core";
import {
  a,
  Capability,
  type PeprMutateRequest,
  type PeprValidateRequest,
  RegisterKind,
} from "pepr";
import { read } from "./cluster-reader.ts";

type KubernetesObject = InstanceType<typeof a.GenericKind>;

class JobSet extends a.GenericKind {}
RegisterKind(JobSet, {
  group: "jobset.x-k8s.io",
  version: "v1alpha2",
  kind: "JobSet",
  plural: "jobsets",
});

/**
 * The four webhooks of JobSet. Pepr first runs its mutating webhook for a kind, then the other mutating webhooks run,
 * and then Pepr validates.
 */
export const JobSetWebhooks = new Capability({
  name: "jobset-webhooks",
  description: "Defaults and validates JobSets and the placement of their Pods",
});
const { When } = JobSetWebhooks;

When(JobSet)
  .IsCreated()
  .Mutate((request) => mutate(request, mutateJobSet))
  .Validate(validate);
When(JobSet)
  .IsUpdated()
  .Mutate((request) => mutate(request, mutateJobSet))
  .Validate(validate);
When(a.Pod)
  .IsCreated()
  .Mutate((request) => mutate(request, mutatePod))
  .Validate(validate);

/**
 * Applies the library's changes to the object. Pepr computes the patch.
 *
 * @throws the reason if the changes cannot be determined; Pepr has no other way to deny a request here
 */
async function mutate<Kind extends KubernetesObject>(
  request: PeprMutateRequest<Kind>,
  webhook: typeof mutateJobSet | typeof mutatePod,
): Promise<void> {
  const context = createContext({ now: Date.now() });
  const snapshot = await readSnapshot(request.Request, "mutate", context);
  const mutated = webhook(request.Request as WebhookRequest, snapshot, context);
  if (!mutated.allowed) throw new Error(denialText(request.Request, snapshot, context));
  if (mutated.changed) request.Merge(mutated.object as Parameters<typeof request.Merge>[0]);
}

/** Pepr logs the thrown error, so it contains no values of the object. */
function denialText(request: object, snapshot: Snapshot, context: Context): string | undefined {
  const { response } = review(createReview(request), snapshot, context, {
    stage: "mutate",
    redact: true,
  });
  return response.response.status.message;
}

async function validate<Kind extends KubernetesObject>(request: PeprValidateRequest<Kind>) {
  const context = createContext({ now: Date.now() });
  const snapshot = await readSnapshot(request.Request, "validate", context);
  const { response } = review(createReview(request.Request), snapshot, context, {
    stage: "validate",
    redact: true,
  });
  const { allowed, status, warnings = [] } = response.response;
  return allowed
    ? request.Approve([...warnings])
    : request.Deny(status?.message, status?.code, [...warnings]);
}

/** Reads all objects that a decision depends on. The objects that were read may lead to further reads. */
async function readSnapshot(request: object, stage: "mutate" | "validate", context: Context) {
  const sent = createReview(request);
  let snapshot = createSnapshot([]);
  for (;;) {
    const required = requiredObjects(sent, snapshot, context, { stage });
    if (required.length === 0) return snapshot;
    snapshot = await read(snapshot, required);
  }
}

/** Pepr passes only the request. The library expects the whole review. */
function createReview(request: object) {
  return { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request };
}
