import { jobSetReasons } from "@jobset-ts/api/conditions";
import { getName, type KubernetesObject } from "@jobset-ts/api/kubernetes";
import { requestText, type TestApiRequest } from "./api-request.ts";
import { type Exchange, isForeignKind, TestApiServer } from "./api-server.ts";
import {
  type ControllerSubject,
  createTestClient,
  type ReconcileRequest,
  type ReconcileResponse,
} from "./controller.ts";
import { exchangeText } from "./exchange-text.ts";
import { type Expected, type ExpectedEvent, isChange } from "./expected-requests.ts";
import { failureText, isExpected } from "./failed-pass.ts";
import { differences, type Leaves, listLeaves, valueText } from "./leaves.ts";
import { formatEndlessPass, formatHang, HANG_SECONDS, isHung, limitRequests } from "./pass-hang.ts";
import {
  getMemberCode,
  getNewMemberCode,
  getObjectCode,
  type ReconcileStage,
  type RequestViolation,
  type ViolationCode,
} from "./violation.ts";

/** Options for the check of a controller. */
export interface CheckOptions {
  /**
   * The number of consecutive passes that may do nothing while a request is due. Default 3. A pass does not count if
   * it returns `requeueAfterSeconds`, unless the controller requests this repeatedly for a minute or more.
   */
  readonly maxIdlePasses?: number;
  /** A pass hangs if it sends no request for this many seconds of real time, or sends requests forever. Default 10. */
  readonly hangSeconds?: number;
}

/** The cluster that a controller reconciles, and how to check it. */
export interface ControllerCase {
  readonly objects: readonly KubernetesObject[];
  readonly pass: ReconcileRequest;
  readonly dueAt: (state: readonly KubernetesObject[], pass: ReconcileRequest) => Expected;
  /** Returns the state of the object that the passes reconcile. */
  readonly stageOf: (object: KubernetesObject | undefined) => ReconcileStage;
  /** Returns the unmet prerequisite of a request that creates or resumes an object, if any. */
  readonly waitsFor?: (
    state: readonly KubernetesObject[],
    request: TestApiRequest,
  ) => Prerequisite | undefined;
  /** The kind of the reconciled object. */
  readonly kind: "JobSet" | "Pod";
  /** Reports whether a new object is unknown to JobSet. */
  readonly isAdditional?: (object: KubernetesObject, state: readonly KubernetesObject[]) => boolean;
  /** Returns the owner of a field, by the kind and the path of a leaf. */
  readonly ownerOf?: (kind: string, path: string) => MemberOwner;
  /** Whether all objects that are due for deletion must be deleted in one pass, each after its required update. */
  readonly deletesTogether: boolean;
}

/** What a Job waits for before it may start. */
export interface Prerequisite {
  /** The code of a violation by a Job that does not wait. */
  readonly code: ViolationCode;
  /** What the Job waits for, as part of a message. */
  readonly text: string;
}

/**
 * The owner of a field: JobSet decides about it, another client does, or any client may add the field and then owns it.
 */
export type MemberOwner = "JobSet" | "Others" | "Anybody";

/** The result of checking a controller. */
export interface CheckResult {
  /** All violations. If a pass hangs, that is the last one. */
  readonly violations: readonly RequestViolation[];
  /** The requests that change an object, and the errors of passes, one line each. */
  readonly asked: readonly string[];
  /** The first error of a pass that is not a rejection by the API server. */
  readonly thrown?: unknown;
}

/** Calls a controller until it converges, and checks its requests. */
export async function checkController(
  controller: ControllerSubject,
  question: ControllerCase,
  options: CheckOptions = {},
): Promise<CheckResult> {
  const judge = new Judge(question, options);
  await judge.run(controller);
  return judge;
}

class Judge implements CheckResult {
  readonly violations: RequestViolation[] = [];
  thrown: unknown;
  readonly #question: ControllerCase;
  readonly #server: TestApiServer;
  readonly #pass: ReconcileRequest;
  readonly #maxIdlePasses: number;
  readonly #hangSeconds: number;
  /** Whether enough violations were found. After that, only convergence is checked. */
  #isEnough = false;
  /** The stage of the reconciled object when the pass started. */
  #stage: ReconcileStage = "Alive";
  /** The expected requests by state, in the current pass. */
  #due = new Map<readonly KubernetesObject[], Expected>();
  /** By pass. They are formatted only when a violation is reported. */
  readonly #passes: {
    readonly exchanges: readonly Exchange[];
    readonly failure: { readonly error: unknown } | undefined;
  }[] = [];
  /** The later requests of the pass that is being checked. */
  #following: readonly Exchange[] = [];
  /** Events that condition changes require, and the reasons of those that were sent. */
  readonly #owed = new Map<string, ExpectedEvent>();
  readonly #sent = new Set<string>();
  /** Objects that must be deleted together with an object that was deleted. */
  readonly #condemned = new Map<string | undefined, KubernetesObject>();
  /** UIDs of created objects that JobSet does not define, and fields that the controller added, by UID. */
  readonly #additional = new Set<string | undefined>();
  readonly #added = new Map<string | undefined, Set<string>>();

  constructor(
    question: ControllerCase,
    { maxIdlePasses = 3, hangSeconds = HANG_SECONDS }: CheckOptions,
  ) {
    const { objects, pass } = question;
    this.#question = question;
    this.#server = new TestApiServer(objects, pass.namespace);
    this.#pass = pass;
    this.#maxIdlePasses = maxIdlePasses;
    this.#hangSeconds = hangSeconds;
  }

  get asked(): readonly string[] {
    return this.#passes.flatMap(({ exchanges, failure }, index) => {
      // The rejected request already reports this error.
      const isTold = exchanges.some(({ outcome }) => !outcome.ok) && isExpected(failure?.error);
      const failed = failure === undefined || isTold ? [] : [failureText(failure.error)];
      return [...exchanges.map(exchangeText), ...failed].flatMap((text) =>
        text === undefined ? [] : [`pass ${index + 1}: ${text}`],
      );
    });
  }

  async run(controller: ControllerSubject): Promise<void> {
    let [changes, idle, idleSeconds] = [0, 0, 0];
    let pass = this.#pass;
    // A request that is due at the end was due in each of the idle passes.
    let firstIdle = pass;
    // Each request may take its own pass, and each pass may follow idle passes.
    while (idle < this.#maxIdlePasses && idleSeconds < MOST_IDLE_SECONDS) {
      if (changes >= MOST_PASSES) {
        this.#break("NoConvergence", `reconciliation does not converge in ${MOST_PASSES} passes`);
        return;
      }
      const outcome = await this.#passOf(controller, pass);
      if (outcome === "Hung") return;
      const { hasChanged, requeueAfterSeconds } = outcome;
      if (hasChanged) {
        changes += 1;
        [idle, idleSeconds] = [0, 0];
      } else {
        if (idleSeconds === 0) firstIdle = pass;
        idleSeconds += 1;
        // A controller that requests another pass has not finished its work.
        if (requeueAfterSeconds === undefined) idle += 1;
      }
      pass = { ...pass, now: new Date(Date.parse(pass.now) + 1_000).toISOString() };
    }
    if (!this.#isEnough) this.#judgeRest(firstIdle);
  }

  /** Runs one pass. Returns whether it changed anything, and when the controller wants to be called again. */
  async #passOf(
    controller: ControllerSubject,
    pass: ReconcileRequest,
  ): Promise<PassOutcome | "Hung"> {
    const server = this.#server;
    const first = server.exchanges.length;
    const start = server.state;
    this.#stage = this.#stageNow();
    this.#due = new Map();
    let failure: { readonly error: unknown } | undefined;
    let result: ReconcileResponse | undefined;
    const counted = countRequests(server);
    const { client, exhausted, isExhausted } = limitRequests(createTestClient(counted));
    const running = (async () => controller(client, { ...pass, features: [...pass.features] }))();
    // A failed pass is repeated.
    const ended = running.then(
      (response) => {
        result = response ?? undefined;
      },
      (error: unknown) => {
        failure = { error };
        if (!isExpected(error)) this.thrown ??= error;
      },
    );
    const settled = Promise.race([ended, exhausted]);
    const hangs = await isHung(settled, () => counted.moves, this.#hangSeconds);
    const exchanges = server.exchanges.slice(first);
    this.#passes.push({ exchanges, failure });
    const about = `${this.#question.kind} ${pass.name}`;
    if (isExhausted()) {
      this.#break("Hang", formatEndlessPass(about));
      return "Hung";
    }
    // Passes continue even after enough violations, to find out whether they converge.
    if (!this.#isEnough) {
      for (const [index, exchange] of exchanges.entries()) {
        this.#following = exchanges.slice(index + 1);
        this.#judge(exchange, start, pass);
      }
      this.#isEnough = this.violations.length > MOST_VIOLATIONS;
    }
    if (hangs) {
      this.#break("Hang", formatHang(about, this.#hangSeconds));
      return "Hung";
    }
    const before = server.state;
    server.endDeletions();
    const hasChanged = exchanges.some(isChange) || before !== server.state;
    const seconds = result?.requeueAfterSeconds;
    const isRequested = typeof seconds === "number" && seconds > 0;
    return { hasChanged, ...(isRequested && { requeueAfterSeconds: seconds }) };
  }

  #dueIn(state: readonly KubernetesObject[], pass: ReconcileRequest): Expected {
    const known = this.#due.get(state);
    if (known !== undefined) return known;
    const due = this.#question.dueAt(state, pass);
    this.#due.set(state, due);
    return due;
  }

  /**
   * A request may be due when the pass starts, after earlier requests of the pass, or by an accepted alternative. Each
   * possibility is computed only if the previous one reports a violation.
   */
  #judge(exchange: Exchange, start: readonly KubernetesObject[], pass: ReconcileRequest): void {
    const { request, state, outcome } = exchange;
    const isEvent = request.object.kind === "Event";
    // Rejections are always checked. Requests that change nothing are not.
    if (!isEvent && !outcome.ok) this.#judgeRefusal(exchange, outcome.reason);
    if (!isEvent && !isChange(exchange)) return;
    const before = this.violations.length;
    const due = [this.#dueIn(start, pass)];
    this.#judgeBy(exchange, due, pass);
    if (this.violations.length === before) return;
    if (state !== start) {
      due.push(this.#dueIn(state, pass));
      this.violations.length = before;
      this.#judgeBy(exchange, due, pass);
    }
    if (this.violations.length === before) return;
    const others = due.flatMap(({ inOtherWays }) => inOtherWays?.() ?? []);
    if (others.length === 0) return;
    this.violations.length = before;
    this.#judgeBy(exchange, [...due, ...others], pass);
  }

  #judgeBy(exchange: Exchange, due: readonly Expected[], pass: ReconcileRequest): void {
    if (exchange.request.object.kind === "Event") this.#judgeEvent(exchange.request, due);
    else this.#judgeChange(exchange, due, pass);
  }

  #judgeEvent({ object }: TestApiRequest, due: readonly Expected[]): void {
    const { type, reason, involvedObject, regarding = involvedObject } = object as EventMembers;
    const { kind, name, namespace = this.#pass.namespace } = regarding ?? {};
    const isAboutJobSet =
      kind === "JobSet" && name === this.#pass.name && namespace === this.#pass.namespace;
    if (!isAboutJobSet && REASONS.has(`${reason}`)) {
      this.#break("EventSubject", `the Event ${reason} is about ${kind} ${namespace}/${name}`);
    }
    this.#sent.add(`${reason}`);
    const events = due.flatMap((one) => one.events);
    const same = events.filter((event) => event.reason === reason);
    if (same.length > 0 && !same.some((event) => event.type === type)) {
      this.#break("EventType", `the Event ${reason} is ${type}, not ${same[0]?.type}`);
    } else if (same.length === 0 && REASONS.has(`${reason}`)) {
      // An earlier condition change may be reported late.
      if (this.#owed.has(`${reason}`)) return;
      this.#break("EventReason", `an Event reports ${reason}, which has not happened`);
    }
  }

  #judgeRefusal({ request, before }: Exchange, reason: string): void {
    const { kind } = request.object;
    if (isForeignKind(kind)) return;
    // A controller may create a PVC or delete an object without reading it first.
    const isFine =
      // Another write came first. The next pass reads it.
      reason === "Conflict" ||
      (reason === "AlreadyExists" && kind !== "Job") ||
      (reason === "NotFound" && request.verb === "delete");
    if (isFine || (before !== undefined && !this.#isOfJobSet(before))) return;
    this.#break(
      "RejectedRequest",
      `the server rejects the request to ${requestText(request)}: ${reason}`,
    );
  }

  /** Compares UIDs, because an earlier JobSet may have had the same name. */
  #isOfJobSet({ kind, metadata }: KubernetesObject): boolean {
    const jobSet = this.#server.get("JobSet", this.#pass.namespace, this.#pass.name);
    return (
      kind === "JobSet" ||
      metadata.ownerReferences?.some(
        ({ uid, controller }) => controller === true && uid === jobSet?.metadata.uid,
      ) === true
    );
  }

  #judgeChange(exchange: Exchange, due: readonly Expected[], pass: ReconcileRequest): void {
    const { request, before, after } = exchange;
    const text = requestText(request);
    const { kind } = request.object;
    const { uid } = (before ?? after)?.metadata ?? {};
    if (this.#additional.has(uid)) return;
    const counterparts = due.flatMap(({ exchanges }) =>
      exchanges.filter((one) => hasSameObject(one.request, request)),
    );
    if (before === undefined) {
      const [created] = counterparts.filter((one) => one.before === undefined);
      if (created !== undefined)
        this.#judgeContent(text, kind, listLeaves(created.after), listCreatedLeaves(exchange));
      else if (after !== undefined && this.#question.isAdditional?.(after, exchange.state))
        this.#additional.add(uid);
      else
        this.#breakTooEarly(
          exchange,
          getObjectCode(kind, "creation"),
          `${text}: must not be created`,
        );
    } else if (request.verb === "delete") {
      const deletions = counterparts.filter((one) => one.request.verb === "delete");
      const policies = deletions.map((one) => one.request.propagationPolicy);
      const code = this.#isOfAnother(before)
        ? "OtherJobSetsService"
        : getObjectCode(kind, "deletion");
      if (deletions.length === 0) this.#break(code, `${text}: must not be deleted`);
      else if (!policies.includes(request.propagationPolicy)) {
        this.#break(
          getObjectCode(kind, "propagation"),
          `${text}: must use the propagation policy ${policies[0]}`,
        );
      }
      this.#judgeDeleted(exchange, counterparts, due);
    } else if (after !== undefined) {
      this.#judgeUpdate(exchange, counterparts, due, pass);
    }
  }

  /** Checks that required updates came before a deletion, and records what must be deleted with it. */
  #judgeDeleted(
    { request, before }: Exchange,
    counterparts: readonly Exchange[],
    due: readonly Expected[],
  ): void {
    if (!this.#question.deletesTogether) return;
    const { kind } = request.object;
    const is = listLeaves(before);
    for (const write of counterparts.filter((one) => one.request.verb !== "delete")) {
      const expected = listLeaves(write.after);
      for (const path of differences(listLeaves(write.before), expected)) {
        if (is.get(path) === expected.get(path)) continue;
        const should = valueText(expected, path);
        const words = `${requestText(request)}: ${path} must be ${should} first`;
        this.#break(getMemberCode(kind, path), words, path);
      }
    }
    const together = due[0]?.exchanges.filter((one) => one.request.verb === "delete") ?? [];
    for (const one of together) this.#condemned.set(one.before?.metadata.uid, one.before as never);
  }

  /** A created object must have all expected fields, and no others except those that any client may add. */
  #judgeContent(text: string, kind: string, expected: Leaves, actual: Leaves): void {
    for (const path of differences(expected, actual)) {
      const isAdded = MAY_BE_ADDED.test(path) || this.#isOtherOwner(path, actual);
      if (!expected.has(path) && isAdded) continue;
      const words = `${text}: ${path} is ${valueText(actual, path)}, but must be ${valueText(expected, path)}`;
      this.#break(getNewMemberCode(kind, path), words, path);
    }
  }

  /** Returns whether a path is about an owner that is neither the JobSet nor a controller. */
  #isOtherOwner(path: string, leaves: Leaves): boolean {
    const [owner] = /^metadata\.ownerReferences\[[^\]]*\]/.exec(path) ?? [];
    const { namespace, name } = this.#pass;
    const own = this.#server.get(this.#question.kind, namespace, name)?.metadata.uid;
    if (owner === undefined || owner.endsWith(`[${own}]`)) return false;
    return leaves.get(`${owner}.controller`) === undefined;
  }

  /** Each changed field must get its expected value. Other fields may follow in later requests. */
  #judgeUpdate(
    exchange: Exchange,
    counterparts: readonly Exchange[],
    due: readonly Expected[],
    pass: ReconcileRequest,
  ): void {
    const [before, after] = [listLeaves(exchange.before), listLeaves(exchange.after)];
    const { kind } = exchange.request.object;
    const values = counterparts.map((one) => listLeaves(one.after));
    for (const path of differences(before, after)) {
      const is = after.get(path);
      if (values.some((one) => one.get(path) === is && differs(one, before, path))) continue;
      const owner = this.#question.ownerOf?.(kind, path) ?? "JobSet";
      if (owner === "Anybody" && this.#mayChange(exchange, path)) continue;
      const meant = values.filter((one) => one.get(path) !== is);
      const should = [...new Set(meant.map((one) => valueText(one, path)))].join(" or ");
      const was = before.get(path);
      const stays = was === undefined ? "must be absent" : `must stay ${was}`;
      const words = `${requestText(exchange.request)}: ${path} becomes ${valueText(after, path)}, but ${should === "" ? stays : `must be ${should}`}`;
      if (path === "spec.suspend" && is === undefined)
        this.#breakTooEarly(exchange, getMemberCode(kind, path), words, path);
      else if (this.#isOfAnother(exchange.before)) this.#break("OtherJobSetsService", words, path);
      else if (owner === "JobSet") this.#break(getMemberCode(kind, path), words, path);
      else this.#break("OtherClientsMember", words, path);
    }
    this.#judgeLost(exchange, due, pass);
    const changed = differences(before, after).filter((path) => /^status\.conditions/.test(path));
    if (kind !== "JobSet" || changed.length === 0) return;
    for (const event of due[0]?.events ?? []) {
      // This Event is not about a condition, and upstream does not send it.
      if (event.reason !== jobSetReasons.ServiceConflict) this.#owed.set(event.reason, event);
    }
  }

  /** Returns whether an object is another JobSet's Service. Two JobSets may share one. */
  #isOfAnother(object: KubernetesObject | undefined): boolean {
    return object?.kind === "Service" && !this.#isOfJobSet(object);
  }

  /** Returns whether the controller adds a field that any client may add, or added it before. */
  #mayChange({ before, after }: Exchange, path: string): boolean {
    const uid = before?.metadata.uid;
    const added = this.#added.get(uid) ?? new Set();
    // A condition counts as one field.
    const member = path.replace(/^(status\.conditions\[[^\]]*\]).*$/, "$1");
    if (added.has(member)) return true;
    const isThere = [...listLeaves(before).keys()].some((one) => isBelow(one, member));
    if (isThere || !listLeaves(after).has(path) || this.#stage === "Foreign") return false;
    this.#added.set(uid, added.add(member));
    return true;
  }

  /**
   * Checks changes that belong to the same write and are no longer due after it. The request or a later one in the pass
   * must contain them. A plan may write an object several times, and all its writes count.
   */
  #judgeLost(
    { request, state, before, after }: Exchange,
    due: readonly Expected[],
    pass: ReconcileRequest,
  ): void {
    const writesByWay = due
      .map(({ exchanges }) =>
        exchanges.filter(
          (one) =>
            hasSameObject(one.request, request) && one.request.subresource === request.subresource,
        ),
      )
      .filter((writes) => writes.length > 0);
    const [was, is] = [listLeaves(before), listLeaves(after)];
    const following = this.#following
      .filter((one) => hasSameObject(one.request, request))
      .map((one) => listLeaves(one.after));
    const isMissing = (path: string, expected: Leaves) =>
      [is, ...following].every(
        (one) => one.get(path) === was.get(path) && one.get(path) !== expected.get(path),
      );
    const ways = writesByWay.map((writes) =>
      writes.flatMap((one) => {
        const expected = listLeaves(one.after);
        return differences(listLeaves(one.before), expected).filter((path) =>
          isMissing(path, expected),
        );
      }),
    );
    const missing = ways.find((paths) => paths.length > 0);
    if (missing === undefined || ways.some((paths) => paths.length === 0)) return;
    const later = new Set(
      this.#dueIn(stateAfter({ state, before, after }), pass)
        .exchanges.filter((one) => hasSameObject(one.request, request))
        .flatMap((one) => differences(listLeaves(one.before), listLeaves(one.after))),
    );
    for (const path of missing.filter((one) => !later.has(one))) {
      const should = valueText(listLeaves(writesByWay[0]?.at(-1)?.after), path);
      const words = `${requestText(request)}: ${path} stays ${valueText(is, path)}, but must be ${should}`;
      this.#break(getMemberCode(request.object.kind, path), words, path);
    }
  }

  /** Reports a request that is not due, or its unmet prerequisite. */
  #breakTooEarly(
    { request, state }: Exchange,
    code: ViolationCode,
    words: string,
    path?: string,
  ): void {
    const waits = this.#question.waitsFor?.(state, request);
    if (waits === undefined) this.#break(code, words, path);
    else this.#break(waits.code, `${words}; it must wait for ${waits.text}`, path);
  }

  #stageNow(): ReconcileStage {
    const { kind, stageOf, pass } = this.#question;
    return stageOf(this.#server.get(kind, pass.namespace, pass.name));
  }

  /** After convergence, no request may be due, at least in one of the accepted alternatives. */
  #judgeRest(pass: ReconcileRequest): void {
    this.#stage = this.#stageNow();
    const { state } = this.#server;
    const { exchanges, inOtherWays } = this.#question.dueAt(state, pass);
    const mayRest =
      exchanges.length === 0 || inOtherWays?.().some((way) => way.exchanges.length === 0);
    for (const exchange of mayRest ? [] : exchanges) this.#breakUndone(exchange);
    for (const [uid, { kind, metadata }] of this.#condemned) {
      const left = state.find((one) => one.metadata.uid === uid);
      if (left === undefined || left.metadata.deletionTimestamp !== undefined) continue;
      this.#break(
        getObjectCode(kind, "deletion"),
        `it deletes the other Pods, but not ${kind} ${metadata.name}`,
      );
    }
    for (const [reason] of this.#owed) {
      if (this.#sent.has(reason)) continue;
      this.#break("MissingEvent", `no Event reports ${reason}`);
    }
  }

  #breakUndone({ request, before, after }: Exchange): void {
    const { kind } = request.object;
    if (before === undefined || request.verb === "delete") {
      const operation = before === undefined ? "creation" : "deletion";
      this.#break(getObjectCode(kind, operation), `it does not ${requestText(request)}`);
      return;
    }
    const [was, is] = [listLeaves(before), listLeaves(after)];
    for (const path of differences(was, is)) {
      const words = `${kind} ${getName(before)}: ${path} stays ${valueText(was, path)}, but must be ${valueText(is, path)}`;
      this.#break(getMemberCode(kind, path), words, path);
    }
  }

  #break(code: ViolationCode, message: string, path?: string): void {
    this.violations.push({ code, stage: this.#stage, path, message });
  }
}

/** The result of one pass. */
interface PassOutcome {
  readonly hasChanged: boolean;
  readonly requeueAfterSeconds?: number;
}

/**
 * Returns the leaves of a created object, with the status in the request. The server drops that status, so a controller
 * does not have to send one.
 */
function listCreatedLeaves({ request, after }: Exchange): Leaves {
  const { status } = request.object;
  const { kind, metadata } = request.object;
  if (status === undefined || after === undefined) return listLeaves(after);
  const sent = listLeaves({ kind, metadata: { name: metadata?.name ?? "" }, status } as never);
  const ofStatus = [...sent].filter(([path]) => path.startsWith("status."));
  return ofStatus.length === 0 ? listLeaves(after) : new Map([...listLeaves(after), ...ofStatus]);
}

function isBelow(path: string, member: string): boolean {
  return path === member || (member.endsWith("]") && path.startsWith(`${member}.`));
}

/** Returns a server that counts its requests. */
function countRequests(server: TestApiServer) {
  let moves = 0;
  return {
    get moves() {
      return moves;
    },
    get state() {
      moves += 1;
      return server.state;
    },
    list(kind: string) {
      moves += 1;
      return server.list(kind);
    },
    get(...requests: Parameters<TestApiServer["get"]>) {
      moves += 1;
      return server.get(...requests);
    },
    perform(request: TestApiRequest) {
      moves += 1;
      return server.perform(request);
    },
  };
}

/** An Event of the core API group or of `events.k8s.io`. */
interface EventMembers {
  readonly type?: string;
  readonly reason?: string;
  readonly involvedObject?: Regarding;
  readonly regarding?: Regarding;
}

interface Regarding {
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
}

const MOST_PASSES = 120;
/** One pass per second. */
const MOST_IDLE_SECONDS = 60;
const MOST_VIOLATIONS = 50;

/** Fields that the author of a controller may add to created objects. */
const MAY_BE_ADDED =
  /^(spec\.template\.)?metadata\.(labels|annotations)\.(?!.*jobset\.sigs\.k8s\.io\/)|^metadata\.finalizers/;

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

function stateAfter({
  state,
  before,
  after,
}: Pick<Exchange, "state" | "before" | "after">): readonly KubernetesObject[] {
  return state.map((one) => (one === before && after !== undefined ? after : one));
}

function differs(one: Leaves, before: Leaves, path: string): boolean {
  return one.get(path) !== before.get(path);
}

function hasSameObject(one: TestApiRequest, other: TestApiRequest): boolean {
  return (
    one.object.kind === other.object.kind &&
    one.object.metadata?.name === other.object.metadata?.name
  );
}
