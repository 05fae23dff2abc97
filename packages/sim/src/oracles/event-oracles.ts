import { type JobSet, replicatedJobsOf } from "@jobset-ts/api";
import {
  CONDITION_COMPLETED,
  CONDITION_FAILED,
  REASON_RESTART_JOB_ACTION,
  REASON_RESTART_JOB_IGNORE_ACTION,
  REASON_RESTART_JOBSET_ACTION,
  REASON_RESTART_JOBSET_IGNORE_ACTION,
} from "@jobset-ts/api/conditions";
import { JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import { keyOf, listOf, type Service } from "@jobset-ts/api/kubernetes";
import { byteLength } from "@jobset-ts/api/text";
import { emptyTrie, type Trie } from "@jobset-ts/core/persistent-map";
import { isTrue } from "../api-server/conditions.ts";
import type { Objects } from "../api-server/objects.ts";
import type { HeardEvent } from "../kernel/advance.ts";
import { controllingJobSet, passOf, restartCount } from "./jobset-facts.ts";
import { isByManager, type Oracle } from "./oracle.ts";

/** The Events about conditions and restarts; those of failed effects come without a write. */
export const eventsFollowTheirWrites: Oracle = {
  name: "eventsFollowTheirWrites",
  sentence: "An Event about a condition of a JobSet comes after the write of the condition.",
  holds: "Always",
  memory: undefined,
  onEvent: (event, { objects }) => {
    const jobSet = jobSetOf(event, objects);
    const written = ENDS.get(event.reason);
    if (jobSet === undefined || written === undefined) return undefined;
    return isTrue(jobSet.status?.conditions, written)
      ? undefined
      : `${event.reason} is told, and ${written} is not written`;
  },
};

export const eventsSayWhatIsWritten: Oracle = {
  name: "eventsSayWhatIsWritten",
  sentence: "An Event about the end of a JobSet says what its condition says, to the letter.",
  holds: "Always",
  binds: "OursAlone",
  memory: undefined,
  onEvent: (event, { objects }) => {
    const jobSet = jobSetOf(event, objects);
    const end = listOf(jobSet?.status?.conditions).find(
      ({ type, status }) => status === "True" && type === ENDS.get(event.reason),
    );
    if (end === undefined) return undefined;
    return end.reason === event.reason && end.message === event.message
      ? undefined
      : `${event.reason}: ${event.message} is told, and ${end.reason}: ${end.message} is written`;
  },
};

export const eachWriteIsToldOnce: Oracle<Trie<number>> = {
  name: "eachWriteIsToldOnce",
  sentence: "A JobSet is told once of its end, and of no more restarts than its status counts.",
  holds: "Always",
  memory: emptyTrie(),
  onEvent: (event, sight) => {
    const jobSet = jobSetOf(event, sight.objects);
    const isEnd = ENDS.has(event.reason);
    if (jobSet === undefined || !(isEnd || RESTARTS.has(event.reason))) return undefined;
    const key = `${jobSet.metadata.uid} ${isEnd ? "end" : "restarts"}`;
    const told = (sight.memory.get(key) ?? 0) + 1;
    sight.memory = sight.memory.set(key, told);
    const written = isEnd ? 1 : restartCount(jobSet.status);
    return told > written
      ? `${event.reason} makes ${told} that are told, and ${written} are written`
      : undefined;
  },
};

/** The JobSet, as it is stored, that an Event of the controller is about. */
function jobSetOf(event: HeardEvent, objects: Objects): JobSet | undefined {
  const { about } = event;
  if (about.kind !== "JobSet" || !isByManager(event)) return undefined;
  const { namespace = "", name = "", uid } = about.metadata;
  const jobSet = objects.get<JobSet>("JobSet", namespace, name);
  return jobSet?.metadata.uid === uid ? jobSet : undefined;
}

const ENDS = new Map([
  ["AllJobsCompleted", CONDITION_COMPLETED],
  ["FailedJobs", CONDITION_FAILED],
  ["ReachedMaxRestarts", CONDITION_FAILED],
  ["FailJobSetFailurePolicyAction", CONDITION_FAILED],
]);

const RESTARTS: ReadonlySet<string> = new Set([
  REASON_RESTART_JOBSET_ACTION,
  REASON_RESTART_JOBSET_IGNORE_ACTION,
  REASON_RESTART_JOB_ACTION,
  REASON_RESTART_JOB_IGNORE_ACTION,
]);

/** What the API server takes of an Event. */
const MAX_NOTE_BYTES = 1024;
const MAX_REASON_CHARACTERS = 128;

export const eventsAreTaken: Oracle = {
  name: "eventsAreTaken",
  sentence:
    "The controller's Events are such as the API server takes: a note of at most 1,024 bytes, a reason of at most 128.",
  holds: "Always",
  memory: undefined,
  onEvent: (event) => {
    const { reason, message } = event;
    if (!isByManager(event)) return undefined;
    const bytes = byteLength(message);
    if (bytes > MAX_NOTE_BYTES) return `the note has ${bytes} bytes`;
    return reason === "" || reason.length > MAX_REASON_CHARACTERS
      ? `the reason has ${reason.length} characters`
      : undefined;
  },
};

/** So often a creation may be refused before anybody is told: the controller may die meanwhile. */
const MAX_UNTOLD = 5;
/** The object is there already, or nobody has answered. */
const UNTOLD: ReadonlySet<number> = new Set([409, 504]);

export const refusedCreationsAreTold: Oracle<Trie<number>> = {
  name: "refusedCreationsAreTold",
  sentence:
    "A creation that is refused again and again is told in an Event of the JobSet that names the object.",
  holds: "EventsArrive",
  memory: emptyTrie(),
  onRefusal: (refused, sight) => {
    const { request, refusal } = refused;
    const { object } = request;
    if (!isByManager(refused) || request.verb !== "create" || UNTOLD.has(refusal.code))
      return undefined;
    const jobSet = controllingJobSet(object as never, sight.objects);
    if (jobSet === undefined) return undefined;
    const key = `${jobSet.metadata.uid} ${object.metadata?.name}`;
    const untold = (sight.memory.get(key) ?? 0) + 1;
    sight.memory = sight.memory.set(key, untold);
    return untold > MAX_UNTOLD
      ? `${object.kind} ${object.metadata?.name} is refused ${untold} times, and no Event of ${keyOf(jobSet)} names it`
      : undefined;
  },
  onEvent: (event, sight) => {
    const { about, message } = event;
    if (!isByManager(event)) return undefined;
    for (const [key] of sight.memory.entries()) {
      const [uid, name = ""] = key.split(" ");
      if (uid === about.metadata.uid && message.includes(name)) {
        sight.memory = sight.memory.delete(key);
      }
    }
    return undefined;
  },
};

export const serviceConflictsAreTold: Oracle = {
  name: "serviceConflictsAreTold",
  sentence:
    "With its first status, unless that says how it ended, a JobSet is told that the Service of its subdomain selects the Pods of another one.",
  holds: "Always",
  memory: undefined,
  onPlan: (planned) => {
    const { plan, jobSet } = passOf(planned) ?? {};
    if (plan?.status === undefined || plan.status.terminalState) return undefined;
    if (jobSet === undefined || jobSet.status?.replicatedJobsStatus !== undefined) return undefined;
    const { namespace, name } = plan.jobSet;
    const { subdomain, enableDNSHostnames } = jobSet.spec.network ?? {};
    const service = planned.snapshot.service(namespace, subdomain ?? name) as Service | undefined;
    const selected = service?.spec?.selector?.[JOBSET_NAME_KEY] ?? name;
    if (selected === name || enableDNSHostnames !== true || replicatedJobsOf(jobSet).length === 0)
      return undefined;
    return plan.events.some(({ type, message }) => type === "Warning" && message.includes(selected))
      ? undefined
      : `Service ${service?.metadata.name} selects the Pods of ${selected}, and ${name} is not told`;
  },
};
