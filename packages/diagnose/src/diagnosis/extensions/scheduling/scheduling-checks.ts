import { JOB_KEY_KEY } from "@jobset-ts/api/keys";
import { getLabel, getName, getNamespace } from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";
import { type DiagnosisCheck, fail, pass, unknown } from "../../checks/check-results.ts";
import { observeUnscheduled as observe } from "../../checks/pods/unscheduled-checks.ts";
import { occupiesItsNode } from "../../view/cluster-facts.ts";
import { memoizeByObject } from "../../view/memoize.ts";
import type { PodInJob } from "../../view/pod-view.ts";
import { findShortage, isOnlyOnTainted } from "./node-capacity.ts";
import { explainRefusal, listCordoned, type RefusalDetails } from "./refusal-details.ts";
import { getMessage, listRefusals, unknownWithoutEvents } from "./refusals.ts";
import type { NodeRefusal, SchedulerMessage } from "./scheduler-message.ts";

/**
 * The findings about components that make room for a Pod. They are the cause if the current nodes have
 * no room.
 */
const capacityFaults = ["scale-up-failed", "scaling-up", "preempting"] as const;

/** The resources that nodes lack, sorted, and how many nodes. Undefined if none. Many Pods have the same message. */
const summarizeShortage = /* @__PURE__ */ memoizeByObject((message: SchedulerMessage) => {
  const lacking = message.refusals.filter((refusal) => refusal.class === "Insufficient");
  if (lacking.length === 0) return undefined;
  const sorted = lacking.sort((one, other) =>
    compareBytes(one.resource ?? "", other.resource ?? ""),
  );
  const resources = sorted.map(({ resource = "" }) => resource);
  const counts = sorted.map(({ count }) => count).join(", ");
  const { nodeCount } = message;
  const where = nodeCount === undefined ? "" : ` (${counts} of ${nodeCount} nodes)`;
  const names = resources.map((resource) => (resource === "pods" ? "Pod slots" : resource));
  return { resources, text: names.join(", "), where };
});

/** The checks of an active Pod that the scheduler rejects. */
export const rejectionChecks: readonly DiagnosisCheck<PodInJob>[] = [
  {
    id: "insufficient-capacity",
    causes: capacityFaults,
    texts: { advice: ["add nodes with the resource, free some of it, or request less"] },
    run: (view) => {
      const message = getMessage(view);
      const shortage = message && summarizeShortage(message);
      if (shortage === undefined) return unknownWithoutEvents(view);
      const { resources, where } = shortage;
      // The finding about other reasons names the resources, too.
      if (isMismatch(view) === true) return pass;
      const shortages = resources.flatMap((resource) => findShortage(view, resource) ?? []);
      const why = shortages.map(({ text }) => `: ${text}`).join("");
      return fail(`not enough ${shortage.text} for ${view.pod.name}${where}${why}`, {
        ...observe(view),
        ...(shortages.length > 0 && { advice: shortages.map(({ advice }) => advice) }),
      });
    },
  },
  {
    id: "domain-occupied",
    causes: [],
    texts: { advice: ["wait for a Job to finish, or add nodes in a new domain"] },
    run: (view) => {
      const isOccupied = isDomainHeld(view);
      if (isOccupied === undefined) return unknown(...listUnread(view, "Node", "Pod"));
      if (!isOccupied) return pass;
      const text = `all candidate domains of ${view.pod.name} are held by other jobs of the same priority`;
      return fail(text, observe(view));
    },
  },
  {
    id: "domain-sticky",
    causes: [],
    texts: { advice: ["delete the running followers, or free capacity in their domain"] },
    run: (view) => {
      if (view.jobSet.schedulingOf(view.pod).outcome === "Unknown") return unknown("Event");
      if (!isSticky(view)) return pass;
      const text = `${view.pod.name} must join the domain of its running followers`;
      return fail(text, observe(view));
    },
  },
  {
    id: "constraint-mismatch",
    causes: [
      "no-domain-label",
      "volume-claim-missing",
      "volume-claim-pending",
      "resource-claim-missing",
      ...capacityFaults,
    ],
    run: (view) => {
      const mismatch = isMismatch(view);
      if (mismatch === undefined) return unknown(...listUnread(view, "Node", "Pod"));
      if (!mismatch) return pass;
      const refusals = getMessage(view)?.refusals ?? [];
      const details = refusals.map((refusal) => ({ refusal, ...explainRefusal(view, refusal) }));
      const texts = details.map(({ refusal: { count, text }, about }) => {
        const counted = count > 0 ? `${count} ${text}` : text;
        return about === "" ? counted : `${counted} (${about})`;
      });
      // The message of another scheduler may be about something other than nodes.
      const isAboutNodes = getMessage(view)?.nodeCount !== undefined;
      const problem = isAboutNodes ? "matches no node" : "is not scheduled";
      return fail(`${view.pod.name} ${problem}: ${texts.join(", ")}`, {
        ...observe(view),
        advice: listAdvice(details),
      });
    },
  },
];

function listAdvice(details: readonly RefusalDetails[]): readonly string[] {
  const unexpected = details.filter(({ isExpected }) => isExpected !== true);
  const relevant = unexpected.length > 0 ? unexpected : details;
  return [...new Set(relevant.map(({ advice }) => advice))];
}

function listUnread(view: PodInJob, ...kinds: readonly string[]): readonly string[] {
  if (view.jobSet.schedulingOf(view.pod).outcome === "Unknown") return ["Event"];
  return kinds.filter((kind) => !view.facts.wasRead(kind));
}

function isExclusiveLeader({ job, pod }: PodInJob): boolean {
  return job.topologyKey !== undefined && pod.isLeader;
}

/** If Jobs fill the nodes of their domains, the scheduler's message names only resources. */
function isDomainHeld(view: PodInJob): boolean | undefined {
  if (!isExclusiveLeader(view)) return false;
  if (view.jobSet.schedulingOf(view.pod).outcome === "Unknown") return undefined;
  if (listRefusals(view, "DomainOccupied").length > 0) return true;
  if (listRefusals(view, "Insufficient").length === 0) return false;
  if (!view.facts.wasRead("Node") || !view.facts.wasRead("Pod")) return undefined;
  return view.facts.areAllDomainsOccupied(view.job.topologyKey ?? "", view.pod.pod);
}

/**
 * Reports whether Pods of the Job pin the leader to their domain. Pods of the previous Job count too, because they have
 * the same key.
 */
function isSticky(view: PodInJob): boolean {
  const { pod } = view.pod;
  if (!view.pod.isLeader || listRefusals(view, "PodAffinity").length === 0) return false;
  const key = getLabel(pod, JOB_KEY_KEY);
  if (key === undefined) return false;
  const alike = view.facts.snapshot.podsByJobKey(getNamespace(pod), key);
  return alike.some((one) => getName(one) !== view.pod.name && occupiesItsNode(one));
}

/** Reports whether nodes would have the resources, but only such that a taint reserves for other Pods. */
function isForOtherPods(view: PodInJob): boolean {
  return (
    listRefusals(view, "Taint").length > 0 &&
    listRefusals(view, "Insufficient").some(({ resource = "" }) => isOnlyOnTainted(view, resource))
  );
}

/** Reports whether nodes are excluded by their properties rather than by a lack of resources. */
function isMismatch(view: PodInJob): boolean | undefined {
  if (view.jobSet.schedulingOf(view.pod).outcome === "Unknown") return undefined;
  const refusals = getMessage(view)?.refusals ?? [];
  const isOther = (refusal: NodeRefusal) =>
    refusal.class !== "Insufficient" &&
    !(refusal.class === "DomainOccupied" && isExclusiveLeader(view));
  const others = refusals.filter(isOther);
  if (others.length === 0) return false;
  const isCordoned = others.some((refusal) => refusal.class === "Cordoned");
  if (refusals.length === others.length && !isSticky(view)) return true;
  if (isForOtherPods(view)) return true;
  if (!isCordoned) return false;
  if (!view.facts.wasRead("Node")) return undefined;
  const { topologyKey } = view.job;
  const needsDomain = isExclusiveLeader(view);
  return listCordoned(view).some(
    (node) => !needsDomain || getLabel(node, topologyKey ?? "") !== undefined,
  );
}
