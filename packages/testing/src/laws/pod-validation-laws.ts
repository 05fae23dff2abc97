import { mutatePod, validatePod } from "@jobset-ts/admission";
import { createContext, createSnapshot } from "@jobset-ts/core";
import fc from "fast-check";
import { corrupted } from "../arbitraries/hostile-values.ts";
import { asJson } from "./as-json.ts";
import { arbitraryCase, joinCases, mapCases } from "./enumerated-cases.ts";
import { followers, type Selector } from "./follower-situations.ts";
import type { Law, LawText } from "./law.ts";
import { type LeaderSituation, situationsWithOneLeader } from "./leader-situations.ts";
import type { PodCase } from "./pod-case.ts";
import { listPods } from "./pod-roles.ts";
import { getMemberAt } from "./unexpected-changes.ts";
import type { ValidatingWebhook, Webhooks } from "./webhook.ts";
import { checkDecision, createWebhookLaw, type WebhookCase } from "./webhook-law.ts";
import { callWebhook } from "./webhook-request.ts";

const context = createContext({ now: "2026-02-07T06:56:19Z" });

/** Returns whether JobSet's webhook admits a Pod, and why. */
function getJobSetDecision({ operation, object, oldObject, cluster }: PodCase) {
  const snapshot = createSnapshot(cluster, { kinds: ["Pod", "Node", "Event"] });
  const result = validatePod({ operation, object, oldObject }, snapshot, context);
  return result.allowed
    ? { allowed: true, reason: "the Pod passes all checks" }
    : { allowed: false, reason: result.denial.status.message ?? "" };
}

/** Returns the violation if the webhook does not admit or deny a Pod as JobSet does. */
async function checkPodDecision({ validate }: ValidatingWebhook, generated: PodCase) {
  return checkDecision(await callWebhook(validate, "Pod", generated), getJobSetDecision(generated));
}

/** Creates a law: the webhook admits or denies followers as JobSet does, in a group of situations. */
function createFollowersLaw(
  name: string,
  text: LawText,
  situations: readonly LeaderSituation[],
  selectors: readonly Selector[] = ["Right"],
): Law<ValidatingWebhook> {
  return createWebhookLaw(name, text, followers(situations, selectors), checkPodDecision);
}

/**
 * Other Pods in the cluster do not affect a follower that has the right node selector and a single active leader with a
 * node.
 */
export const readyFollowersAreAdmitted: Law<ValidatingWebhook> = createFollowersLaw(
  "readyFollowersAreAdmitted",
  {
    sentence:
      "The webhook admits a follower if its only active leader has a node and its node selector matches that node's domain.",
    defects: ["#1276"],
  },
  situationsWithOneLeader,
  ["Right", "RightAmongOthers"],
);

/** There is no leader, or the labels of the follower do not identify it. */
export const followersWaitForALeader: Law<ValidatingWebhook> = createFollowersLaw(
  "followersWaitForALeader",
  {
    sentence:
      "The webhook denies a follower if its Job has no leader, or if the labels of the follower do not identify its leader.",
    defects: [],
  },
  [
    "there is no leader",
    "the leader runs",
    "there is no leader, and a label that identifies it is missing",
    "the leader runs, but the follower does not name its JobSet",
    "the leader runs, but the follower does not name its ReplicatedJob",
    "the leader runs, but the follower does not name its Job",
  ],
);

/** With two possible leaders, the domain of the Job is ambiguous. */
export const twoLeadersCountAsNone: Law<ValidatingWebhook> = createFollowersLaw(
  "twoLeadersCountAsNone",
  { sentence: "The webhook denies a follower while its Job has two active leaders.", defects: [] },
  [
    "two leaders run",
    "three leaders run",
    "one leader runs and another waits for a node",
    "the leader runs",
  ],
);

/** Before the leader has a node, the domain of the Job is unknown. */
export const followersWaitForTheLeadersNode: Law<ValidatingWebhook> = createFollowersLaw(
  "followersWaitForTheLeadersNode",
  { sentence: "The webhook denies a follower while its leader has no node.", defects: [] },
  [
    "the leader waits for a node",
    "the leader waits for a node, and no node has capacity",
    "the leader waits for a node beside an earlier one that failed",
    "the leader runs",
    "the leader is bound and has not started",
  ],
);

/** A leader must have the same controller, by UID. After a restart, the leader of the previous Job may still exist. */
export const otherJobsLeadersDoNotCount: Law<ValidatingWebhook> = createFollowersLaw(
  "otherJobsLeadersDoNotCount",
  {
    sentence:
      "The webhook denies a follower if its leader has a different Job, by UID, as its owner.",
    defects: ["#433"],
  },
  [
    "the leader belongs to an earlier Job of the same name",
    "the leader has no owner",
    "the follower has no owner",
    "leader and follower have the same owner, which controls neither",
    "the leader's controller is its second owner",
    "the follower's controller is its second owner",
    "the leader runs",
  ],
);

/** Failed, succeeded and terminating leaders are ignored, and do not hide an active leader. */
export const leadersThatEndedDoNotCount: Law<ValidatingWebhook> = createFollowersLaw(
  "leadersThatEndedDoNotCount",
  {
    sentence: "The webhook ignores a leader that has finished or is being deleted.",
    defects: ["#1021", "#1276"],
  },
  [
    "the only leader has failed",
    "the only leader has succeeded",
    "the only leader is being deleted",
    "the leader runs beside an earlier one that failed",
    "the leader runs beside an earlier one that succeeded",
    "the leader runs beside an earlier one that is being deleted",
  ],
);

/**
 * A follower needs the node selector of its leader's domain. It is denied without one, with one of another key or
 * domain, and if the leader's node has no domain. The node may have changed after the mutating webhook. As in
 * jobset-ts, the value counts. Upstream admits a follower of another domain (quirk `FollowerSelectorValueUnchecked`).
 */
export const followersRecordTheLeadersDomain: Law<ValidatingWebhook> = createFollowersLaw(
  "followersRecordTheLeadersDomain",
  {
    sentence: "The webhook denies a follower without the node selector of its leader's domain.",
    defects: ["#341"],
  },
  [
    "the leader runs",
    "the leader's node is in no domain",
    "the leader's node is in a domain of another key only",
    "the leader's node is gone",
    "the leader runs beside an earlier one that failed",
  ],
  ["None", "OtherKey", "Empty", "OtherDomain", "Right", "RightAmongOthers"],
);

/**
 * Without a node of the leader, the node selector could not be set. The denial must therefore mention the leader or
 * scheduling. It may have any wording, and may also mention the node selector.
 *
 * @see JobSet #1187
 */
export const pendingLeadersAreNotMasked: Law<ValidatingWebhook> = createWebhookLaw(
  "pendingLeadersAreNotMasked",
  {
    sentence:
      "While the leader has no node, a denial reports the leader, and not only the node selector that could not be set.",
    defects: ["#1187"],
  },
  followers(
    [
      "the leader waits for a node",
      "the leader waits for a node, and no node has capacity",
      "the leader waits for a node beside an earlier one that failed",
      "there is no leader",
      "two leaders run",
      "the leader belongs to an earlier Job and waits for a node",
    ],
    ["None", "OtherKey", "Empty"],
  ),
  async ({ validate }: ValidatingWebhook, generated: PodCase) => {
    const response = await callWebhook(validate, "Pod", generated);
    // Other laws check whether the webhook denies it.
    if (response.allowed || !masks(response.message)) return undefined;
    const { reason } = getJobSetDecision(generated);
    return {
      actual: `denies it: ${response.message}`,
      expected: `a denial that names the cause: ${reason}`,
    };
  },
);

function masks(message: string): boolean {
  return /node[\s-]?selector/i.test(message) && !mentionsLeader.test(message);
}

/** Mentions the leader by any name, or its scheduling. */
const mentionsLeader =
  /leader|schedul|owner|pending|\bb(ound|ind)|assign|wait|not yet|first pod|\bindex|pod 0\b|primary/i;

/**
 * Pods that are not followers are admitted: leaders, Pods that share their domain, Pods placed by node labels, and Pods
 * without a JobSet.
 */
export const otherPodsAreAdmitted: Law<ValidatingWebhook> = createWebhookLaw(
  "otherPodsAreAdmitted",
  {
    sentence:
      "The webhook admits leaders, Pods that share their domain, Pods placed by node labels and Pods without a JobSet.",
    defects: ["#361"],
  },
  listPods("Foreign", "Leader", "Shared", "PlacedByNodeLabels"),
  checkPodDecision,
);

/**
 * Placement is decided only once. An existing Pod can be updated and deleted, whatever the state of its
 * leader.
 */
export const onlyCreationsAreValidated: Law<ValidatingWebhook> = createWebhookLaw(
  "onlyCreationsAreValidated",
  {
    sentence:
      "The webhook admits updates and deletions of a Pod, whatever the state of its leader.",
    defects: [],
  },
  joinCases(
    ...(["DELETE", "UPDATE"] as const).map((operation) =>
      mapCases(
        followers(
          ["there is no leader", "the leader waits for a node", "the only leader has failed"],
          ["None", "Right"],
        ),
        (generated) => ({
          ...generated,
          operation,
          oldObject: generated.object,
          object: operation === "DELETE" ? (null as never) : generated.object,
        }),
      ),
    ),
  ),
  checkPodDecision,
);

/**
 * A Pod from its template passes both webhooks, as in a cluster. A follower is admitted if and only if its leader's
 * domain is known, and gets this domain. Either webhook may deny it.
 */
export const followersFollowTheirLeader: Law<Webhooks> = createWebhookLaw(
  "followersFollowTheirLeader",
  {
    sentence:
      "The two webhooks together admit a follower if and only if its leader's domain is known, and assign it that domain.",
    defects: ["#341", "#433", "#1021", "#1276"],
  },
  followers(
    [
      "the leader runs",
      "the leader's node is in no domain",
      "the leader's node is in a domain of another key only",
      "the leader's node is gone",
      "the leader waits for a node",
      "there is no leader",
      "two leaders run",
      "the follower has no owner",
      "the leader runs beside an earlier one that failed",
      "the leader belongs to an earlier Job of the same name",
      "the only leader is being deleted",
    ],
    ["None", "OtherKey", "OtherDomain"],
  ),
  async ({ mutate, validate }: Webhooks, generated: PodCase) => {
    const due = throughJobSet(generated);
    const first = await callWebhook(mutate, "Pod", generated);
    if (!first.allowed) return checkDecision(first, due);
    const last = await callWebhook(validate, "Pod", { ...generated, object: first.object });
    const violation = checkDecision(last, due);
    if (violation !== undefined || !last.allowed) return violation;
    const place = ["spec", "nodeSelector", generated.topologyKey];
    const [own, expected] = [first.object, due.object].map((one) => getMemberAt(one, place));
    if (own === expected) return undefined;
    return {
      actual: `admits it for ${generated.topologyKey}=${own}`,
      expected: `for ${generated.topologyKey}=${expected}`,
    };
  },
);

function throughJobSet(generated: PodCase) {
  const snapshot = createSnapshot(generated.cluster, { kinds: ["Pod", "Node", "Event"] });
  const first = mutatePod(generated, snapshot, context);
  if (!first.allowed) {
    return { allowed: false, reason: first.denial.status.message ?? "", object: undefined };
  }
  const object = asJson(first.object) as PodCase["object"];
  return { ...getJobSetDecision({ ...generated, object }), object };
}

/**
 * For every Pod, both webhooks return an AdmissionReview for the request, with a valid patch or with a denial that has
 * a message. An API server sends only decodable Pods, but a crash of a webhook would affect all requests.
 */
export const podReviewsGetAResponse: Law<Webhooks> = createWebhookLaw(
  "podReviewsGetAResponse",
  {
    sentence:
      "For every Pod, the webhook returns a valid response to the request, and each denial has a message.",
    defects: ["#595"],
  },
  fc
    .tuple(
      fc.oneof(
        arbitraryCase(followers(["the leader runs", "there is no leader"], ["None", "Right"])),
        arbitraryCase(listPods("Leader", "Foreign")),
      ),
      fc.constantFrom("CREATE" as const, "UPDATE" as const, "DELETE" as const),
    )
    .chain(([generated, operation]) =>
      corrupted(fc.constant(generated.object)).map((value): WebhookCase => {
        const [pod = null, old = null] = [asJson(value), generated.object];
        return {
          ...generated,
          situation: "the Pod has arbitrary contents",
          operation,
          object: operation === "DELETE" ? null : pod,
          oldObject: operation === "CREATE" ? null : operation === "DELETE" ? pod : old,
        };
      }),
    ),
  async ({ mutate, validate }: Webhooks, generated: WebhookCase) => {
    await callWebhook(mutate, "Pod", generated);
    await callWebhook(validate, "Pod", generated);
    return undefined;
  },
);
