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
    const between = [`the leader got its node between the two stages: ${AWAIT_RETRY}`];
    expect(Object.fromEntries(helped)).toEqual({
      "pods-not-indexed": [
        "set completionMode: Indexed in the Job template, or do without exclusive placement",
      ],
      "leader-name-cut": ["shorten the name of the JobSet or the ReplicatedJob"],
      "leader-finished": [
        "if the leader has succeeded, recreate the Job: no follower can join it any more",
      ],
      "leader-terminating": ["wait for the Job controller to try again"],
      "leader-absent": [
        "look at the Events of the Job: they say why its leader could not be created",
      ],
      "leader-duplicated": ["delete the Pods that have the leader's name and are not the Job's"],
      "leader-of-other-job": ["see that the other Job's leader goes away"],
      "scheduling-gated": [
        "inspect the leader pod, not the follower's node selector",
        "find out who is to lift its scheduling gates",
      ],
      "insufficient-capacity": [INSPECT_LEADER],
      unschedulable: [INSPECT_LEADER],
      "node-unknown": ["recreate the leader on a node that exists"],
      "topology-label-missing": ["label the node"],
      "follower-labelled": ["leave the labels alone that JobSet gives its Pods"],
      "one-active-leader": [INSPECT_LEADER],
      "same-owner": ["leave it to Jobs to create Pods, and delete those made by hand"],
      "leader-scheduled": [INSPECT_LEADER],
      "node-known": [],
      "node-in-domain": [],
      "node-selector-set": between,
      "topology-key-selected": between,
      "leader-domain-selected": [
        "the leader's domain changed between the two stages: wait for the Job controller to try again",
      ],
    });
  });
});
