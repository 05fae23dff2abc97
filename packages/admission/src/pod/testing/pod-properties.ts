import type { Unvalidated } from "@jobset-ts/api";
import type { Pod } from "@jobset-ts/api/kubernetes";
import {
  type Context,
  createContext,
  createSnapshot,
  type Snapshot,
  UPSTREAM_QUIRKS,
} from "@jobset-ts/core";
import { podAdmissionRequests } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { corrupted } from "../../../../testing/src/arbitraries/hostile-values.ts";
import { claim, claimSame } from "../../../../testing/src/laws/claim.ts";
import { deepFreeze, findFrozenPath } from "../../../../testing/src/testing/freezing.ts";
import type { Denial, MutationResult, ValidationResult, WebhookRequest } from "../../index.ts";
import {
  expectedProblem,
  expectedStageAndProblem,
  findReportedProblem,
  type PodOrderName,
} from "./pod-truth-table.ts";

/** A mutating webhook for Pods. */
export type MutatePod = (
  request: WebhookRequest,
  snapshot: Snapshot,
  context: Context,
) => MutationResult<Unvalidated<Pod>>;

/** A validating webhook for Pods. */
export type ValidatePod = (
  request: WebhookRequest,
  snapshot: Snapshot,
  context: Context,
) => ValidationResult;

/** Both webhooks for Pods, in the order of their calls. */
export interface PodWebhooks {
  readonly mutate: MutatePod;
  readonly validate: ValidatePod;
}

/**
 * While the leader waits for a node, the denial of a follower reports the leader and not the node selector, which could
 * not be set yet (JobSet #1187). This is the smallest state in which a symptom can mask its cause.
 */
export function leaderPendingIsNotMasked(
  subject: ValidatePod,
  context = someContext,
): fc.IProperty<unknown> {
  const pending = podAdmissionRequests({
    role: "Follower",
    missingLabel: undefined,
    activeLeaders: 1,
    owner: "Same",
    scheduled: false,
  });
  return fc.property(pending, ({ pod, objects }) => {
    const result = subject(createCreationRequest(pod), createSnapshotOfAll(objects), context);
    claim(!result.allowed, "a follower is admitted before its leader has a node");
    if (result.allowed) return;
    const { message } = result.denial.status;
    claimSame(findReportedProblem(message), "Scheduled", "the leader that waits is masked");
  });
}

/** The roots of a denial have no failed cause, its symptoms have one, and there is a root or a missing fact. */
export function rootsHaveNoFailingCause(
  subject: ValidatePod,
  context = someContext,
): fc.IProperty<unknown> {
  return fc.property(podAdmissionRequests(), ({ pod, objects }) => {
    const result = subject(createCreationRequest(pod), createSnapshotOfAll(objects), context);
    if (!result.allowed) expectCauses(result.denial);
  });
}

function expectCauses({ roots, symptoms, unknown }: Denial): void {
  const failed = new Set([...roots, ...symptoms].map(({ id }) => id));
  claim(roots.length + unknown.length > 0, "nothing is behind the denial", symptoms);
  for (const root of roots) claimSame(root.causedBy, [], `${root.id} has a failed cause`);
  for (const { id, causedBy } of symptoms) {
    claim(causedBy.length > 0, `${id} has no failed cause`);
    for (const cause of causedBy) claim(failed.has(cause), `${cause} has not failed`);
  }
}

/** The validating webhook decides about a Pod as the truth table does. */
export function podValidationAgreesWithTheTable(
  subject: ValidatePod,
  order: PodOrderName,
  context = someContext,
): fc.IProperty<unknown> {
  return fc.property(podAdmissionRequests(), ({ pod, objects, facts }) => {
    const result = subject(createCreationRequest(pod), createSnapshotOfAll(objects), context);
    claimSame(reportedProblem(result), expectedProblem(facts, order), "something else is said");
  });
}

/** In an idle cluster, both webhooks together admit or deny a Pod as the truth table does. */
export function bothWebhooksAgreeWithTruthTable(
  { mutate, validate }: PodWebhooks,
  order: PodOrderName,
  context = someContext,
): fc.IProperty<unknown> {
  return fc.property(podAdmissionRequests(), ({ pod, objects, facts }) => {
    const snapshot = createSnapshotOfAll(objects);
    const mutated = mutate(createCreationRequest(pod), snapshot, context);
    const final = mutated.allowed
      ? {
          stage: "validate",
          reported: reportedProblem(
            validate(createCreationRequest(mutated.object), snapshot, context),
          ),
        }
      : { stage: "mutate", reported: reportedProblem(mutated) };
    claimSame(final, expectedStageAndProblem(facts, order), "something else is said");
  });
}

/** Two validating webhooks admit the same Pods. Their denials may have different messages. */
export function admitsSamePods(
  one: ValidatePod,
  other: ValidatePod,
  context = someContext,
): fc.IProperty<unknown> {
  return fc.property(podAdmissionRequests(), ({ pod, objects }) => {
    const snapshot = createSnapshotOfAll(objects);
    claimSame(
      one(createCreationRequest(pod), snapshot, context).allowed,
      other(createCreationRequest(pod), snapshot, context).allowed,
      "one lets in what the other refuses",
    );
  });
}

/** Mutating a mutated Pod changes nothing. */
export function mutationIsIdempotent(
  subject: MutatePod,
  context = someContext,
): fc.IProperty<unknown> {
  return fc.property(podAdmissionRequests(), ({ pod, objects }) => {
    const snapshot = createSnapshotOfAll(objects);
    const once = subject(createCreationRequest(pod), snapshot, context);
    if (!once.allowed) return;
    const twice = subject(createCreationRequest(once.object), snapshot, context);
    claim(twice.allowed, "an admitted Pod is denied the second time");
    if (!twice.allowed) return;
    claim(!twice.changed, "a change is announced the second time");
    claimSame(twice.object, once.object, "the Pod changes a second time");
  });
}

/** A mutating webhook reports a change if and only if it makes one. Otherwise, it returns the same Pod object. */
export function changesAreReported(
  subject: MutatePod,
  context = someContext,
): fc.IProperty<unknown> {
  return fc.property(podAdmissionRequests(), ({ pod, objects }) => {
    const result = subject(createCreationRequest(pod), createSnapshotOfAll(objects), context);
    if (!result.allowed) return;
    const isSame = JSON.stringify(result.object) === JSON.stringify(pod);
    claimSame(result.changed, !isSame, "a change is announced wrongly");
    claimSame(result.object === pod, isSame, "an unchanged Pod is copied");
  });
}

/** The result does not depend on the order of the listed objects. */
export function podAdmissionIgnoresListOrder({
  mutate,
  validate,
}: PodWebhooks): fc.IProperty<unknown> {
  const relisted = podAdmissionRequests().chain((request) =>
    fc.tuple(
      fc.constant(request),
      fc.shuffledSubarray([...request.objects], { minLength: request.objects.length }),
    ),
  );
  return fc.property(relisted, ([{ pod, objects }, shuffled]) => {
    const [one, other] = [createSnapshotOfAll(objects), createSnapshotOfAll(shuffled)];
    for (const webhook of [mutate, validate]) {
      const request = createCreationRequest(pod);
      claimSame(
        webhook(request, other, someContext),
        webhook(request, one, someContext),
        "the order shows",
      );
    }
  });
}

/** The webhooks do not change or freeze their input, and return the same result for frozen input. */
export function podAdmissionDoesNotChangeInput({
  mutate,
  validate,
}: PodWebhooks): fc.IProperty<unknown> {
  return fc.property(podAdmissionRequests(), ({ pod, objects }) => {
    const input: { pod: Pod; objects: unknown[] } = JSON.parse(JSON.stringify({ pod, objects }));
    const text = JSON.stringify(input);
    const frozen = deepFreeze(JSON.parse(text));
    for (const webhook of [mutate, validate]) {
      const result = webhook(
        createCreationRequest(input.pod),
        createSnapshotOfAll(input.objects),
        someContext,
      );
      claimSame(JSON.stringify(input), text, "the input has changed");
      claimSame(findFrozenPath(input), undefined, "the input has been frozen");
      claimSame(
        webhook(
          createCreationRequest(frozen.pod),
          createSnapshotOfAll(frozen.objects),
          someContext,
        ),
        result,
        "frozen input has another answer",
      );
    }
  });
}

/**
 * For any Pod and any cluster, the webhooks return a result and do not throw. A denial has a message. The result is
 * plain data, so a JSON round trip does not change it.
 */
export function anyPodGetsResponse({ mutate, validate }: PodWebhooks): fc.IProperty<unknown> {
  const requests = podAdmissionRequests().chain(({ pod, objects }) =>
    fc.record({
      pod: corrupted(fc.constant(pod)),
      objects: corrupted(fc.constant(objects)),
      isRead: fc.boolean(),
      context: fc.constantFrom(someContext, likeUpstream),
    }),
  );
  return fc.property(requests, ({ pod, objects, isRead, context }) => {
    // The objects as returned, and in wire form.
    const wire = JSON.parse(JSON.stringify({ pod: pod ?? null, objects }));
    for (const input of [{ pod, objects }, wire]) {
      const all = [input.objects].flat();
      const snapshot = isRead ? createSnapshotOfAll(all) : createSnapshot(all);
      for (const webhook of [mutate, validate]) {
        const result = webhook(createCreationRequest(input.pod), snapshot, context);
        if (!result.allowed) expectReason(result.denial);
        const sent = JSON.parse(JSON.stringify(result));
        if (input === wire) claimSame(sent, result, "the answer is not plain data");
      }
    }
  });
}

function expectReason({ status, roots, unknown }: Denial): void {
  claim(typeof status.message === "string" && status.message !== "", "nothing is said", status);
  claim(
    Number.isInteger(status.code) && status.code >= 400,
    "the code is not an error code",
    status,
  );
  claim(roots.length + unknown.length > 0, "nothing is behind the denial", status);
}

/** The request to create a Pod. The Pod may be any value. */
function createCreationRequest(pod: unknown): WebhookRequest {
  return { operation: "CREATE", object: pod };
}

/** The webhooks depend neither on the time nor on feature gates. */
const someContext = createContext({ now: "2026-02-07T06:56:19Z" });
const likeUpstream: Context = { ...someContext, quirks: UPSTREAM_QUIRKS };

/** Kinds without objects also count as read. */
function createSnapshotOfAll(objects: readonly unknown[]): Snapshot {
  return createSnapshot(objects, { kinds: ["Pod", "Node", "Event"] });
}

function reportedProblem(result: ValidationResult | MutationResult<unknown>) {
  return result.allowed ? "Admit" : findReportedProblem(result.denial.status.message);
}
