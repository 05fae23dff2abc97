import type { JobSet } from "@jobset-ts/api";
import { asArray, getControllerOf, namespacedName } from "@jobset-ts/api/kubernetes";
import { emptyMap, type PersistentMap } from "@jobset-ts/core/persistent-map";
import type { Stored } from "../api-server/objects.ts";
import type { RecordedEvent, RejectedRequest } from "../kernel/advance.ts";
import { findTopicByReason } from "./event-laws.ts";
import { getControllingJobSet } from "./jobset-facts.ts";
import { isByManager, type LawContext, type SafetyLaw } from "./law.ts";

/** A few rejections may stay unreported, because the controller may crash before it reports them. */
const MAX_UNREPORTED = 5;
/** The object already exists, has changed meanwhile, or the server did not respond. */
const UNREPORTED_CODES: ReadonlySet<number> = new Set([409, 504]);
/** The additional rejection that the object does not exist. */
const UNREPORTED_CHANGE_CODES: ReadonlySet<number> = new Set([...UNREPORTED_CODES, 404]);
const REPORTED = Number.NEGATIVE_INFINITY;

export const rejectedCreationsHaveEvents: SafetyLaw<PersistentMap<number>> = {
  name: "rejectedCreationsHaveEvents",
  sentence:
    "If creations of an object are rejected repeatedly, this is reported by a Warning Event of the JobSet, or by an Event or a condition that names the object.",
  validUnder: "EventsArrive",
  memory: emptyMap(),
  kinds: ["Job", "Service", "PersistentVolumeClaim"],
  onRejection: findUnreportedCreation,
  onChange: ({ verb, after }, context) =>
    verb === "Added" && after !== undefined ? clearRejections(after, context) : undefined,
  onEvent: (event, context) =>
    recordReported(
      event,
      context,
      event.type === "Warning" && findTopicByReason(event.reason) === undefined,
    ),
};

export const rejectedCreationEventsNameTheObject: SafetyLaw<PersistentMap<number>> = {
  ...rejectedCreationsHaveEvents,
  name: "rejectedCreationEventsNameTheObject",
  sentence:
    "If creations of an object are rejected repeatedly, an Event or a condition of the JobSet names the object.",
  // Another controller has its own message.
  appliesTo: "BuiltInController",
  onEvent: (event, context) => recordReported(event, context),
};

export const rejectedUpdatesHaveEvents: SafetyLaw<PersistentMap<number>> = {
  name: "rejectedUpdatesHaveEvents",
  sentence:
    "If changes or deletions of a Job are rejected repeatedly, an Event of the JobSet names the Job.",
  validUnder: "EventsArrive",
  // Upstream does not report this.
  appliesTo: "BuiltInController",
  memory: emptyMap(),
  kinds: ["Job"],
  onRejection: (rejected, context) => {
    const { request, rejection } = rejected;
    const { kind, metadata: { namespace = "", name = "" } = {} } = request.object;
    const isChange = request.verb !== "create" && kind === "Job";
    if (!isByManager(rejected) || !isChange || UNREPORTED_CHANGE_CODES.has(rejection.code))
      return undefined;
    const job = context.objects.get("Job", namespace, name);
    const jobSet = job && getControllingJobSet(job, context.objects);
    return jobSet && findUnreportedRejection(jobSet, kind, name, context);
  },
  onChange: ({ after }, context) =>
    after === undefined ? undefined : clearRejections(after, context),
  onEvent: (event, context) => recordReported(event, context),
};

function findUnreportedCreation(
  rejected: RejectedRequest,
  context: LawContext<PersistentMap<number>>,
): string | undefined {
  const { request, rejection } = rejected;
  if (!isByManager(rejected) || request.verb !== "create" || UNREPORTED_CODES.has(rejection.code))
    return undefined;
  const { kind, metadata: { name = "" } = {} } = request.object;
  const jobSet = getControllingJobSet(request.object as never, context.objects);
  const unreported = jobSet && findUnreportedRejection(jobSet, kind, name, context);
  const isSaid = asArray(jobSet?.status?.conditions).some(({ message }) => message?.includes(name));
  return isSaid ? undefined : unreported;
}

/**
 * Counts another rejection for an object of a JobSet. Returns the violation if the rejections were not reported in
 * time.
 */
function findUnreportedRejection(
  jobSet: JobSet,
  kind: string,
  name: string,
  context: LawContext<PersistentMap<number>>,
): string | undefined {
  const key = `${jobSet.metadata.uid} ${name}`;
  const unreported = (context.memory.get(key) ?? 0) + 1;
  context.memory = context.memory.set(key, unreported);
  return unreported > MAX_UNREPORTED
    ? `${kind} ${name} was rejected ${unreported} times, but no Event of ${namespacedName(jobSet)} reports it`
    : undefined;
}

/** Clears the rejections of an object when a request for it has succeeded. */
function clearRejections(object: Stored, context: LawContext<PersistentMap<number>>): undefined {
  const key = `${getControllerOf(object)?.uid} ${object.metadata.name}`;
  if (context.memory.get(key) !== undefined) context.memory = context.memory.delete(key);
  return undefined;
}

/** Clears the rejections that an Event of a JobSet reports: of the named object, or all. */
function recordReported(
  event: RecordedEvent,
  context: LawContext<PersistentMap<number>>,
  isAboutAll = false,
): undefined {
  const { about, message } = event;
  if (!isByManager(event)) return undefined;
  for (const [key] of context.memory.entries()) {
    const [uid, name = ""] = key.split(" ");
    if (uid === about.metadata.uid && (isAboutAll || message.includes(name))) {
      context.memory = context.memory.set(key, REPORTED);
    }
  }
  return undefined;
}
