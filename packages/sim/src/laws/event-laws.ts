import { getReplicatedJobs, type JobSetStatus } from "@jobset-ts/api";
import {
  CONDITION_COMPLETED,
  CONDITION_FAILED,
  CONDITION_RESTARTING,
  CONDITION_STARTUP_COMPLETED,
  CONDITION_STARTUP_IN_PROGRESS,
  CONDITION_SUSPENDED,
  jobSetMessages,
  jobSetReasons,
  withFirstFailedJob,
} from "@jobset-ts/api/conditions";
import { JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import { asArray, type Condition, findCondition, type Service } from "@jobset-ts/api/kubernetes";
import { byteLength } from "@jobset-ts/api/text";
import { emptyMap, type PersistentMap } from "@jobset-ts/core/persistent-map";
import { isConditionTrue } from "../api-server/conditions.ts";
import type { RecordedEvent } from "../kernel/advance.ts";
import type { Change } from "../kernel/component.ts";
import { type FailureReaction, getExpectedReaction } from "./failure-laws.ts";
import { getJobSetVersions, isTerminal } from "./jobset-facts.ts";
import { isByManager, type SafetyLaw } from "./law.ts";
import { createPass, getStatusWrite } from "./request-facts.ts";
import { countRestarts } from "./restart-attempt.ts";

/** A change of a JobSet that Events report. */
interface EventTopic {
  /** The subject of the Event. Events with one subject report one change at a time. */
  readonly subject: string;
  readonly type: RecordedEvent["type"];
  /** The message, if it is constant. */
  readonly message?: string;
}

/** Returns the subject of a condition with its status. */
function createSubject(condition: Pick<Condition, "type" | "status">): string {
  return `${condition.type} ${condition.status}`;
}

function createConditionTopic(
  type: string,
  status: "True" | "False",
  message?: string,
): EventTopic {
  const subject = createSubject({ type, status });
  return { subject, type: "Normal", ...(message !== undefined && { message }) };
}

const FAILED: EventTopic = { subject: `${CONDITION_FAILED} True`, type: "Warning" };
const RESTARTING: EventTopic = { subject: `${CONDITION_RESTARTING} True`, type: "Warning" };
const RESTARTED: EventTopic = { subject: "restarts", type: "Warning" };

/**
 * Returns the topic for the end of a restart. Each reason is its own subject, because one write may contain several.
 */
function createRestartEndTopic(reason: string, message: string): readonly [string, EventTopic] {
  return [reason, { subject: reason, type: "Normal", message }];
}

/** By the reason of the Event, which is also the reason of the condition. */
const EVENT_TOPICS: ReadonlyMap<string, EventTopic> = new Map([
  [
    jobSetReasons.AllJobsCompleted,
    createConditionTopic(CONDITION_COMPLETED, "True", jobSetMessages.Completed),
  ],
  [jobSetReasons.FailedJobs, FAILED],
  [jobSetReasons.ReachedMaxRestarts, FAILED],
  [jobSetReasons.FailJobSetAction, FAILED],
  [
    jobSetReasons.SuspendedJobs,
    createConditionTopic(CONDITION_SUSPENDED, "True", jobSetMessages.Suspended),
  ],
  [
    jobSetReasons.ResumeJobs,
    createConditionTopic(CONDITION_SUSPENDED, "False", jobSetMessages.Resumed),
  ],
  [jobSetReasons.DefaultFailurePolicy, RESTARTING],
  createRestartEndTopic(jobSetReasons.JobsReady, jobSetMessages.JobsReady),
  createRestartEndTopic(jobSetReasons.JobSetFailed, jobSetMessages.JobSetFailed),
  createRestartEndTopic(jobSetReasons.JobSetCompleted, jobSetMessages.Completed),
  createRestartEndTopic(jobSetReasons.JobSetSuspended, jobSetMessages.Suspended),
  [
    jobSetReasons.StartupInProgress,
    createConditionTopic(CONDITION_STARTUP_IN_PROGRESS, "True", jobSetMessages.StartupInProgress),
  ],
  [
    jobSetReasons.StartupCompleted,
    createConditionTopic(CONDITION_STARTUP_COMPLETED, "True", jobSetMessages.StartupCompleted),
  ],
  [jobSetReasons.RestartJobSetAction, RESTARTED],
  [jobSetReasons.RestartJobSetIgnoreAction, RESTARTED],
  [jobSetReasons.RestartJobAction, RESTARTED],
  [jobSetReasons.RestartJobIgnoreAction, RESTARTED],
]);

/**
 * Returns the topic of the controller's Event about a JobSet. `undefined` if the Event reports neither a condition nor
 * a restart.
 */
function getEventTopic({ about, actor, reason }: RecordedEvent): EventTopic | undefined {
  if (about.kind !== "JobSet" || !isByManager({ actor })) return undefined;
  return findTopicByReason(reason);
}

export function findTopicByReason(reason: string): EventTopic | undefined {
  return reason.startsWith(jobSetReasons.FailurePolicyRulePrefix)
    ? RESTARTING
    : EVENT_TOPICS.get(reason);
}

/** Returns the conditions of one status that the other status lacks or has with another message. */
function getChangedConditions(
  before: JobSetStatus | null | undefined,
  after: JobSetStatus | null | undefined,
): readonly Condition[] {
  return asArray(after?.conditions).filter((own) => {
    const old = findCondition<Condition>(before?.conditions, own.type);
    return (["status", "reason", "message"] as const).some(
      (member) => old?.[member] !== own[member],
    );
  });
}

/**
 * Returns the subjects that Events may report for a write, and how often: once each, and once for each restart that it
 * counts.
 */
function listSubjects(change: Change): readonly (readonly [subject: string, times: number])[] {
  const versions = getJobSetVersions(change);
  if (versions === undefined || !isByManager(change)) return [];
  const [before, after] = [versions.before.status, versions.after.status];
  const raised = Math.max(0, countRestarts(after) - countRestarts(before));
  const isRestart = (after?.restarts ?? 0) > (before?.restarts ?? 0);
  const restarting = findCondition<Condition>(after?.conditions, CONDITION_RESTARTING);
  const changed = getChangedConditions(before, after);
  // The end of a suspended JobSet's restart may have the same message as the previous one.
  const isSilent = isRestart && restarting?.status === "False" && !changed.includes(restarting);
  const texts = [...changed, ...(isSilent ? [restarting] : [])].flatMap((own) => [
    ...(findTopicByReason(own.reason ?? "") ? [getEventSubject(own)] : []),
    ...(own.type === CONDITION_RESTARTING
      ? getTransientConditions(own, before, after, isRestart)
      : []),
  ]);
  const once = texts.map((subject) => [subject, 1] as const);
  return raised === 0 ? once : [...once, [RESTARTED.subject, raised]];
}

/** Returns the subject of Events about a condition. The end of a restart is named by its reason. */
function getEventSubject(own: Condition): string {
  const isOver = own.type === CONDITION_RESTARTING && own.status === "False";
  return isOver ? (own.reason ?? "") : createSubject(own);
}

/** Returns the intermediate values of RestartingJobSet that one write skips. */
function getTransientConditions(
  { status, reason }: Condition,
  before: JobSetStatus | null | undefined,
  after: JobSetStatus | null | undefined,
  isRestart: boolean,
): readonly string[] {
  if (status === "True") return [];
  const old = findCondition<Condition>(before?.conditions, CONDITION_RESTARTING);
  const hasEnded =
    reason === jobSetReasons.JobSetCompleted || reason === jobSetReasons.JobSetFailed;
  const isSuspended = isConditionTrue(after?.conditions, CONDITION_SUSPENDED);
  return [
    ...(hasEnded && old !== undefined && old.reason !== jobSetReasons.JobsReady
      ? [jobSetReasons.JobsReady]
      : []),
    ...(hasEnded && old !== undefined && isSuspended ? [jobSetReasons.JobSetSuspended] : []),
    ...(reason === jobSetReasons.JobSetSuspended && isRestart ? [RESTARTING.subject] : []),
  ];
}

export const eventsFollowTheirWrites: SafetyLaw<PersistentMap<true>> = {
  name: "eventsFollowTheirWrites",
  sentence:
    "An Event about a condition or a restart of a JobSet comes after the status write that it reports.",
  validUnder: "Always",
  memory: emptyMap(),
  kinds: ["JobSet"],
  onChange: (change, context) => {
    for (const [subject] of listSubjects(change)) {
      context.memory = context.memory.set(`${change.after?.metadata.uid} ${subject}`, true);
    }
    return undefined;
  },
  onEvent: (event, context) => {
    const telling = getEventTopic(event);
    if (telling === undefined) return undefined;
    return context.memory.get(`${event.about.metadata.uid} ${telling.subject}`)
      ? undefined
      : `the Event ${event.reason} is reported, but ${telling.subject} has not been written`;
  },
};

export const eachWriteHasOneEvent: SafetyLaw<PersistentMap<number>> = {
  name: "eachWriteHasOneEvent",
  sentence:
    "Events report each change of a condition once, and at most as many restarts as the status counts.",
  validUnder: "Always",
  memory: emptyMap(),
  kinds: ["JobSet"],
  onChange: (change, context) => {
    for (const [subject, times] of listSubjects(change)) {
      const key = `${change.after?.metadata.uid} ${subject}`;
      context.memory = context.memory.set(key, (context.memory.get(key) ?? 0) + times);
    }
    return undefined;
  },
  onEvent: (event, context) => {
    const telling = getEventTopic(event);
    if (telling === undefined) return undefined;
    const key = `${event.about.metadata.uid} ${telling.subject}`;
    const left = (context.memory.get(key) ?? 0) - 1;
    context.memory = context.memory.set(key, left);
    return left < 0
      ? `the Event ${event.reason} is reported, but all writes of ${telling.subject} were reported before`
      : undefined;
  },
};

/** The reasons and messages in status writes, by the UID of the JobSet. */
type WrittenMessages = PersistentMap<ReadonlySet<string>>;

export const eventsMatchWrites: SafetyLaw<WrittenMessages> = {
  name: "eventsMatchWrites",
  sentence:
    "An Event about a condition of a JobSet is a Warning if it reports a failure, and has exactly the message of the condition; both end with the name of the Job that failed first, as do Events about restarts.",
  validUnder: "Always",
  appliesTo: "BuiltInController",
  memory: emptyMap(),
  onRequest: (request, context) => {
    const { jobSet, status } = getStatusWrite(request) ?? {};
    if (jobSet === undefined || isTerminal(jobSet)) return undefined;
    const uid = jobSet.metadata.uid ?? "";
    const conditions = getChangedConditions(jobSet.status, status);
    const texts = conditions.map(({ reason = "", message = "" }) => asText(reason, message));
    const result = getExpectedReaction(jobSet, request);
    const due = result === "Unknown" ? [ANY_TEXT] : listTexts(result);
    context.memory = context.memory.set(
      uid,
      new Set([...(context.memory.get(uid) ?? []), ...texts, ...due]),
    );
    if (result === "Unknown") return undefined;
    const wrong = conditions.find(
      (own) =>
        [FAILED, RESTARTING].some(({ subject }) => subject === createSubject(own)) &&
        !due.includes(asText(own.reason ?? "", own.message ?? "")),
    );
    return wrong && `${wrong.type} says ${wrong.reason}: ${wrong.message}`;
  },
  onEvent: (event, context) => {
    const telling = getEventTopic(event);
    if (telling === undefined) return undefined;
    const { reason, message, type } = event;
    if (type !== telling.type) return `the Event ${reason} has type ${type}`;
    const reported = context.memory.get(event.about.metadata.uid ?? "");
    const isSo =
      telling.message === undefined
        ? reported?.has(ANY_TEXT) || reported?.has(asText(reason, message))
        : telling.message === message;
    return isSo
      ? undefined
      : `the Event ${reason} has the message "${message}", which no condition has`;
  },
};

/** Allows any message, because the expected response to failed Jobs is unknown. */
const ANY_TEXT = "*";

function asText(reason: string, message: string): string {
  return `${reason}: ${message}`;
}

/**
 * Returns the messages that conditions and Events may have for a response to failed Jobs. Without failed Jobs,
 * the reason is too many in-place restarts.
 */
function listTexts(result: FailureReaction | undefined): readonly string[] {
  if (result === undefined) {
    return [asText(jobSetReasons.ReachedMaxRestarts, jobSetMessages.ReachedMaxRestarts)];
  }
  const { action, rule, job } = result;
  const withJob = (message: string) => withFirstFailedJob(message, job.metadata.name ?? "");
  if (action === "FailJobSet") {
    const reason = result.reason ?? "";
    return [asText(reason, withJob(FAIL_MESSAGES[reason] ?? ""))];
  }
  const message = withJob(`applying ${action} failure policy action`);
  const condition =
    rule === undefined
      ? jobSetReasons.DefaultFailurePolicy
      : `${jobSetReasons.FailurePolicyRulePrefix}${rule}`;
  return [asText(`${action}FailurePolicyAction`, message), asText(condition, message)];
}

const FAIL_MESSAGES: Readonly<Record<string, string>> = {
  [jobSetReasons.FailedJobs]: jobSetMessages.FailedJobs,
  [jobSetReasons.ReachedMaxRestarts]: jobSetMessages.ReachedMaxRestarts,
  [jobSetReasons.FailJobSetAction]: jobSetMessages.FailJobSetAction,
};

/** The API server's limit for the note of an Event. */
const MAX_NOTE_BYTES = 1024;
const MAX_REASON_CHARACTERS = 128;

export const eventsAreValid: SafetyLaw = {
  name: "eventsAreValid",
  sentence:
    "The controller's Events are valid for the API server: a note has at most 1,024 bytes and a reason at most 128.",
  validUnder: "Always",
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

export const serviceConflictsHaveEvents: SafetyLaw = {
  name: "serviceConflictsHaveEvents",
  sentence:
    "If the Service of a JobSet's subdomain selects the Pods of another JobSet, an Event reports that with the first status write, unless that write finishes the JobSet.",
  validUnder: "Always",
  appliesTo: "BuiltInController",
  memory: undefined,
  onPlan: (planned) => {
    const { plan, jobSet } = createPass(planned) ?? {};
    if (plan?.status === undefined || plan.status.terminalState) return undefined;
    if (jobSet === undefined || jobSet.status?.replicatedJobsStatus !== undefined) return undefined;
    const { namespace, name } = plan.jobSet;
    const { subdomain, enableDNSHostnames } = jobSet.spec.network ?? {};
    const service = planned.snapshot.service(namespace, subdomain ?? name) as Service | undefined;
    const selected = service?.spec?.selector?.[JOBSET_NAME_KEY] ?? name;
    if (selected === name || enableDNSHostnames !== true || getReplicatedJobs(jobSet).length === 0)
      return undefined;
    return plan.events.some(({ type, message }) => type === "Warning" && message.includes(selected))
      ? undefined
      : `Service ${service?.metadata.name} selects the Pods of ${selected}, but no Event reports that for ${name}`;
  },
};
