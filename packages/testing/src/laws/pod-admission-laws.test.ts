import {
  type MutationResult,
  mutatePod,
  validatePod,
  type WebhookRequest,
} from "@jobset-ts/admission";
import {
  EXCLUSIVE_TOPOLOGY_KEY,
  JOB_COMPLETION_INDEX_KEY,
  JOB_KEY_KEY,
  JOBSET_NAME_KEY,
  PRIORITY_KEY,
} from "@jobset-ts/api/keys";
import { type Context, createContext, type Quirk, type Snapshot } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import { podAdmissionLaws } from "./pod-admission-laws.ts";
import { leadersGetPodAffinity } from "./pod-mutation-laws.ts";
import { expectCaught, findViolation, reformatResponses, seeds } from "./testing/webhooks.ts";
import { type WebhookSubject, type Webhooks, webhooksFromFunctions } from "./webhook.ts";

// biome-ignore lint/suspicious/noExplicitAny: wrong webhooks use values of the wrong type
type AnyObject = any;

const correctWebhooks = webhooksFromFunctions({ mutate: mutatePod, validate: validatePod });
const webhooksWithQuirks = (...quirks: readonly Quirk[]) =>
  webhooksFromFunctions(
    { mutate: mutatePod, validate: validatePod },
    createContext({ now: 0, quirks }),
  );

describe("podAdmissionLaws", () => {
  it.each([...podAdmissionLaws])(
    "the webhooks of jobset-ts satisfy the Pod law %s",
    async (_, law) => {
      for (const seed of seeds)
        expect(await findViolation(law, correctWebhooks, seed)).toBeUndefined();
    },
  );

  it.each([...podAdmissionLaws])(
    "reformatted webhooks of jobset-ts satisfy the Pod law %s",
    async (_, law) => {
      expect(await findViolation(law, reformatResponses(correctWebhooks), 4)).toBeUndefined();
    },
  );

  it("the Pod laws accept any order of expressions in a term, and labels instead of expressions", async () => {
    const reordered = changeTerms(rewordTerm, (terms) => terms.toReversed());
    for (const seed of seeds) {
      const found = await findViolation(
        leadersGetPodAffinity,
        { ...correctWebhooks, ...reordered },
        seed,
      );
      expect(found).toBeUndefined();
    }
  });

  it("the Pod laws accept empty members and repeated values in terms, but not another namespace selector", async () => {
    const equal = changeTerms((term) => ({
      ...term,
      namespaces: [],
      matchLabelKeys: null,
      namespaceSelector: { matchLabels: {}, matchExpressions: [], ...term.namespaceSelector },
      labelSelector: {
        matchExpressions: term.labelSelector.matchExpressions?.map((one: AnyObject) => ({
          ...one,
          ...(one.values && { values: [...one.values, ...one.values] }),
        })),
      },
    }));
    const other = changeTerms(({ namespaceSelector: _, ...term }) => term);
    const find = (changed: Partial<Webhooks>) =>
      findViolation(leadersGetPodAffinity, { ...correctWebhooks, ...changed }, 1);
    expect(await find(equal)).toBeUndefined();
    expect(await find(other)).toBeDefined();
  });

  it("each Pod law has a one-sentence summary", () => {
    for (const [name, { sentence, defects }] of podAdmissionLaws) {
      expect([name, sentence]).toEqual([name, expect.stringMatching(/^[A-Z].*\.$/)]);
      for (const defect of defects) expect(defect).toMatch(/^#\d+$/);
    }
  });

  it.each<[string, Partial<Webhooks>, string]>([
    ["does nothing", { mutate: allowRequest }, "leadersGetPodAffinity"],
    [
      "changes nothing, not even the priority label",
      { mutate: allowRequest },
      "podsHaveTheirPriority",
    ],
    [
      "changes nothing, not even the node selector",
      { mutate: allowRequest },
      "followersGetTheLeadersDomain",
    ],
    [
      "gives leaders no affinity",
      createMutatingWebhook((pod) => drop(pod, "affinity")),
      "leadersGetPodAffinity",
    ],
    [
      "forgets the anti-affinity",
      onAffinity(({ podAffinity }) => ({ podAffinity })),
      "leadersGetPodAffinity",
    ],
    [
      "forgets the affinity",
      onAffinity(({ podAntiAffinity }) => ({ podAntiAffinity })),
      "leadersGetPodAffinity",
    ],
    [
      "repels in its own namespace alone",
      changeTerms(({ namespaceSelector: _, ...term }) => term),
      "leadersGetPodAffinity",
    ],
    [
      "goes by another topology key",
      changeTerms((term) => ({ ...term, topologyKey: "kubernetes.io/hostname" })),
      "leadersGetPodAffinity",
    ],
    [
      "goes by another label than the job key",
      changeTerms((term) => rewriteTerm(term, JOB_KEY_KEY, "job-name")),
      "leadersGetPodAffinity",
    ],
    [
      "repels Jobs of all priorities",
      changeTerms((term) => withoutExpression(term, PRIORITY_KEY)),
      "leadersGetPodAffinity",
    ],
    [
      "drops the template's terms",
      changeTerms(
        (term) => term,
        (terms) => terms.slice(-1),
      ),
      "leadersGetPodAffinity",
    ],
    [
      "gives terms to leaders without exclusive placement",
      mutateWithAnnotations(exclusiveIfLeader),
      "othersAreLeftAlone",
    ],
    [
      "labels exclusive Pods alone",
      createMutatingWebhook((pod, sent) => (isExclusive(sent) ? pod : sent)),
      "podsHaveTheirPriority",
    ],
    [
      "keeps the user's priority label",
      createMutatingWebhook((pod, sent) => withLabel(pod, sent)),
      "podsHaveTheirPriority",
    ],
    ["places Pods of no JobSet", mutateWithAnnotations(podOfTrain), "othersAreLeftAlone"],
    [
      "follows another Job's leader",
      { mutate: webhooksIgnoring("owner").mutate },
      "followersGetNoOtherDomain",
    ],
    [
      "follows a leader that is being deleted",
      { mutate: webhooksIgnoring("deletion").mutate },
      "followersGetNoOtherDomain",
    ],
    [
      "follows a leader that has ended",
      { mutate: webhooksIgnoring("phase").mutate },
      "followersGetNoOtherDomain",
    ],
    [
      "is confused by leaders that ended",
      { mutate: webhooksIgnoring("phase").mutate },
      "followersGetTheLeadersDomain",
    ],
    [
      "keeps the template's domain",
      createMutatingWebhook((pod, sent) => keepSelector(pod, sent)),
      "followersGetTheLeadersDomain",
    ],
    [
      "drops the template's other node selectors",
      createMutatingWebhook((pod) => onlyTopology(pod)),
      "nothingElseIsChanged",
    ],
    [
      "drops members it does not know",
      createMutatingWebhook((pod) => ({ ...pod, spec: { ...pod.spec, containers: [] } })),
      "nothingElseIsChanged",
    ],
    [
      "adds its terms again",
      webhooksWithQuirks("LeaderTermsAppendedAgain"),
      "mutationIsIdempotent",
    ],
    ["writes illegal labels", webhooksWithQuirks("NegativePriorityLabel"), "podsHaveTheirPriority"],
    ["denies everything", { validate: denyRequest }, "readyFollowersAreAdmitted"],
    ["denies everything, even leaders", { validate: denyRequest }, "otherPodsAreAdmitted"],
    ["denies everything, even deletions", { validate: denyRequest }, "onlyCreationsAreValidated"],
    ["admits everything: no leader", { validate: allowRequest }, "followersWaitForALeader"],
    ["admits everything: two leaders", { validate: allowRequest }, "twoLeadersCountAsNone"],
    [
      "admits everything: a leader without a node",
      { validate: allowRequest },
      "followersWaitForTheLeadersNode",
    ],
    [
      "admits everything: other Jobs' leaders",
      { validate: allowRequest },
      "otherJobsLeadersDoNotCount",
    ],
    ["admits everything: ended leaders", { validate: allowRequest }, "leadersThatEndedDoNotCount"],
    [
      "admits everything: no selector",
      { validate: allowRequest },
      "followersRecordTheLeadersDomain",
    ],
    ["admits everything, end to end", { validate: allowRequest }, "followersFollowTheirLeader"],
    [
      "checks the selector before the leader",
      webhooksWithQuirks("FollowerSelectorCheckedFirst"),
      "pendingLeadersAreNotMasked",
    ],
    [
      "counts leaders that failed or succeeded",
      { validate: webhooksIgnoring("phase").validate },
      "leadersThatEndedDoNotCount",
    ],
    [
      "counts leaders that are being deleted",
      { validate: webhooksIgnoring("deletion").validate },
      "leadersThatEndedDoNotCount",
    ],
    [
      "does not compare owners",
      { validate: webhooksIgnoring("owner").validate },
      "otherJobsLeadersDoNotCount",
    ],
    [
      "accepts the first of two leaders",
      { validate: webhooksIgnoring("second").validate },
      "twoLeadersCountAsNone",
    ],
    [
      "accepts a leader of the same name in another namespace",
      { validate: webhooksIgnoring("namespace").validate },
      "followersWaitForALeader",
    ],
    [
      "wants leaders to run",
      { validate: webhooksIgnoring("pending").validate },
      "readyFollowersAreAdmitted",
    ],
    [
      "does not compare domains",
      webhooksWithQuirks("FollowerSelectorValueUnchecked"),
      "followersRecordTheLeadersDomain",
    ],
    [
      "judges Pods of no JobSet",
      {
        validate: (...args) =>
          getAsked(correctWebhooks.validate, args, {
            pod: (pod) => changeAnnotations(pod, exclusiveOfTrain),
          }),
      },
      "otherPodsAreAdmitted",
    ],
    ["judges updates", { validate: reviewUpdates }, "onlyCreationsAreValidated"],
    [
      "throws at what it does not expect",
      { validate: createFragileWebhook },
      "podReviewsGetAResponse",
    ],
    [
      "returns responses with another UID",
      { validate: async (...args) => withUid(await correctWebhooks.validate(...args)) },
      "readyFollowersAreAdmitted",
    ],
  ])("a Pod law catches a webhook that %s", async (_, wrong, law) => {
    await expectCaught(podAdmissionLaws.get(law), { ...correctWebhooks, ...wrong });
  });
});

function allowRequest({ request: { uid } }: Parameters<WebhookSubject>[0]) {
  return createReview({ uid, allowed: true });
}

function denyRequest({ request: { uid } }: Parameters<WebhookSubject>[0]) {
  return createReview({ uid, allowed: false, status: { message: "no" } });
}

function createReview(response: object) {
  return { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response };
}

function withUid(answered: AnyObject) {
  return { ...answered, response: { ...answered.response, uid: "" } };
}

/** Returns a webhook that changes the result of the webhook of jobset-ts. */
function createMutatingWebhook(
  change: (pod: AnyObject, sent: AnyObject) => unknown,
): Partial<Webhooks> {
  const mutate = (
    request: WebhookRequest,
    snapshot: Snapshot,
    context: Context,
  ): MutationResult<unknown> => {
    const result = mutatePod(request, snapshot, context);
    if (!result.allowed) return result;
    return { ...result, object: change(result.object, request.object), changed: true };
  };
  return { mutate: webhooksFromFunctions({ mutate, validate: validatePod }).mutate };
}

function drop(pod: AnyObject, member: string) {
  const { [member]: _, ...spec } = pod.spec;
  return { ...pod, spec };
}

function onAffinity(change: (affinity: AnyObject) => unknown) {
  return createMutatingWebhook((pod) =>
    pod.spec.affinity === undefined
      ? pod
      : { ...pod, spec: { ...pod.spec, affinity: change(pod.spec.affinity) } },
  );
}

const required = "requiredDuringSchedulingIgnoredDuringExecution";

/** Changes the last term of each group, which is the added one, and then all of them. */
function changeTerms(change: (term: AnyObject) => unknown, all = (terms: AnyObject[]) => terms) {
  const group = (one: AnyObject) =>
    one && {
      ...one,
      [required]: all(
        one[required].map((term: AnyObject, index: number) =>
          index === one[required].length - 1 ? change(term) : term,
        ),
      ),
    };
  return onAffinity(({ podAffinity, podAntiAffinity, ...rest }) => ({
    ...rest,
    podAffinity: group(podAffinity),
    podAntiAffinity: group(podAntiAffinity),
  }));
}

function rewriteTerm(term: AnyObject, from: string, to: string) {
  return JSON.parse(JSON.stringify(term).replaceAll(from, to));
}

function rewordTerm(term: AnyObject) {
  const { matchExpressions } = term.labelSelector;
  const [first, ...others] = matchExpressions.toReversed();
  const { key, values } = first;
  return {
    ...term,
    labelSelector: { matchLabels: { [key]: values[0] }, matchExpressions: others },
  };
}

function withoutExpression(term: AnyObject, key: string) {
  const { matchExpressions } = term.labelSelector;
  return {
    ...term,
    labelSelector: {
      matchExpressions: matchExpressions.filter((one: AnyObject) => one.key !== key),
    },
  };
}

function isExclusive(pod: AnyObject) {
  return EXCLUSIVE_TOPOLOGY_KEY in (pod.metadata.annotations ?? {});
}

function withLabel(pod: AnyObject, sent: AnyObject) {
  const own = sent.metadata.labels?.[PRIORITY_KEY];
  if (own === undefined) return pod;
  return {
    ...pod,
    metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, [PRIORITY_KEY]: own } },
  };
}

function keepSelector(pod: AnyObject, sent: AnyObject) {
  return {
    ...pod,
    spec: { ...pod.spec, nodeSelector: { ...pod.spec.nodeSelector, ...sent.spec.nodeSelector } },
  };
}

function onlyTopology(pod: AnyObject) {
  const key = pod.metadata.annotations?.[EXCLUSIVE_TOPOLOGY_KEY];
  const domain = pod.spec.nodeSelector?.[key];
  return domain === undefined
    ? pod
    : { ...pod, spec: { ...pod.spec, nodeSelector: { [key]: domain } } };
}

/** Calls the webhooks of jobset-ts with another Pod or another cluster. */
function getAsked(
  webhook: WebhookSubject,
  [review, cluster]: Parameters<WebhookSubject>,
  change: {
    readonly pod?: (pod: AnyObject) => AnyObject;
    readonly cluster?: (objects: AnyObject[]) => AnyObject[];
  },
) {
  const { object } = review.request;
  const request = { ...review.request, object: change.pod?.(object) ?? object };
  return webhook({ ...review, request }, change.cluster?.([...cluster]) ?? cluster);
}

/** Calls the webhooks of jobset-ts with changed annotations of the Pod. */
function mutateWithAnnotations(annotate: (annotations: AnyObject) => AnyObject): Partial<Webhooks> {
  const mutate = (
    request: WebhookRequest,
    snapshot: Snapshot,
    context: Context,
  ): MutationResult<unknown> => {
    const sent = request.object as AnyObject;
    const result = mutatePod(
      { ...request, object: changeAnnotations(sent, annotate) },
      snapshot,
      context,
    );
    return result.allowed
      ? {
          ...result,
          object: changeAnnotations(result.object, () => sent.metadata.annotations),
          changed: true,
        }
      : result;
  };
  return { mutate: webhooksFromFunctions({ mutate, validate: validatePod }).mutate };
}

function changeAnnotations(
  pod: AnyObject,
  annotate: (annotations: AnyObject) => AnyObject,
): AnyObject {
  return {
    ...pod,
    metadata: { ...pod?.metadata, annotations: annotate(pod?.metadata?.annotations) },
  };
}

function exclusiveIfLeader(annotations: AnyObject) {
  return annotations?.[JOB_COMPLETION_INDEX_KEY] === "0"
    ? { [EXCLUSIVE_TOPOLOGY_KEY]: "rack", ...annotations }
    : annotations;
}

function exclusiveOfTrain(annotations: AnyObject) {
  return podOfTrain({ [EXCLUSIVE_TOPOLOGY_KEY]: "rack", ...annotations });
}

function podOfTrain(annotations: AnyObject) {
  return { ...annotations, [JOBSET_NAME_KEY]: "train" };
}

/** Hides one relevant property from the webhooks of jobset-ts. */
function webhooksIgnoring(
  what: "owner" | "deletion" | "phase" | "second" | "namespace" | "pending",
): Webhooks {
  const seen = new Set<string>();
  const changeView = (one: AnyObject): AnyObject[] => {
    const { metadata, status } = one;
    const so = {
      owner: [{ ...one, metadata: { ...metadata, ownerReferences: sameOwner } }],
      deletion: [{ ...one, metadata: { ...metadata, deletionTimestamp: undefined } }],
      phase: [{ ...one, status: {} }],
      second: isFirst(metadata, seen) ? [one] : [],
      namespace: [
        { ...one, metadata: { ...metadata, namespace: "default", ownerReferences: sameOwner } },
      ],
      pending: status.phase === "Running" ? [one] : [],
    };
    return so[what];
  };
  const cluster = (objects: AnyObject[]): AnyObject[] => {
    seen.clear();
    return objects.flatMap((one) => (one.kind === "Pod" ? changeView(one) : [one]));
  };
  const pod = (one: AnyObject) => {
    const isBlind = what === "owner" || what === "namespace";
    return isBlind ? { ...one, metadata: { ...one.metadata, ownerReferences: sameOwner } } : one;
  };
  return {
    // Only the cluster differs, so the patch applies to the Pod in the request.
    mutate: (...args) =>
      what === "owner"
        ? getAsked(correctWebhooks.mutate, args, { cluster, pod })
        : getAsked(correctWebhooks.mutate, args, { cluster }),
    validate: (...args) => getAsked(correctWebhooks.validate, args, { cluster, pod }),
  };
}

function isFirst({ namespace, name }: AnyObject, seen: Set<string>): boolean {
  const stem = `${namespace}/${name.replace(/[^-]+$/, "")}`;
  if (seen.has(stem)) return false;
  seen.add(stem);
  return true;
}

const sameOwner = [
  { apiVersion: "batch/v1", kind: "Job", name: "some", uid: "same", controller: true },
];

function reviewUpdates(...[review, cluster]: Parameters<WebhookSubject>) {
  const { request } = review;
  return correctWebhooks.validate(
    {
      ...review,
      request: { ...request, operation: "CREATE", object: request.object ?? request.oldObject },
    },
    cluster,
  );
}

function createFragileWebhook(...requests: Parameters<WebhookSubject>) {
  const pod = (requests[0].request.object ?? requests[0].request.oldObject) as AnyObject;
  if (pod.metadata.annotations[JOBSET_NAME_KEY].length === 0) return denyRequest(requests[0]);
  return correctWebhooks.validate(...requests);
}
