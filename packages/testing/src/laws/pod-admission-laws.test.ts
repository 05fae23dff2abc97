import { EXCLUSIVE_TOPOLOGY_KEY, JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import { describe, expect, it } from "vitest";
import { podAdmissionLaws } from "./pod-admission-laws.ts";
import {
  type AnyObject,
  allowRequest,
  callWebhook,
  changeAnnotations,
  correctWebhooks,
  createReview,
  podOfTrain,
  webhooksIgnoring,
  webhooksWithQuirks,
} from "./testing/pod-webhooks.ts";
import { expectCaught, findViolation, reformatResponses, seeds } from "./testing/webhooks.ts";
import type { WebhookSubject, Webhooks } from "./webhook.ts";

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

  it("each Pod law has a one-sentence summary", () => {
    for (const [name, { sentence, defects }] of podAdmissionLaws) {
      expect([name, sentence]).toEqual([name, expect.stringMatching(/^[A-Z].*\.$/)]);
      for (const defect of defects) expect(defect).toMatch(/^#\d+$/);
    }
  });

  it.each<[string, Partial<Webhooks>, string]>([
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
          callWebhook(correctWebhooks.validate, args, {
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

function denyRequest({ request: { uid } }: Parameters<WebhookSubject>[0]) {
  return createReview({ uid, allowed: false, status: { message: "no" } });
}

function withUid(answered: AnyObject) {
  return { ...answered, response: { ...answered.response, uid: "" } };
}

function exclusiveOfTrain(annotations: AnyObject) {
  return podOfTrain({ [EXCLUSIVE_TOPOLOGY_KEY]: "rack", ...annotations });
}

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
