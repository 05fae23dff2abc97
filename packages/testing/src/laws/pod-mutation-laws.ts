import { mutatePod } from "@jobset-ts/admission";
import { JOB_COMPLETION_INDEX_KEY, PRIORITY_KEY } from "@jobset-ts/api/keys";
import { validateLabelValue } from "@jobset-ts/api/kubernetes";
import { createContext, createSnapshot } from "@jobset-ts/core";
import { joinCases } from "./enumerated-cases.ts";
import { followers } from "./follower-situations.ts";
import type { Law } from "./law.ts";
import { situationsWithOneLeader } from "./leader-situations.ts";
import { type PodCase, withEveryMember } from "./pod-case.ts";
import { listPods } from "./pod-roles.ts";
import {
  checkUnexpectedChange,
  getMemberAt,
  type ObjectPath,
  sortedJson,
} from "./unexpected-changes.ts";
import type { MutatingWebhook } from "./webhook.ts";
import { callMutatingWebhook, createWebhookLaw, type WebhookViolation } from "./webhook-law.ts";
import { callWebhook } from "./webhook-request.ts";

const context = createContext({ now: "2026-02-07T06:56:19Z" });
const required = "requiredDuringSchedulingIgnoredDuringExecution";

/** Returns the Pod after JobSet's webhook. A denied Pod is returned unchanged. */
function getMutatedByJobSet({ operation, object, cluster }: PodCase): unknown {
  const snapshot = createSnapshot(cluster, { kinds: ["Pod", "Node"] });
  const result = mutatePod({ operation, object }, snapshot, context);
  return result.allowed ? result.object : object;
}

/**
 * A leader with exclusive placement gets two terms: an affinity to the Pods of its Job, and an anti-affinity to those
 * of other Jobs of its priority. Both apply to all namespaces and to the topology key. The terms of the template stay.
 *
 * The order of terms, expressions and values is free. So is the label format of a negative priority, if the label is
 * valid (quirk `NegativePriorityLabel`).
 */
export const leadersGetPodAffinity: Law<MutatingWebhook> = createWebhookLaw(
  "leadersGetPodAffinity",
  {
    sentence:
      "With exclusive placement, a leader gets an affinity to the Pods of its Job and an anti-affinity to those of other Jobs of its priority, for its topology key and in all namespaces.",
    defects: ["#211"],
  },
  listPods("Leader"),
  async (subject: MutatingWebhook, generated: PodCase) => {
    const found = await callMutatingWebhook(subject, generated);
    if (!("object" in found)) return found;
    const due = getMutatedByJobSet(generated);
    const [own, dueLabel] = [found.object, due].map(getPriority);
    for (const group of ["podAffinity", "podAntiAffinity"]) {
      const expected = listTerms(due, group).map((term) =>
        // With a negative priority, the term contains the label that the webhook wrote.
        isNegative(generated)
          ? term.replaceAll(JSON.stringify(dueLabel), JSON.stringify(own))
          : term,
      );
      const violation = findDifference(
        `spec.affinity.${group}`,
        listTerms(found.object, group),
        expected,
      );
      if (violation !== undefined) return violation;
    }
    return undefined;
  },
);

function findDifference(
  what: string,
  terms: readonly string[],
  expected: readonly string[],
): WebhookViolation | undefined {
  const missing = expected.filter((one) => !terms.includes(one));
  const extra = terms.filter((one) => !expected.includes(one));
  const isDoubled = terms.length !== new Set(terms).size && terms.length > expected.length;
  if (missing.length + extra.length === 0 && !isDoubled) return undefined;
  return {
    actual: isDoubled
      ? `writes a required term of ${what} twice`
      : `gives ${what} ${terms.length === 0 ? "no required term" : `the required terms ${terms.join(", ")}`}`,
    expected: `the required ${expected.length === 1 ? "term" : "terms"} ${expected.join(", ")}`,
  };
}

/** Returns the terms of a group in a canonical order. */
function listTerms(pod: unknown, group: string): readonly string[] {
  const terms = getMemberAt(pod, ["spec", "affinity", group, required]);
  return Array.isArray(terms) ? terms.map((term) => sortedJson(normalizeTerm(term))).sort() : [];
}

/**
 * `matchLabels` is equivalent to an expression with `In`. Lists and maps may be empty or null instead of absent, and
 * values may be repeated.
 */
function normalizeTerm(term: unknown): unknown {
  const { labelSelector, namespaceSelector, ...members } = Object(term);
  const rest = {
    ...omitEmpty(members),
    // An empty selector selects all namespaces, and an absent one only that of the Pod.
    ...(namespaceSelector && { namespaceSelector: omitEmpty(namespaceSelector) }),
  };
  const { matchLabels, matchExpressions, ...others } = Object(labelSelector);
  const ofLabels = Object.entries(Object(matchLabels)).map(([key, value]) => ({
    key,
    operator: "In",
    values: [value],
  }));
  const listed: readonly unknown[] = Array.isArray(matchExpressions) ? matchExpressions : [];
  const expressions = [...ofLabels, ...listed].map((one) => {
    const { values, ...expression } = Object(one);
    const hasValues = Array.isArray(values) && values.length > 0;
    return sortedJson({
      ...expression,
      ...(hasValues && { values: [...new Set(values.map(String))].sort() }),
    });
  });
  const selector = {
    ...others,
    matchExpressions: expressions.sort().map((one) => JSON.parse(one)),
  };
  return { ...rest, labelSelector: selector };
}

function omitEmpty(members: unknown): object {
  const entries = Object.entries(Object(members));
  return Object.fromEntries(
    entries.filter(([, value]) => value !== null && Object.keys(Object(value)).length > 0),
  );
}

/**
 * Every Pod of a JobSet has its priority as a label, because the anti-affinity of leaders uses it. A user's value is
 * overwritten.
 *
 * The law skips Pods placed by node labels. Upstream does not label them, and a label has no effect. The law does not
 * prescribe the label format of a negative priority, if the label is valid and differs from the labels of other
 * priorities.
 */
export const podsHaveTheirPriority: Law<MutatingWebhook> = createWebhookLaw(
  "podsHaveTheirPriority",
  {
    sentence:
      "Every Pod of a JobSet has its priority as a label, with or without exclusive placement.",
    defects: ["#1057"],
  },
  listPods("Shared", "Leader"),
  async (subject: MutatingWebhook, generated: PodCase) => {
    const found = await callMutatingWebhook(subject, generated);
    if (!("object" in found)) return found;
    const label = getPriority(found.object);
    const due = getPriority(getMutatedByJobSet(generated));
    const isLegal =
      typeof label === "string" &&
      validateLabelValue(label).length === 0 &&
      !/^[0-9]*$/.test(label);
    if (isNegative(generated) ? isLegal : label === due) return undefined;
    return {
      actual: `the label ${PRIORITY_KEY} is ${JSON.stringify(label) ?? "missing"}`,
      expected: isNegative(generated)
        ? `a valid label that no other priority has, such as ${JSON.stringify(due)}`
        : JSON.stringify(due),
    };
  },
);

function isNegative({ object }: PodCase): boolean {
  return Number(getMemberAt(object, ["spec", "priority"])) < 0;
}

function getPriority(pod: unknown): unknown {
  return getMemberAt(pod, ["metadata", "labels", PRIORITY_KEY]);
}

/**
 * A follower runs in the domain of its leader. Its node selector has the topology key with the value of the leader's
 * node, which may be empty. A value of the template is overwritten.
 */
export const followersGetTheLeadersDomain: Law<MutatingWebhook> = createWebhookLaw(
  "followersGetTheLeadersDomain",
  {
    sentence: "If the leader has a node, a follower gets the node selector of that node's domain.",
    defects: ["#1021", "#1276"],
  },
  followers(situationsWithOneLeader, ["None", "OtherKey", "OtherDomain"]),
  async (subject: MutatingWebhook, generated: PodCase) => {
    const found = await callMutatingWebhook(subject, generated);
    if (!("object" in found)) return found;
    return selectorViolation(found.object, getMutatedByJobSet(generated), generated);
  },
);

/**
 * A follower gets no domain if its leader has no node, if it has several leaders, or if its leader belongs to another
 * Job. Its template stays unchanged. The webhook may also deny it, as the validating webhook would.
 */
export const followersGetNoOtherDomain: Law<MutatingWebhook> = createWebhookLaw(
  "followersGetNoOtherDomain",
  {
    sentence:
      "A follower gets a domain only from the only active leader of its Job, and only if that leader has a node.",
    defects: ["#433", "#1021", "#1276"],
  },
  followers(
    [
      "there is no leader",
      "the leader waits for a node",
      "the leader belongs to an earlier Job of the same name",
      "two leaders run",
      "one leader runs and another waits for a node",
      "the only leader has failed",
      "the only leader has succeeded",
      "the only leader is being deleted",
      "the leader has no owner",
      "the follower has no owner",
      "leader and follower have the same owner, which controls neither",
      "the leader's node is in no domain",
      "the leader's node is in a domain of another key only",
      "the leader's node is gone",
      "three leaders run",
    ],
    ["None", "OtherKey"],
  ),
  async ({ mutate }: MutatingWebhook, generated: PodCase) => {
    const response = await callWebhook(mutate, "Pod", generated);
    return response.allowed
      ? selectorViolation(response.object, generated.object, generated)
      : undefined;
  },
);

function selectorViolation(
  pod: unknown,
  due: unknown,
  { topologyKey }: PodCase,
): WebhookViolation | undefined {
  const place = ["spec", "nodeSelector", topologyKey];
  const [own, expected] = [pod, due].map((one) => getMemberAt(one, place));
  if (own === expected) return undefined;
  const getMessage = (value: unknown) =>
    value === undefined
      ? `no node selector for ${topologyKey}`
      : `the node selector ${topologyKey}=${value}`;
  return { actual: getMessage(own), expected: getMessage(expected) };
}

/**
 * Pods without a JobSet and Pods placed by node labels stay unchanged. Pods that share their domain get only the
 * priority label. The annotation, not the label, makes a Pod part of a JobSet.
 *
 * The law does not check the priority label of Pods placed by node labels.
 */
export const othersAreLeftAlone: Law<MutatingWebhook> = createWebhookLaw(
  "othersAreLeftAlone",
  {
    sentence:
      "Pods without a JobSet, Pods placed by node labels and Pods that share their domain get neither affinity nor node selector.",
    defects: ["#361"],
  },
  joinCases(
    listPods("Shared", "Foreign", "PlacedByNodeLabels"),
    withEveryMember(listPods("Shared", "Foreign", "PlacedByNodeLabels")),
  ),
  async (subject: MutatingWebhook, generated: PodCase) => {
    const found = await callMutatingWebhook(subject, generated);
    if (!("object" in found)) return found;
    const isForeign = generated.situation.includes("no JobSet");
    return checkUnexpectedChange(
      "Pod",
      generated.object,
      found.object,
      isForeign ? [] : [priorityPlace],
    );
  },
);

const priorityPlace: ObjectPath = ["metadata", "labels", PRIORITY_KEY];

/**
 * A patch changes only the priority label, a leader's required terms and a follower's node selector for its topology
 * key. New empty fields (`{}`, `[]`, null, 0) do not count, because clients that write the whole Pod add them.
 */
export const nothingElseIsChanged: Law<MutatingWebhook> = createWebhookLaw(
  "nothingElseIsChanged",
  {
    sentence:
      "A patch changes only the priority label, the affinity terms of a leader and the node selector of a follower.",
    defects: [],
  },
  joinCases(
    listPods("Leader"),
    followers(["the leader runs", "the leader waits for a node"], ["OtherKey", "OtherDomain"]),
    withEveryMember(listPods("Leader")),
    withEveryMember(followers(["the leader runs"], ["OtherKey"])),
  ),
  async ({ mutate }: MutatingWebhook, generated: PodCase) => {
    const response = await callWebhook(mutate, "Pod", generated);
    if (!response.allowed) return undefined;
    const { annotations = {} } = generated.object.metadata;
    const places =
      annotations[JOB_COMPLETION_INDEX_KEY] === "0"
        ? ["podAffinity", "podAntiAffinity"].map((group) => ["spec", "affinity", group, required])
        : [["spec", "nodeSelector", generated.topologyKey]];
    return checkUnexpectedChange("Pod", generated.object, response.object, [
      priorityPlace,
      ...places,
    ]);
  },
);

/**
 * With `reinvocationPolicy: IfNeeded`, an API server calls the webhook again. As in jobset-ts, the second call must
 * change nothing. Upstream adds a leader's terms again (quirk `LeaderTermsAppendedAgain`).
 */
export const mutationIsIdempotent: Law<MutatingWebhook> = createWebhookLaw(
  "mutationIsIdempotent",
  { sentence: "Mutating a Pod a second time changes nothing.", defects: [] },
  joinCases(
    listPods("Leader", "Shared"),
    followers(["the leader runs", "the leader waits for a node"], ["None", "OtherDomain"]),
  ),
  async ({ mutate }: MutatingWebhook, generated: PodCase) => {
    const once = await callWebhook(mutate, "Pod", generated);
    if (!once.allowed) return undefined;
    const twice = await callWebhook(mutate, "Pod", { ...generated, object: once.object });
    if (!twice.allowed) {
      return {
        actual: `denies it the second time: ${twice.message}`,
        expected: "admitted without changes",
      };
    }
    return checkUnexpectedChange("Pod", once.object, twice.object, [], generated.object);
  },
);
