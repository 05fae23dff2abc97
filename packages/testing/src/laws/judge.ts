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
import { type Due, type DueEvent, isChange } from "./due.ts";
import { exchangeText } from "./exchange-text.ts";
import { failureText, isExpected } from "./failed-pass.ts";
import { boundedClient, endlessText, HANG_SECONDS, hangText, isHung } from "./hang.ts";
import { differences, type Leaves, listLeaves, valueText } from "./leaves.ts";
import {
  getMemberCode,
  getNewMemberCode,
  getObjectCode,
  type ReconcileStage,
  type RequestViolation,
  type ViolationCode,
} from "./violation.ts";

/** How a controller is judged. */
export interface JudgeOptions {
  /**
   * How many passes in a row may do nothing while something is due. Default 3. A pass does not count if it ends with
   * `requeueAfterSeconds`, unless the controller requests that again and again for a minute or more.
   */
  readonly patience?: number;
  /** A pass hangs that neither asks for anything nor ends for so long in real time, or asks for ever. Default 10. */
  readonly hangSeconds?: number;
}

/** What a controller is asked, and how it is judged. */
export interface Question {
  readonly objects: readonly KubernetesObject[];
  readonly pass: ReconcileRequest;
  readonly dueAt: (state: readonly KubernetesObject[], pass: ReconcileRequest) => Due;
  /** Returns the state of the object that the passes reconcile. */
  readonly stageOf: (object: KubernetesObject | undefined) => ReconcileStage;
  /** Returns what a request that creates or resumes an object still has to wait for, if anything. */
  readonly waitsFor?: (
    state: readonly KubernetesObject[],
    request: TestApiRequest,
  ) => Prerequisite | undefined;
  /** The kind of that object. */
  readonly kind: "JobSet" | "Pod";
  /** Whether a new object is one that JobSet says nothing about. */
  readonly isAdditional?: (object: KubernetesObject, state: readonly KubernetesObject[]) => boolean;
  /** Whose a member of an object is, by the kind and the path of a leaf. */
  readonly ownerOf?: (kind: string, path: string) => MemberOwner;
  /** Whether all that is to be deleted at a time goes together, each with what is to be written on it before. */
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
 * Whose a member of an object is: JobSet decides about it; another client does; or anybody may add such a member, and then it
 * is theirs.
 */
export type MemberOwner = "JobSet" | "Others" | "Anybody";

/** What a judge found. */
export interface Judged {
  /** All violations. If a pass hangs, that is the last one. */
  readonly violations: readonly RequestViolation[];
  /** What the controller asked for that would change anything, and how passes failed, in a line each. */
  readonly asked: readonly string[];
  /** The first that a pass failed with, but for refusals of the API server. */
  readonly thrown?: unknown;
}

/** Judges a controller until it rests. */
export async function judged(
  controller: ControllerSubject,
  question: Question,
  options: JudgeOptions = {},
): Promise<Judged> {
  const judge = new Judge(question, options);
  await judge.run(controller);
  return judge;
}

class Judge implements Judged {
  readonly violations: RequestViolation[] = [];
  thrown: unknown;
  readonly #question: Question;
  readonly #server: TestApiServer;
  readonly #pass: ReconcileRequest;
  readonly #patience: number;
  readonly #hangSeconds: number;
  /** Whether so much is wrong that nothing more is looked for, but for rest. */
  #isEnough = false;
  /** Of what the passes are about, as this one found it. */
  #stage: ReconcileStage = "Alive";
  /** What is due by state, of the pass under way. */
  #due = new Map<readonly KubernetesObject[], Due>();
  /** By pass; they are put into words for who is told of a violation. */
  readonly #passes: {
    readonly exchanges: readonly Exchange[];
    readonly failure: { readonly error: unknown } | undefined;
  }[] = [];
  /** The requests of the pass behind the one that is judged. */
  #following: readonly Exchange[] = [];
  /** Events that changes of conditions are to be told by, and those that were sent. */
  readonly #owed = new Map<string, DueEvent>();
  readonly #sent = new Set<string>();
  /** What was to be deleted together with something that was. */
  readonly #condemned = new Map<string | undefined, KubernetesObject>();
  /** What the controller has created that JobSet says nothing about, and members that it has added, by UID. */
  readonly #additional = new Set<string | undefined>();
  readonly #added = new Map<string | undefined, Set<string>>();

  constructor(question: Question, { patience = 3, hangSeconds = HANG_SECONDS }: JudgeOptions) {
    const { objects, pass } = question;
    this.#question = question;
    this.#server = new TestApiServer(objects, pass.namespace);
    this.#pass = pass;
    this.#patience = patience;
    this.#hangSeconds = hangSeconds;
  }

  get asked(): readonly string[] {
    return this.#passes.flatMap(({ exchanges, failure }, index) => {
      // What was refused is told by its request.
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
    // What is due at rest was due in each of the idle passes.
    let firstIdle = pass;
    // Each request may take a pass of its own, and each pass come after idle ones.
    while (idle < this.#patience && idleSeconds < MOST_IDLE_SECONDS) {
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
        // A controller that wants to be called again is not through.
        if (requeueAfterSeconds === undefined) idle += 1;
      }
      pass = { ...pass, now: new Date(Date.parse(pass.now) + 1_000).toISOString() };
    }
    if (!this.#isEnough) this.#judgeRest(firstIdle);
  }

  /** Whether the pass has changed anything, and when the controller wants to be called again. */
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
    const counted = countedServer(server);
    const { client, exhausted, isExhausted } = boundedClient(createTestClient(counted));
    const running = (async () => controller(client, { ...pass, features: [...pass.features] }))();
    // A pass that fails is tried again.
    const ended = running.then(
      (answer) => {
        result = answer ?? undefined;
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
      this.#break("Hang", endlessText(about));
      return "Hung";
    }
    // Passes go on when there is enough to tell: whether they come to rest shows in the end.
    if (!this.#isEnough) {
      for (const [index, exchange] of exchanges.entries()) {
        this.#following = exchanges.slice(index + 1);
        this.#judge(exchange, start, pass);
      }
      this.#isEnough = this.violations.length > MOST_VIOLATIONS;
    }
    if (hangs) {
      this.#break("Hang", hangText(about, this.#hangSeconds));
      return "Hung";
    }
    const before = server.state;
    server.endDeletions();
    const hasChanged = exchanges.some(isChange) || before !== server.state;
    const seconds = result?.requeueAfterSeconds;
    const isRequested = typeof seconds === "number" && seconds > 0;
    return { hasChanged, ...(isRequested && { requeueAfterSeconds: seconds }) };
  }

  #dueIn(state: readonly KubernetesObject[], pass: ReconcileRequest): Due {
    const known = this.#due.get(state);
    if (known !== undefined) return known;
    const due = this.#question.dueAt(state, pass);
    this.#due.set(state, due);
    return due;
  }

  /**
   * A request may be due when the pass begins, or only after those before it in the same pass, or only in another way
   * that is as good. The next is looked at where the one before says that something is wrong.
   */
  #judge(exchange: Exchange, start: readonly KubernetesObject[], pass: ReconcileRequest): void {
    const { request, state, outcome } = exchange;
    const isEvent = request.object.kind === "Event";
    // A refusal is judged whatever is due, and what changes nothing is not judged.
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

  #judgeBy(exchange: Exchange, due: readonly Due[], pass: ReconcileRequest): void {
    if (exchange.request.object.kind === "Event") this.#judgeEvent(exchange.request, due);
    else this.#judgeChange(exchange, due, pass);
  }

  #judgeEvent({ object }: TestApiRequest, due: readonly Due[]): void {
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
      // It may be told late, of what was done before.
      if (this.#owed.has(`${reason}`)) return;
      this.#break("EventReason", `an Event reports ${reason}, which has not happened`);
    }
  }

  #judgeRefusal({ request, before }: Exchange, reason: string): void {
    const { kind } = request.object;
    if (isForeignKind(kind)) return;
    // Claims may be made blindly, and what is gone may be deleted.
    const isFine =
      // Something came between; the next pass sees it.
      reason === "Conflict" ||
      (reason === "AlreadyExists" && kind !== "Job") ||
      (reason === "NotFound" && request.verb === "delete");
    if (isFine || (before !== undefined && !this.#isOfJobSet(before))) return;
    this.#break(
      "RejectedRequest",
      `the server rejects the request to ${requestText(request)}: ${reason}`,
    );
  }

  /** By UID: one of the same name may have been there before. */
  #isOfJobSet({ kind, metadata }: KubernetesObject): boolean {
    const jobSet = this.#server.get("JobSet", this.#pass.namespace, this.#pass.name);
    return (
      kind === "JobSet" ||
      metadata.ownerReferences?.some(
        ({ uid, controller }) => controller === true && uid === jobSet?.metadata.uid,
      ) === true
    );
  }

  #judgeChange(exchange: Exchange, due: readonly Due[], pass: ReconcileRequest): void {
    const { request, before, after } = exchange;
    const text = requestText(request);
    const { kind } = request.object;
    const { uid } = (before ?? after)?.metadata ?? {};
    if (this.#additional.has(uid)) return;
    const counterparts = due.flatMap(({ exchanges }) =>
      exchanges.filter((one) => isAboutSame(one.request, request)),
    );
    if (before === undefined) {
      const [made] = counterparts.filter((one) => one.before === undefined);
      if (made !== undefined)
        this.#judgeContent(text, kind, listLeaves(made.after), madeLeaves(exchange));
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

  /** What is due to be written before a deletion is there, and what is to go with it goes as well. */
  #judgeDeleted(
    { request, before }: Exchange,
    counterparts: readonly Exchange[],
    due: readonly Due[],
  ): void {
    if (!this.#question.deletesTogether) return;
    const { kind } = request.object;
    const is = listLeaves(before);
    for (const write of counterparts.filter((one) => one.request.verb !== "delete")) {
      const wanted = listLeaves(write.after);
      for (const path of differences(listLeaves(write.before), wanted)) {
        if (is.get(path) === wanted.get(path)) continue;
        const should = valueText(wanted, path);
        const words = `${requestText(request)}: ${path} must be ${should} first`;
        this.#break(getMemberCode(kind, path), words, path);
      }
    }
    const together = due[0]?.exchanges.filter((one) => one.request.verb === "delete") ?? [];
    for (const one of together) this.#condemned.set(one.before?.metadata.uid, one.before as never);
  }

  /** Of what is made, all that is expected is there, and nothing else but what anybody may add. */
  #judgeContent(text: string, kind: string, expected: Leaves, actual: Leaves): void {
    for (const path of differences(expected, actual)) {
      const isAdded = MAY_BE_ADDED.test(path) || this.#isOtherOwner(path, actual);
      if (!expected.has(path) && isAdded) continue;
      const words = `${text}: ${path} is ${valueText(actual, path)}, but must be ${valueText(expected, path)}`;
      this.#break(getNewMemberCode(kind, path), words, path);
    }
  }

  /** Whether a path is about an owner that is neither the JobSet nor a controller. */
  #isOtherOwner(path: string, leaves: Leaves): boolean {
    const [owner] = /^metadata\.ownerReferences\[[^\]]*\]/.exec(path) ?? [];
    const { namespace, name } = this.#pass;
    const own = this.#server.get(this.#question.kind, namespace, name)?.metadata.uid;
    if (owner === undefined || owner.endsWith(`[${own}]`)) return false;
    return leaves.get(`${owner}.controller`) === undefined;
  }

  /** Each member that changes has a value afterwards that it is due to have; others may follow in further requests. */
  #judgeUpdate(
    exchange: Exchange,
    counterparts: readonly Exchange[],
    due: readonly Due[],
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
    this.#judgeLost(exchange, counterparts, pass);
    const changed = differences(before, after).filter((path) => /^status\.conditions/.test(path));
    if (kind !== "JobSet" || changed.length === 0) return;
    for (const event of due[0]?.events ?? []) {
      // It tells of no condition, and upstream does not tell it.
      if (event.reason !== jobSetReasons.ServiceConflict) this.#owed.set(event.reason, event);
    }
  }

  /** Whether an object is another JobSet's Service: two JobSets may share one. */
  #isOfAnother(object: KubernetesObject | undefined): boolean {
    return object?.kind === "Service" && !this.#isOfJobSet(object);
  }

  /** Whether a member that anybody may add is the controller's: it adds it now, or has done so before. */
  #mayChange({ before, after }: Exchange, path: string): boolean {
    const uid = before?.metadata.uid;
    const added = this.#added.get(uid) ?? new Set();
    // A condition is one member.
    const member = path.replace(/^(status\.conditions\[[^\]]*\]).*$/, "$1");
    if (added.has(member)) return true;
    const isThere = [...listLeaves(before).keys()].some((one) => isBelow(one, member));
    if (isThere || !listLeaves(after).has(path) || this.#stage === "Foreign") return false;
    this.#added.set(uid, added.add(member));
    return true;
  }

  /** What is due in the same write, and would be due no more after it, is in it, or in one of the pass behind it. */
  #judgeLost(
    { request, state, before, after }: Exchange,
    counterparts: readonly Exchange[],
    pass: ReconcileRequest,
  ): void {
    const same = counterparts.filter((one) => one.request.subresource === request.subresource);
    const [was, is] = [listLeaves(before), listLeaves(after)];
    const following = this.#following
      .filter((one) => isAboutSame(one.request, request))
      .map((one) => listLeaves(one.after));
    const isMissing = (path: string, wanted: Leaves) =>
      [is, ...following].every(
        (one) => one.get(path) === was.get(path) && one.get(path) !== wanted.get(path),
      );
    const ways = same.map((one) => {
      const wanted = listLeaves(one.after);
      return differences(listLeaves(one.before), wanted).filter((path) => isMissing(path, wanted));
    });
    const missing = ways.find((paths) => paths.length > 0);
    if (missing === undefined || ways.some((paths) => paths.length === 0)) return;
    const later = new Set(
      this.#dueIn(stateAfter({ state, before, after }), pass)
        .exchanges.filter((one) => isAboutSame(one.request, request))
        .flatMap((one) => differences(listLeaves(one.before), listLeaves(one.after))),
    );
    for (const path of missing.filter((one) => !later.has(one))) {
      const should = valueText(listLeaves(same[0]?.after), path);
      const words = `${requestText(request)}: ${path} stays ${valueText(is, path)}, but must be ${should}`;
      this.#break(getMemberCode(request.object.kind, path), words, path);
    }
  }

  /** Reports a request that is not due, or what it should have waited for. */
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

  /** Where a controller rests, nothing is due in one of the ways. */
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

/** How a pass has ended. */
interface PassOutcome {
  readonly hasChanged: boolean;
  readonly requeueAfterSeconds?: number;
}

/** Of what is created, with the status that it is sent with: the server drops it, and no controller has to say one. */
function madeLeaves({ request, after }: Exchange): Leaves {
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

/** A server that counts what it is asked. */
function countedServer(server: TestApiServer) {
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
    get(...asked: Parameters<TestApiServer["get"]>) {
      moves += 1;
      return server.get(...asked);
    },
    perform(request: TestApiRequest) {
      moves += 1;
      return server.perform(request);
    },
  };
}

/** An Event of the core group, or of `events.k8s.io`. */
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
/** Passes are a second apart. */
const MOST_IDLE_SECONDS = 60;
const MOST_VIOLATIONS = 50;

/** What the author of a controller may put onto what it makes. */
const MAY_BE_ADDED =
  /^(spec\.template\.)?metadata\.(labels|annotations)\.(?!.*jobset\.sigs\.k8s\.io\/)|^metadata\.finalizers/;

/** The reasons of JobSet's Events; whoever tells more may. */
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

function isAboutSame(one: TestApiRequest, other: TestApiRequest): boolean {
  return (
    one.object.kind === other.object.kind &&
    one.object.metadata?.name === other.object.metadata?.name
  );
}
