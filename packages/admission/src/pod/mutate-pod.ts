import type { Unvalidated } from "@jobset-ts/api";
import { PRIORITY_KEY } from "@jobset-ts/api/keys";
import { asRecord, getLabel, type Pod } from "@jobset-ts/api/kubernetes";
import { goQuote } from "@jobset-ts/api/text";
import { evaluateChecks, firstFailure } from "@jobset-ts/checks";
import type { Snapshot } from "@jobset-ts/core";
import { createDenial } from "../denial/denial.ts";
import type {
  AdmissionContext,
  AdmissionDecision,
  MutationResult,
  WebhookOptions,
  WebhookRequest,
} from "../webhook-shape.ts";
import { getLeaderAffinity } from "./leader-terms.ts";
import type { PodCheckId } from "./pod-check-ids.ts";
import { leaderCheckSet } from "./pod-checks.ts";
import { type PodRole, podRole } from "./pod-role.ts";
import { podStatus } from "./pod-status.ts";
import { type PodView, podView } from "./pod-view.ts";
import { priorityLabel } from "./priority-label.ts";
import { selectedDomain } from "./selector-checks.ts";

/**
 * Mutates a Pod as JobSet's mutating webhook does.
 *
 * Every Pod of a JobSet with a priority gets it as a label. Under exclusive placement, the leader of a Job gets
 * affinity terms that reserve a topology domain for the Job. A follower gets the node selector of its leader's domain.
 * Until the leader is on a node, the follower is not changed, and the validating webhook denies it.
 *
 * The mutation is idempotent, unless the cluster changes or the quirk `LeaderTermsAppendedAgain` is on.
 *
 * @param request - its Pod does not change, and unchanged parts are shared with the result
 * @returns a denial if the leader is on a node whose domain is unknown
 * @see JobSet `pkg/webhooks/pod_mutating_webhook.go`
 * @example
 * import { createContext, createSnapshot } from "@jobset-ts/core";
 * const annotations = { "jobset.sigs.k8s.io/jobset-name": "train" };
 * const request = { operation: "CREATE", object: { metadata: { annotations }, spec: { priority: 7 } } } as const;
 * const answer = mutatePod(request, createSnapshot([]), createContext({ now: 0 }));
 * answer.allowed && answer.object.metadata?.labels // => { "jobset.sigs.k8s.io/priority": "7" }
 */
export function mutatePod(
  { operation, object }: WebhookRequest,
  snapshot: Snapshot,
  context: AdmissionContext,
  options: WebhookOptions = {},
): MutationResult<Unvalidated<Pod>, PodCheckId> {
  const pod = object as Unvalidated<Pod>;
  if (operation === "DELETE") {
    return leaveUnchanged(pod, "Deletion", "a Pod that is being deleted is not changed");
  }
  const role = podRole(pod, context.quirks.has("OnlyExclusivePodsMutated"));
  switch (role.kind) {
    case "Foreign":
      return leaveUnchanged(pod, "NotOfJobSet", "the Pod does not have the annotation of a JobSet");
    case "PlacedByNodeLabels":
      return leaveUnchanged(pod, "NodeSelectorStrategy", "the Pod is placed by node labels");
    default: {
      const labelled = labelPriority(pod, context);
      const placed = applyPlacement(labelled.object, role, snapshot, context, options);
      if (!placed.allowed) return placed;
      const decisions = [...labelled.decisions, ...placed.decisions];
      return { ...placed, changed: placed.object !== pod, decisions };
    }
  }
}

function applyPlacement(
  pod: Unvalidated<Pod>,
  role: Exclude<PodRole, { kind: "Foreign" | "PlacedByNodeLabels" }>,
  snapshot: Snapshot,
  context: AdmissionContext,
  options: WebhookOptions,
): MutatedPod {
  switch (role.kind) {
    case "Shared":
      return leaveUnchanged(pod, "NotExclusive", "the Pod may share its topology domain");
    case "Leader":
      return reserveDomain(pod, role.topologyKey, context);
    case "Follower":
      return followLeader(
        podView({ pod, topologyKey: role.topologyKey }, snapshot, context, options),
        context,
      );
  }
}

type MutatedPod = MutationResult<Unvalidated<Pod>, PodCheckId>;
type AllowedPod = Extract<MutatedPod, { allowed: true }>;

function labelPriority(pod: Unvalidated<Pod>, context: AdmissionContext): AllowedPod {
  const value = priorityLabel(pod, context);
  if (value === undefined || getLabel(pod, PRIORITY_KEY) === value) return allowUnchanged(pod);
  const labels = { ...asRecord(pod.metadata?.labels), [PRIORITY_KEY]: value };
  const message = `label ${PRIORITY_KEY} becomes ${goQuote(value)} for the Pod's priority`;
  return createChangedResult(
    { ...pod, metadata: { ...pod.metadata, labels } },
    "PriorityLabelled",
    message,
  );
}

function reserveDomain(
  leader: Unvalidated<Pod>,
  topologyKey: string,
  context: AdmissionContext,
): AllowedPod {
  const affinity = getLeaderAffinity(leader, topologyKey, context);
  if (affinity === leader.spec?.affinity) {
    return leaveUnchanged(
      leader,
      "DomainReserved",
      `the leader already has its affinity terms for ${topologyKey}`,
    );
  }
  return createChangedResult(
    { ...leader, spec: { ...asRecord(leader.spec), affinity } },
    "DomainReserved",
    `the leader gets affinity terms that reserve its ${topologyKey} for its Job`,
  );
}

function followLeader(view: PodView, { quirks }: AdmissionContext): MutatedPod {
  const { pod, topologyKey, leader, domain } = view;
  if (domain?.outcome === "NodeMissing" && quirks.has("MissingNodeSelectsEmptyDomain")) {
    return selectDomain(pod, topologyKey, "");
  }
  if (domain?.outcome === "Found") return selectDomain(pod, topologyKey, domain.domain);

  const evaluation = evaluateChecks(leaderCheckSet, view);
  if (domain === undefined) {
    const rule = leader.outcome === "Found" ? "LeaderNotScheduled" : "LeaderNotFound";
    const findings = [...evaluation.roots, ...evaluation.symptoms, ...evaluation.unknown];
    const message = "the leader is not in a domain yet, so the follower is not changed";
    return allowUnchanged(pod, { rule, message, findings });
  }
  const reported = firstFailure(evaluation, ["node-known", "node-in-domain"]);
  const denial = createDenial(evaluation, {
    reported,
    createStatus: (finding) => podStatus(finding, view),
  });
  return denial === undefined ? allowUnchanged(pod) : { allowed: false, denial };
}

function selectDomain(pod: Unvalidated<Pod>, topologyKey: string, domain: string): AllowedPod {
  const selector = `${topologyKey}=${domain}`;
  if (selectedDomain(pod, topologyKey) === domain) {
    return leaveUnchanged(
      pod,
      "DomainSelected",
      `the follower already selects its leader's domain, ${selector}`,
    );
  }
  const nodeSelector = { ...asRecord(pod.spec?.nodeSelector), [topologyKey]: domain };
  const message = `the follower gets the node selector of its leader's domain, ${selector}`;
  return createChangedResult(
    { ...pod, spec: { ...asRecord(pod.spec), nodeSelector } },
    "DomainSelected",
    message,
  );
}

function leaveUnchanged(pod: Unvalidated<Pod>, rule: string, message: string): AllowedPod {
  return allowUnchanged(pod, { rule, message });
}

function allowUnchanged(
  pod: Unvalidated<Pod>,
  ...decisions: readonly AdmissionDecision[]
): AllowedPod {
  return { allowed: true, object: pod, changed: false, decisions };
}

function createChangedResult(pod: Unvalidated<Pod>, rule: string, message: string): AllowedPod {
  return { allowed: true, object: pod, changed: true, decisions: [{ rule, message }] };
}
