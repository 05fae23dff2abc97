import { describe, expect, it } from "vitest";
import { AWAIT_RETRY, INSPECT_LEADER } from "./pod-advice.ts";
import { podChecks } from "./pod-checks.ts";

describe("the checks of a follower", () => {
  it("the checks of a follower declare their causes: without a leader, node selectors are not reported", () => {
    const caused = podChecks.filter(({ causes }) => causes.length > 0);
    expect(Object.fromEntries(caused.map(({ id, causes }) => [id, causes]))).toEqual({
      "one-active-leader": [
        "follower-labelled",
        "pods-not-indexed",
        "leader-name-cut",
        "leader-finished",
        "leader-terminating",
        "leader-absent",
        "leader-duplicated",
      ],
      "same-owner": ["one-active-leader", "leader-of-other-job"],
      "leader-scheduled": [
        "same-owner",
        "scheduling-gated",
        "insufficient-capacity",
        "unschedulable",
      ],
      "node-known": ["leader-scheduled", "node-unknown"],
      "node-in-domain": ["node-known", "topology-label-missing"],
      "node-selector-set": ["node-in-domain"],
      "topology-key-selected": ["node-selector-set"],
      "leader-domain-selected": ["topology-key-selected", "node-in-domain"],
    });
  });

  it("a check runs only if all checks that it needs have passed", () => {
    const needy = podChecks.filter(({ needs }) => needs !== undefined);
    expect(Object.fromEntries(needy.map(({ id, needs }) => [id, needs]))).toEqual({
      "one-active-leader": ["follower-labelled"],
      "same-owner": ["one-active-leader"],
      "leader-scheduled": ["same-owner"],
      "node-known": ["leader-scheduled"],
      "node-in-domain": ["node-known"],
      "topology-key-selected": ["node-selector-set"],
      "leader-domain-selected": ["topology-key-selected", "node-in-domain"],
    });
  });

  it("the checks of a follower have names for their findings, which explanations contain", () => {
    const named = podChecks.flatMap(({ id, texts }) =>
      texts?.problem ? [[id, texts.problem]] : [],
    );
    expect(Object.fromEntries(named)).toEqual({
      "follower-labelled": "label-missing",
      "one-active-leader": "leader-not-single",
      "same-owner": "owner-differs",
      "leader-scheduled": "leader-unscheduled",
      "node-known": "node-not-found",
      "node-in-domain": "domain-unknown",
      "node-selector-set": "selector-missing",
      "topology-key-selected": "selector-missing",
      "leader-domain-selected": "selector-differs",
    });
  });

  it("the checks of a follower include advice", () => {
    const helped = podChecks.map(({ id, texts }) => [id, texts?.advice ?? []]);
    const between = [`the leader got its node between the two webhooks: ${AWAIT_RETRY}`];
    expect(Object.fromEntries(helped)).toEqual({
      "pods-not-indexed": [
        "set completionMode: Indexed in the Job template, or do not use exclusive placement",
      ],
      "leader-name-cut": ["shorten the name of the JobSet or the ReplicatedJob"],
      "leader-finished": [
        "if the leader has succeeded, recreate the Job: followers can no longer join it",
      ],
      "leader-terminating": ["wait until the Job controller retries"],
      "leader-absent": [
        "check the Events of the Job, which report why its leader could not be created",
      ],
      "leader-duplicated": [
        "delete the Pods that have the leader's name but do not belong to the Job",
      ],
      "leader-of-other-job": ["delete the leader of the other Job"],
      "scheduling-gated": [
        "inspect the leader pod, not the follower's node selector",
        "find the controller that removes its scheduling gates",
      ],
      "insufficient-capacity": [INSPECT_LEADER],
      unschedulable: [INSPECT_LEADER],
      "node-unknown": ["recreate the leader on a node that exists"],
      "topology-label-missing": ["label the node"],
      "follower-labelled": ["keep the labels that JobSet sets on its Pods"],
      "one-active-leader": [INSPECT_LEADER],
      "same-owner": ["let Jobs create the Pods, and delete manually created Pods"],
      "leader-scheduled": [INSPECT_LEADER],
      "node-known": [],
      "node-in-domain": [],
      "node-selector-set": between,
      "topology-key-selected": between,
      "leader-domain-selected": [
        "the leader's domain changed between the two webhooks: wait until the Job controller retries",
      ],
    });
  });
});
