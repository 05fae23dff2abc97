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
  PRIORITY_KEY,
} from "@jobset-ts/api/keys";
import type { Context, Snapshot } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import { podAdmissionLaws } from "./pod-admission-laws.ts";
import { leadersGetPodAffinity } from "./pod-mutation-laws.ts";
import {
  type AnyObject,
  allowRequest,
  changeAnnotations,
  correctWebhooks,
  podOfTrain,
  webhooksIgnoring,
  webhooksWithQuirks,
} from "./testing/pod-webhooks.ts";
import { expectCaught, findViolation, seeds } from "./testing/webhooks.ts";
import { type Webhooks, webhooksFromFunctions } from "./webhook.ts";

describe("the laws about the mutation of Pods", () => {
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
  ])("a Pod law catches a webhook that %s", async (_, wrong, law) => {
    await expectCaught(podAdmissionLaws.get(law), { ...correctWebhooks, ...wrong });
  });
});

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

function exclusiveIfLeader(annotations: AnyObject) {
  return annotations?.[JOB_COMPLETION_INDEX_KEY] === "0"
    ? { [EXCLUSIVE_TOPOLOGY_KEY]: "rack", ...annotations }
    : annotations;
}
