import { describe, expect, it } from "vitest";
import { getCreationFailure, isConsequence, jobCreationErrors } from "./creation-failure.ts";

const parseDenial = (words: string, hook = "vpod.kb.io") =>
  getCreationFailure(`Error creating: admission webhook "${hook}" denied the request: ${words}`);

describe("getCreationFailure", () => {
  it("getCreationFailure recognizes denials of followers by any webhook name", () => {
    const words = {
      "follower pod node selector not set": "Selector",
      "follower pod node selector for topology domain not found. missing selector: rack":
        "SelectorKey",
      "expected 1 leader pod (js-w-0-0), but got 2. this is an expected, transient error":
        "LeaderCount",
      "follower pod owner UID (a) != leader pod owner UID (b)": "Owner",
      'leader pod "js-w-0-0-x" has no owner reference': "Owner",
      "leader pod not yet scheduled, not creating follower pod.": "LeaderUnscheduled",
      "node does not have topology label: rack": "TopologyLabel",
      'nodes "n1" not found': "NodeNotFound",
      'Node "n1" not found': "NodeNotFound",
      'Node "n1" not found (root cause: leader w-0 is on node n1, which does not exist)':
        "NodeNotFound",
      "pod missing label: jobset.sigs.k8s.io/job-index": "PodLabel",
    };
    for (const [text, denial] of Object.entries(words)) {
      expect(parseDenial(text, "any"), text).toEqual({
        cause: "FollowerDenied",
        denial,
        message: text,
      });
    }
  });

  it("getCreationFailure reads the error of the first Job only, if an Event names several", () => {
    const line = (job: string) =>
      `job "${job}" creation failed with error: Internal error occurred: failed calling webhook "mjob.kb.io": failed to call webhook: Post "https://s.ns.svc:443/": EOF`;
    const failure = getCreationFailure(`${line("a")}\n${line("b")}`);
    expect(failure).toMatchObject({
      webhook: "mjob.kb.io",
      message: 'Post "https://s.ns.svc:443/": EOF',
    });
  });

  it("isConsequence is true only for a missing selector", () => {
    expect(isConsequence("Selector") && isConsequence("SelectorKey")).toBe(true);
    expect(isConsequence("LeaderCount")).toBe(false);
  });

  it("getCreationFailure treats other messages and webhooks as a rejection of the Pod itself", () => {
    expect(parseDenial("no images from outside").cause).toBe("Rejected");
    const quota = 'Error creating: pods "p" is forbidden: exceeded quota: q';
    const message = 'pods "p" is forbidden: exceeded quota: q';
    expect(getCreationFailure(quota)).toEqual({ cause: "Rejected", message });
  });

  it("getCreationFailure names the webhook that did not respond", () => {
    const message =
      'Error creating: Internal error occurred: failed calling webhook "v.io": failed to call webhook: Post "https://v": EOF';
    expect(getCreationFailure(message)).toEqual({
      cause: "WebhookUnavailable",
      webhook: "v.io",
      message: 'Post "https://v": EOF',
    });
  });
});

describe("jobCreationErrors", () => {
  it("jobCreationErrors reads one line per Job, and errors may have several lines", () => {
    const event =
      'job "js-w-1" creation failed with error: jobs.batch "js-w-1" already exists\njob "js-w-0" creation failed with error: invalid:\n* a\n* b';
    expect([...jobCreationErrors(event)]).toEqual([
      ["js-w-1", 'jobs.batch "js-w-1" already exists'],
      ["js-w-0", "invalid:\n* a\n* b"],
    ]);
    expect([...jobCreationErrors("denied:\n* a")]).toEqual([["", "denied:\n* a"]]);
  });
});
