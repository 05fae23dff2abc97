import { jobSetReasons } from "@jobset-ts/api/conditions";
import type { TestApiRequest } from "./api-request.ts";
import type { ReconcileRequest } from "./controller.ts";
import type { ExpectedRequests } from "./expected-requests.ts";
import type { ViolationCode } from "./violation.ts";

/** Checks the Events of a controller. */
export class EventJudge {
  readonly #pass: ReconcileRequest;
  readonly #report: (code: ViolationCode, message: string) => void;
  /** The reasons of Events that condition changes require, and of those that were sent. */
  readonly #owed = new Set<string>();
  readonly #sent = new Set<string>();

  /** @param report - called with each violation */
  constructor(pass: ReconcileRequest, report: (code: ViolationCode, message: string) => void) {
    this.#pass = pass;
    this.#report = report;
  }

  /** Checks an Event against the Events that are due. */
  judge({ object }: TestApiRequest, due: readonly ExpectedRequests[]): void {
    const { type, reason, involvedObject, regarding = involvedObject } = object as EventMembers;
    const { kind, name, namespace = this.#pass.namespace } = regarding ?? {};
    const isAboutJobSet =
      kind === "JobSet" && name === this.#pass.name && namespace === this.#pass.namespace;
    if (!isAboutJobSet && REASONS.has(`${reason}`)) {
      this.#report("EventSubject", `the Event ${reason} is about ${kind} ${namespace}/${name}`);
    }
    this.#sent.add(`${reason}`);
    const events = due.flatMap((one) => one.events);
    const same = events.filter((event) => event.reason === reason);
    if (same.length > 0 && !same.some((event) => event.type === type)) {
      this.#report("EventType", `the Event ${reason} is ${type}, not ${same[0]?.type}`);
    } else if (same.length === 0 && REASONS.has(`${reason}`)) {
      // An earlier condition change may be reported late.
      if (this.#owed.has(`${reason}`)) return;
      this.#report("EventReason", `an Event reports ${reason}, which has not happened`);
    }
  }

  /** Requires the Events of a status write that changes conditions. */
  require(due: ExpectedRequests | undefined): void {
    for (const { reason } of due?.events ?? []) {
      // This Event is not about a condition, and upstream does not send it.
      if (reason !== jobSetReasons.ServiceConflict) this.#owed.add(reason);
    }
  }

  /** Reports the required Events that were not sent. */
  judgeRest(): void {
    for (const reason of this.#owed) {
      if (!this.#sent.has(reason)) this.#report("MissingEvent", `no Event reports ${reason}`);
    }
  }
}

/** An Event of the core API group or of `events.k8s.io`. */
interface EventMembers {
  readonly type?: string;
  readonly reason?: string;
  readonly involvedObject?: EventSubject;
  readonly regarding?: EventSubject;
}

interface EventSubject {
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
}

/** The reasons of JobSet's Events. A controller may use additional ones. */
const REASONS: ReadonlySet<string> = new Set([
  "AllJobsCompleted",
  "FailedJobs",
  "ReachedMaxRestarts",
  "SuspendedJobs",
  "ResumeJobs",
  "InOrderStartupPolicyInProgress",
  "InOrderStartupPolicyCompleted",
]);
