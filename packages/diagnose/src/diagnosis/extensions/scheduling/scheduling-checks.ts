import type { Unvalidated } from "@jobset-ts/api";
import { JOB_KEY_KEY } from "@jobset-ts/api/keys";
import {
  asArray,
  asRecord,
  asString,
  getLabel,
  getName,
  getNamespace,
  isObject,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";
import {
  absenceEvidence,
  createObjectKey,
  type DiagnosisCheck,
  eventEvidence,
  fail,
  fieldEvidence,
  getObjectKey,
  pass,
  podKey,
  unknown,
} from "../../checks/check-results.ts";
import { observeUnscheduled as observe } from "../../checks/pods/unscheduled-checks.ts";
import { type ClusterIndex, occupiesItsNode } from "../../view/cluster-facts.ts";
import { findLatest } from "../../view/events.ts";
import type { PodInJob } from "../../view/pod-view.ts";
import {
  type NodeRefusal,
  parseSchedulerMessage,
  type SchedulerMessage,
} from "./scheduler-message.ts";

/** The checks of an active Pod that the scheduler rejects. */
export const rejectionChecks: readonly DiagnosisCheck<PodInJob>[] = [
  {
    id: "insufficient-capacity",
    causes: [],
    words: { advice: ["add nodes with the resource, free some of it, or request less"] },
    run: (view) => {
      const refusals = listRefusals(view, "Insufficient");
      if (refusals.length === 0) return lackingEvents(view);
      const sorted = [...refusals].sort((one, other) =>
        compareBytes(one.resource ?? "", other.resource ?? ""),
      );
      const resources = sorted.map(({ resource }) => resource ?? "").join(", ");
      const counts = sorted.map(({ count }) => count).join(", ");
      const nodeCount = listMessages(view)?.nodeCount;
      const where = nodeCount === undefined ? "" : ` (${counts} of ${nodeCount} nodes)`;
      return fail(`not enough ${resources} for ${view.pod.name}${where}`, observe(view));
    },
  },
  {
    id: "domain-occupied",
    causes: [],
    words: { advice: ["wait for a Job to finish, or add nodes in a new domain"] },
    run: (view) => {
      const held = isDomainHeld(view);
      if (held === undefined) return unknown(...listUnread(view, "Node", "Pod"));
      if (!held) return pass;
      const text = `all candidate domains of ${view.pod.name} are held by other jobs of the same priority`;
      return fail(text, observe(view));
    },
  },
  {
    id: "domain-sticky",
    causes: [],
    words: { advice: ["delete the running followers, or free capacity in their domain"] },
    run: (view) => {
      if (getState(view).outcome === "Unknown") return unknown("Event");
      if (!isSticky(view)) return pass;
      const text = `${view.pod.name} must join the domain of its running followers`;
      return fail(text, observe(view));
    },
  },
  {
    id: "volume-claim-missing",
    causes: [],
    words: { advice: ["create the PersistentVolumeClaim that the Pod names"] },
    run: (view) => {
      const refusals = listRefusals(view, "Volume");
      if (refusals.length === 0) return lackingEvents(view);
      const named = refusals.map(({ text }) =>
        /persistentvolumeclaim "([^"]*)" not found/i.exec(text),
      );
      const claim = named.find((found) => found !== null)?.[1];
      if (claim !== undefined) return claimMissing(view, claim);
      if (!isRead(view, "PersistentVolumeClaim")) return unknown("PersistentVolumeClaim");
      const missing = createClaims(view.pod.pod).find(
        (name) => findClaim(view, name) === undefined,
      );
      return missing === undefined ? pass : claimMissing(view, missing);
    },
  },
  {
    id: "volume-claim-pending",
    causes: [],
    words: { advice: ["check the PersistentVolumeClaim, its storage class and its provisioner"] },
    run: (view) => {
      if (listRefusals(view, "Volume").length === 0) return lackingEvents(view);
      if (!isRead(view, "PersistentVolumeClaim")) return unknown("PersistentVolumeClaim");
      for (const name of createClaims(view.pod.pod)) {
        const claim = findClaim(view, name);
        const phase = asString(
          (claim as { status?: { phase?: string } } | undefined)?.status?.phase,
        );
        if (claim === undefined || phase === "Bound") continue;
        const object = getObjectKey("PersistentVolumeClaim", claim);
        const events = getFacts(view).eventsAbout(claim, "PersistentVolumeClaim");
        const warning = findLatest(events.filter(({ isWarning }) => isWarning));
        const phaseShown = fieldEvidence(object, "status.phase", phase);
        const evidence =
          warning === undefined ? [phaseShown] : [phaseShown, eventEvidence(object, warning)];
        const why = warning === undefined ? "" : `: ${warning.message}`;
        const text = `PersistentVolumeClaim ${name} of ${view.pod.name} is ${phase}${why}`;
        return fail(text, { objects: [object, podKey(view)], evidence });
      }
      return pass;
    },
  },
  {
    id: "constraint-mismatch",
    causes: ["no-domain-label", "volume-claim-missing", "volume-claim-pending"],
    words: { advice: ["compare the Pod's selectors, tolerations and affinity with the nodes"] },
    run: (view) => {
      const mismatch = isMismatch(view);
      if (mismatch === undefined) return unknown(...listUnread(view, "Node", "Pod"));
      if (!mismatch) return pass;
      const refusals = listMessages(view)?.refusals ?? [];
      const texts = refusals.map(({ count, text }) => (count > 0 ? `${count} ${text}` : text));
      return fail(`${view.pod.name} matches no node: ${texts.join(", ")}`, observe(view));
    },
  },
];

function getFacts({ facts }: PodInJob) {
  return facts;
}

function isRead(view: PodInJob, kind: string): boolean {
  return getFacts(view).wasRead(kind);
}

function getState({ jobSet, pod }: PodInJob) {
  return jobSet.schedulingOf(pod);
}

function listMessages(view: PodInJob): SchedulerMessage | undefined {
  const state = getState(view);
  return state.outcome === "Unschedulable" ? parseOnce(view.facts, state.text) : undefined;
}

/** Many Pods have the same message, and every check reads it. */
const parsed = new WeakMap<ClusterIndex, Map<string, SchedulerMessage>>();

function parseOnce(facts: ClusterIndex, text: string): SchedulerMessage {
  const known = parsed.get(facts) ?? new Map<string, SchedulerMessage>();
  parsed.set(facts, known);
  const message = known.get(text) ?? parseSchedulerMessage(text);
  known.set(text, message);
  return message;
}

function listRefusals(view: PodInJob, of: NodeRefusal["class"]): readonly NodeRefusal[] {
  const isMeant = (refusal: NodeRefusal) => refusal.class === of;
  const refusals = listMessages(view)?.refusals ?? noRefusals;
  return refusals.some(isMeant) ? refusals.filter(isMeant) : noRefusals;
}

const noRefusals: readonly NodeRefusal[] = [];

function lackingEvents(view: PodInJob) {
  return getState(view).outcome === "Unknown" ? unknown("Event") : pass;
}

function listUnread(view: PodInJob, ...kinds: readonly string[]): readonly string[] {
  if (getState(view).outcome === "Unknown") return ["Event"];
  return kinds.filter((kind) => !isRead(view, kind));
}

function isExclusiveLeader({ job, pod }: PodInJob): boolean {
  return job.topologyKey !== undefined && pod.isLeader;
}

/** If Jobs fill the nodes of their domains, the scheduler's message names only resources. */
function isDomainHeld(view: PodInJob): boolean | undefined {
  if (!isExclusiveLeader(view)) return false;
  if (getState(view).outcome === "Unknown") return undefined;
  if (listRefusals(view, "DomainOccupied").length > 0) return true;
  if (listRefusals(view, "Insufficient").length === 0) return false;
  if (!isRead(view, "Node") || !isRead(view, "Pod")) return undefined;
  return getFacts(view).allDomainsHeld(view.job.topologyKey ?? "", view.pod.pod);
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
  const alike = getFacts(view).snapshot.podsByJobKey(getNamespace(pod), key);
  return alike.some((one) => getName(one) !== view.pod.name && occupiesItsNode(one));
}

/** Reports whether nodes are excluded by their properties rather than by a lack of resources. */
function isMismatch(view: PodInJob): boolean | undefined {
  if (getState(view).outcome === "Unknown") return undefined;
  const refusals = listMessages(view)?.refusals ?? [];
  const isOther = (refusal: NodeRefusal) =>
    refusal.class !== "Insufficient" &&
    !(refusal.class === "DomainOccupied" && isExclusiveLeader(view));
  const others = refusals.filter(isOther);
  if (others.length === 0) return false;
  const isCordoned = others.some((refusal) => refusal.class === "Cordoned");
  if (refusals.length === others.length && !isSticky(view)) return true;
  if (!isCordoned) return false;
  if (!isRead(view, "Node")) return undefined;
  return getFacts(view).cordoned.some((node) => acceptsPod(view, node));
}

function acceptsPod(
  view: PodInJob,
  node: { readonly metadata?: { readonly labels?: Readonly<Record<string, string>> } },
): boolean {
  const { topologyKey } = view.job;
  const isInDomain = !isExclusiveLeader(view) || getLabel(node, topologyKey ?? "") !== undefined;
  const selector = asRecord(view.pod.pod.spec?.nodeSelector);
  return (
    isInDomain && Object.entries(selector).every(([key, value]) => getLabel(node, key) === value)
  );
}

function createClaims(pod: Unvalidated<Pod>): readonly string[] {
  return asArray(pod.spec?.volumes)
    .filter(isObject)
    .flatMap((volume) => {
      const claim = asString(volume.persistentVolumeClaim?.claimName);
      if (claim !== "") return [claim];
      return isObject(volume.ephemeral) ? [`${getName(pod)}-${asString(volume.name)}`] : [];
    });
}

function findClaim(view: PodInJob, name: string) {
  return getFacts(view).snapshot.volumeClaim(getNamespace(view.pod.pod), name);
}

function claimMissing(view: PodInJob, name: string) {
  const object = createObjectKey("PersistentVolumeClaim", getNamespace(view.pod.pod), name);
  const evidence = [
    ...observe(view).evidence,
    absenceEvidence(object, "the PersistentVolumeClaim does not exist"),
  ];
  const text = `PersistentVolumeClaim ${name} of ${view.pod.name} does not exist`;
  return fail(text, { objects: [podKey(view), object], evidence });
}
