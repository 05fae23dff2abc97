import type { Unvalidated } from "@jobset-ts/api";
import { required } from "@jobset-ts/api/errors";
import { JOB_INDEX_KEY } from "@jobset-ts/api/keys";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { Finding } from "@jobset-ts/checks";
import { defineChecks, evaluateChecks } from "@jobset-ts/checks";
import { createSnapshot, type Quirk } from "@jobset-ts/core";
import { aNode } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { mutatePod } from "../pod/mutate-pod.ts";
import {
  aFollower,
  aLeader,
  contextWithQuirks,
  createCluster,
  createCreationRequest,
  nodeA,
  zone,
} from "../pod/testdata/zone-pods.ts";
import { validatePod } from "../pod/validate-pod.ts";
import { createDenial, type Denial } from "./denial.ts";
import { type Explanation, explainDenial, renderExplanation } from "./explain-denial.ts";

const tpu = "0/10 nodes are available: 10 Insufficient google.com/tpu.";
const vpod = { webhook: "vpod.kb.io" };

const unschedulable = aLeader().withStatus({
  phase: "Pending",
  conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message: tpu }],
});

function explainRoots(
  objects: readonly Unvalidated<KubernetesObject>[],
  {
    quirks = [],
    pod = aFollower(),
  }: { quirks?: readonly Quirk[]; pod?: typeof unschedulable } = {},
): Explanation {
  const result = validatePod(
    createCreationRequest(pod),
    createCluster(...objects),
    contextWithQuirks(...quirks),
  );
  if (result.allowed) throw new Error("allowed");
  return explainDenial(result.denial, vpod);
}

const getChain = ({ chain }: Explanation) => chain.map(({ id }) => id);

describe("a follower denied by upstream because of a missing selector", () => {
  const explanation = explainRoots([unschedulable, nodeA], {
    quirks: ["FollowerSelectorCheckedFirst"],
  });

  it("explainDenial recognizes a denial with the API server's prefix", () => {
    const cluster = createCluster(unschedulable, nodeA);
    const context = contextWithQuirks("FollowerSelectorCheckedFirst");
    const result = validatePod(createCreationRequest(aFollower()), cluster, context);
    if (result.allowed) throw new Error("allowed");
    const { denial } = result;
    const message = `admission webhook "vpod.kb.io" denied the request: ${denial.status.message}`;
    expect(explainDenial({ ...denial, status: { ...denial.status, message } })).toEqual(
      explanation,
    );
  });

  it("explainDenial traces a missing selector to full nodes", () => {
    const object = {
      apiVersion: "v1",
      kind: "Pod",
      namespace: "default",
      name: "js-rjob-0-0-aaaaa",
    };
    const symptom =
      'admission webhook "vpod.kb.io" denied the request: follower pod node selector not set';
    const why = "no node can host leader js-rjob-0-0-aaaaa: insufficient google.com/tpu";
    expect(explanation).toMatchObject({
      symptom: { id: "denied", text: symptom },
      root: { id: "insufficient-capacity", text: why },
      chain: [
        {
          id: "insufficient-capacity",
          text: why,
          causedBy: [],
          evidence: [{ kind: "Condition", object, at: "PodScheduled", text: tpu }],
        },
        {
          id: "leader-unscheduled",
          text: "leader js-rjob-0-0-aaaaa is Pending without a node",
          causedBy: ["insufficient-capacity"],
        },
        { id: "patch-skipped", causedBy: ["leader-unscheduled"], evidence: [] },
        {
          id: "selector-missing",
          text: `the follower has no selector for ${zone}`,
          causedBy: ["patch-skipped"],
        },
        { id: "denied", text: symptom, causedBy: ["selector-missing"], evidence: [] },
      ],
      masked: { reported: "node-selector-set", roots: ["leader-scheduled"] },
      advice: ["inspect the leader pod, not the follower's node selector"],
      transient: true,
    });
  });

  it("renderExplanation indents each step from the root to the symptom", () => {
    expect(renderExplanation(explanation)).toBe(
      [
        "no node can host leader js-rjob-0-0-aaaaa: insufficient google.com/tpu",
        "    └── leader js-rjob-0-0-aaaaa is Pending without a node",
        "        └── the mutating webhook did not know the domain and left the follower unchanged",
        `            └── the follower has no selector for ${zone}`,
        '                └── admission webhook "vpod.kb.io" denied the request: follower pod node selector not set',
      ].join("\n"),
    );
  });

  it("explainDenial explains a follower with other selectors the same way", () => {
    const pod = aFollower().withSpec({ nodeSelector: { pool: "p" } });
    const other = explainRoots([unschedulable], { quirks: ["FollowerSelectorCheckedFirst"], pod });
    expect(getChain(other)).toEqual(getChain(explanation));
    expect(other.masked?.reported).toBe("topology-key-selected");
  });
});

describe("a follower that is denied with the root cause", () => {
  it("a denial with the root cause has the same explanation and masks nothing", () => {
    const explanation = explainRoots([unschedulable, nodeA]);
    expect(getChain(explanation)).toEqual([
      "insufficient-capacity",
      "leader-unscheduled",
      "denied",
    ]);
    expect(explanation).not.toHaveProperty("masked");
  });

  it("explainDenial explains a follower by its leader if the scheduler reported nothing", () => {
    const explanation = explainRoots([aLeader(), nodeA]);
    expect(getChain(explanation)).toEqual(["leader-unscheduled", "denied"]);
    expect(explanation.advice).toEqual([
      "inspect the leader pod, not the follower's node selector",
    ]);
  });

  it.each([
    ["leader-absent", []],
    ["leader-finished", [aLeader().withStatus({ phase: "Succeeded" })]],
    ["leader-duplicated", [aLeader("a"), aLeader("b")]],
  ])("explainDenial explains a wrong number of leaders: %s", (id, objects) => {
    expect(getChain(explainRoots(objects))).toEqual([id, "leader-not-single", "denied"]);
  });

  it("explainDenial reports whether waiting helps, independent of the message", () => {
    const done = explainRoots([aLeader().withStatus({ phase: "Succeeded" })]);
    expect(done.symptom.text).toContain("this is an expected, transient error");
    expect(done.transient).toBe(false);
    expect(explainRoots([aLeader()]).transient).toBe(true);
  });

  it("missing labels of a follower are their own root cause", () => {
    const pod = aFollower().withLabels({ [JOB_INDEX_KEY]: undefined });
    const explanation = explainRoots([], { pod, quirks: ["FollowerSelectorCheckedFirst"] });
    expect(getChain(explanation)).toEqual([
      "label-missing",
      "patch-skipped",
      "selector-missing",
      "denied",
    ]);
    expect(explanation.masked).toEqual({
      reported: "node-selector-set",
      roots: ["follower-labelled"],
    });
  });

  it("a missing selector alone means that the leader got its node between the webhooks", () => {
    const explanation = explainRoots([aLeader().onNode("node-a"), nodeA]);
    expect(getChain(explanation)).toEqual(["selector-missing", "denied"]);
    expect(explanation.advice).toEqual([
      "the leader got its node between the two webhooks: wait until the Job controller retries",
    ]);
  });
});

describe("a follower denied by the mutating webhook", () => {
  it.each([
    ["node-unknown", "node-not-found", [aLeader().onNode("node-a")]],
    ["topology-label-missing", "domain-unknown", [aLeader().onNode("node-a"), aNode("node-a")]],
  ])(
    "a denial by the mutating webhook is explained by the leader's node: %s",
    (root, link, objects) => {
      const result = mutatePod(
        createCreationRequest(aFollower()),
        createCluster(...objects),
        contextWithQuirks(),
      );
      if (result.allowed) throw new Error("allowed");
      const explanation = explainDenial(result.denial, { webhook: "mpod.kb.io" });
      expect(getChain(explanation)).toEqual([root, link, "denied"]);
      expect(explanation.symptom.text).toMatch(
        /^admission webhook "mpod\.kb\.io" denied the request: /,
      );
    },
  );
});

describe("a request that the webhook cannot decide", () => {
  const createDenialWith = (...quirks: readonly Quirk[]) => {
    const snapshot = createSnapshot([], { readErrors: { Pod: "no route" } });
    const result = validatePod(
      createCreationRequest(aFollower()),
      snapshot,
      contextWithQuirks(...quirks),
    );
    if (result.allowed) throw new Error("allowed");
    return result.denial;
  };

  it("a denial without a decision is explained by what could not be read", () => {
    const explanation = explainDenial(createDenialWith());
    expect(getChain(explanation)).toEqual(["one-active-leader-unknown", "denied"]);
    expect(explanation.root.text).toBe("unknown: no route");
    expect(explanation.advice).toEqual([
      "make sure that the webhook can read the objects that it requires",
    ]);
    expect(explanation.symptom.text).toBe("no route");
  });

  it("explainDenial gives the same explanation if the status has another text", () => {
    const denial = createDenialWith();
    const other = { ...denial, status: { ...denial.status, message: "something else" } };
    expect(getChain(explainDenial(other))).toEqual(["one-active-leader-unknown", "denied"]);
  });

  it("an undecided request can cause a missing selector", () => {
    const explanation = explainDenial(createDenialWith("FollowerSelectorCheckedFirst"));
    expect(getChain(explanation)).toEqual([
      "one-active-leader-unknown",
      "patch-skipped",
      "selector-missing",
      "denied",
    ]);
  });
});

describe("a denial of another webhook", () => {
  const finding = (id: string, field: string): Finding => {
    const fieldError = required(field);
    const message = `${field}: Required value`;
    const about = { objects: [], evidence: [], transient: false, causedBy: [] };
    return { id, outcome: "Fail", message, ...about, fieldError };
  };
  const reject = (message: string, ...roots: readonly Finding[]): Denial => ({
    status: { message, reason: "Invalid", code: 422 },
    roots,
    symptoms: [],
    unknown: [],
    transient: false,
  });

  it("a denial of another webhook is explained by its fields", () => {
    const one = finding("name-set", "metadata.name");
    const other = finding("jobs-set", "spec.replicatedJobs");
    const denial = reject("two things are wrong", one, other);
    const explanation = explainDenial(denial);
    expect(explanation.chain.map(({ id, causedBy }) => [id, causedBy])).toEqual([
      ["name-set", []],
      ["jobs-set", []],
      ["denied", ["name-set", "jobs-set"]],
    ]);
    expect(explanation.advice).toEqual(["correct metadata.name", "correct spec.replicatedJobs"]);
    expect(renderExplanation(explanation)).toBe(
      "metadata.name: Required value\nspec.replicatedJobs: Required value\n    └── two things are wrong",
    );
  });

  it("explainDenial uses the texts of the checks", () => {
    const set = defineChecks<unknown, string>([
      {
        id: "quota-free",
        causes: [],
        texts: { problem: "quota-used-up", advice: ["ask for more"], isBehind: true },
        run: () => ({ outcome: "Fail", message: "no quota", transient: false }),
      },
      {
        id: "pod-created",
        causes: ["quota-free"],
        texts: {
          problem: "pod-missing",
          between: { causes: ["quota-free"], problem: "refused", statement: "it was refused" },
        },
        run: () => ({
          outcome: "Fail",
          message: "not ok",
          statement: "there is no Pod",
          transient: true,
        }),
      },
    ]);
    const evaluation = evaluateChecks(set, {});
    const denial = createDenial(evaluation, { reported: evaluation.symptoms[0] });
    const explanation = denial && explainDenial(denial);
    expect(explanation?.chain.map(({ id, text }) => [id, text])).toEqual([
      ["quota-used-up", "no quota"],
      ["refused", "it was refused"],
      ["pod-missing", "there is no Pod"],
      ["denied", "not ok"],
    ]);
    expect(explanation?.advice).toEqual(["ask for more"]);
    // The message does not mention the quota, so nothing is masked.
    expect(explanation).not.toHaveProperty("masked");
  });

  it("a denial of another webhook keeps the API server's text", () => {
    const one = finding("name-set", "metadata.name");
    const text = 'admission webhook "v" denied the request: metadata.name: Required value';
    const explanation = explainDenial(reject(text, one), { webhook: "v" });
    expect(explanation.symptom.text).toBe(text);
    expect(getChain(explanation)).toEqual(["name-set", "denied"]);
  });

  it("a denial of another webhook without a message has no explanation", () => {
    expect(explainDenial(reject(""), vpod).symptom.text).toBe(
      'admission webhook "vpod.kb.io" denied the request: Invalid',
    );
    const silent = { ...reject(""), status: { message: "", code: 403 } };
    expect(explainDenial(silent, vpod).symptom.text).toBe(
      'admission webhook "vpod.kb.io" denied the request without explanation',
    );
    expect(explainDenial(silent)).toMatchObject({
      root: { id: "denied", text: "denied without explanation" },
      chain: [{ id: "denied", causedBy: [] }],
    });
  });

  it("a denial of another webhook has one line per statement", () => {
    const explanation = explainDenial(reject("one\r\n  two\n", finding("name-set", "x")));
    expect(renderExplanation(explanation)).toBe("x: Required value\n    └── one two");
  });
});
