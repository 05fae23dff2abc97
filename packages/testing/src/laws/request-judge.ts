import { getName, type KubernetesObject } from "@jobset-ts/api/kubernetes";
import { hasSameObject, requestText } from "./api-request.ts";
import { type Exchange, isForeignKind, type TestApiServer } from "./api-server.ts";
import type { ReconcileRequest } from "./controller.ts";
import type { ControllerCase } from "./controller-case.ts";
import { EventJudge } from "./event-judge.ts";
import { type ExpectedRequests, isChange } from "./expected-requests.ts";
import { differences, isBelow, type LeafValues, listLeaves, valueText } from "./leaf-values.ts";
import {
  getMemberCode,
  getNewMemberCode,
  getObjectCode,
  type ReconcileStage,
  type RequestViolation,
  type ViolationCode,
} from "./violation.ts";

/** Checks the requests of a controller. */
export class RequestJudge {
  readonly violations: RequestViolation[] = [];
  readonly #question: ControllerCase;
  readonly #server: TestApiServer;
  readonly #pass: ReconcileRequest;
  readonly #events: EventJudge;
  /** The stage of the reconciled object when the pass started. */
  #stage: ReconcileStage = "Alive";
  /** The expected requests by state, in the current pass. */
  #due = new Map<readonly KubernetesObject[], ExpectedRequests>();
  /** The later requests of the pass that is being checked. */
  #following: readonly Exchange[] = [];
  /** Objects that must be deleted together with an object that was deleted. */
  readonly #condemned = new Map<string | undefined, KubernetesObject>();
  /** UIDs of created objects that JobSet does not define, and fields that the controller added, by UID. */
  readonly #additional = new Set<string | undefined>();
  readonly #added = new Map<string | undefined, Set<string>>();

  constructor(question: ControllerCase, server: TestApiServer) {
    this.#question = question;
    this.#server = server;
    this.#pass = question.pass;
    this.#events = new EventJudge(question.pass, (code, message) => this.report(code, message));
  }

  /** Notes the stage of the reconciled object at the start of a pass. */
  startPass(): void {
    this.#stage = this.#readStage();
    this.#due = new Map();
  }

  /**
   * Checks the requests of a pass.
   *
   * @param start - the objects when the pass started
   */
  judgePass(
    exchanges: readonly Exchange[],
    start: readonly KubernetesObject[],
    pass: ReconcileRequest,
  ): void {
    for (const [index, exchange] of exchanges.entries()) {
      this.#following = exchanges.slice(index + 1);
      this.#judge(exchange, start, pass);
    }
  }

  /** After convergence, no request may be due, at least in one of the accepted alternatives. */
  judgeRest(pass: ReconcileRequest): void {
    this.#stage = this.#readStage();
    const { state } = this.#server;
    const { exchanges, inOtherWays } = this.#question.dueAt(state, pass);
    const mayRest =
      exchanges.length === 0 || inOtherWays?.().some((way) => way.exchanges.length === 0);
    for (const exchange of mayRest ? [] : exchanges) this.#breakUndone(exchange);
    for (const [uid, { kind, metadata }] of this.#condemned) {
      const left = state.find((one) => one.metadata.uid === uid);
      if (left === undefined || left.metadata.deletionTimestamp !== undefined) continue;
      this.report(
        getObjectCode(kind, "deletion"),
        `it deletes the other Pods, but not ${kind} ${metadata.name}`,
      );
    }
    this.#events.judgeRest();
  }

  /** Adds a violation in the current stage. */
  report(code: ViolationCode, message: string, path?: string): void {
    this.violations.push({ code, stage: this.#stage, path, message });
  }

  #listExpected(state: readonly KubernetesObject[], pass: ReconcileRequest): ExpectedRequests {
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
    if (!isEvent && !outcome.ok) this.#judgeRejection(exchange, outcome.reason);
    if (!isEvent && !isChange(exchange)) return;
    const before = this.violations.length;
    const due = [this.#listExpected(start, pass)];
    this.#judgeAgainst(exchange, due, pass);
    if (this.violations.length === before) return;
    if (state !== start) {
      due.push(this.#listExpected(state, pass));
      this.violations.length = before;
      this.#judgeAgainst(exchange, due, pass);
    }
    if (this.violations.length === before) return;
    const others = due.flatMap(({ inOtherWays }) => inOtherWays?.() ?? []);
    if (others.length === 0) return;
    this.violations.length = before;
    this.#judgeAgainst(exchange, [...due, ...others], pass);
  }

  #judgeAgainst(
    exchange: Exchange,
    due: readonly ExpectedRequests[],
    pass: ReconcileRequest,
  ): void {
    if (exchange.request.object.kind === "Event") this.#events.judge(exchange.request, due);
    else this.#judgeChange(exchange, due, pass);
  }

  #judgeRejection({ request, before }: Exchange, reason: string): void {
    const { kind } = request.object;
    if (isForeignKind(kind)) return;
    // A controller may create a PVC or delete an object without reading it first.
    const isFine =
      // Another write came first. The next pass reads it.
      reason === "Conflict" ||
      (reason === "AlreadyExists" && kind !== "Job") ||
      (reason === "NotFound" && request.verb === "delete");
    if (isFine || (before !== undefined && !this.#isOfJobSet(before))) return;
    this.report(
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

  #judgeChange(exchange: Exchange, due: readonly ExpectedRequests[], pass: ReconcileRequest): void {
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
      if (deletions.length === 0) this.report(code, `${text}: must not be deleted`);
      else if (!policies.includes(request.propagationPolicy)) {
        this.report(
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
    due: readonly ExpectedRequests[],
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
        this.report(getMemberCode(kind, path), words, path);
      }
    }
    const together = due[0]?.exchanges.filter((one) => one.request.verb === "delete") ?? [];
    for (const one of together) this.#condemned.set(one.before?.metadata.uid, one.before as never);
  }

  /** A created object must have all expected fields, and no others except those that any client may add. */
  #judgeContent(text: string, kind: string, expected: LeafValues, actual: LeafValues): void {
    for (const path of differences(expected, actual)) {
      const isAdded = ADDABLE_PATH.test(path) || this.#isOtherOwner(path, actual);
      if ((!expected.has(path) && isAdded) || DELETION_BLOCK_PATH.test(path)) continue;
      const words = `${text}: ${path} is ${valueText(actual, path)}, but must be ${valueText(expected, path)}`;
      this.report(getNewMemberCode(kind, path), words, path);
    }
  }

  /** Returns whether a path is about an owner that is neither the JobSet nor a controller. */
  #isOtherOwner(path: string, leaves: LeafValues): boolean {
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
    due: readonly ExpectedRequests[],
    pass: ReconcileRequest,
  ): void {
    const [before, after] = [listLeaves(exchange.before), listLeaves(exchange.after)];
    const { kind } = exchange.request.object;
    const values = counterparts.map((one) => listLeaves(one.after));
    for (const path of differences(before, after)) {
      const is = after.get(path);
      if (is !== before.get(path) && values.some((one) => one.get(path) === is)) continue;
      const owner = this.#question.getOwner?.(kind, path) ?? "JobSet";
      if (owner === "Anybody" && this.#mayChange(exchange, path)) continue;
      const meant = values.filter((one) => one.get(path) !== is);
      const should = [...new Set(meant.map((one) => valueText(one, path)))].join(" or ");
      const was = before.get(path);
      const stays = was === undefined ? "must be absent" : `must stay ${was}`;
      const words = `${requestText(exchange.request)}: ${path} becomes ${valueText(after, path)}, but ${should === "" ? stays : `must be ${should}`}`;
      if (path === "spec.suspend" && is === undefined)
        this.#breakTooEarly(exchange, getMemberCode(kind, path), words, path);
      else if (this.#isOfAnother(exchange.before)) this.report("OtherJobSetsService", words, path);
      else if (owner === "JobSet") this.report(getMemberCode(kind, path), words, path);
      else this.report("OtherClientsMember", words, path);
    }
    this.#judgeLost(exchange, due, pass);
    const changed = differences(before, after).filter((path) => /^status\.conditions/.test(path));
    if (kind !== "JobSet" || changed.length === 0) return;
    this.#events.require(due[0]);
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
    due: readonly ExpectedRequests[],
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
    const isMissing = (path: string, expected: LeafValues) =>
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
      this.#listExpected(stateAfter({ state, before, after }), pass)
        .exchanges.filter((one) => hasSameObject(one.request, request))
        .flatMap((one) => differences(listLeaves(one.before), listLeaves(one.after))),
    );
    for (const path of missing.filter((one) => !later.has(one))) {
      const should = valueText(listLeaves(writesByWay[0]?.at(-1)?.after), path);
      const words = `${requestText(request)}: ${path} stays ${valueText(is, path)}, but must be ${should}`;
      this.report(getMemberCode(request.object.kind, path), words, path);
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
    if (waits === undefined) this.report(code, words, path);
    else this.report(waits.code, `${words}; it must wait for ${waits.text}`, path);
  }

  #breakUndone({ request, before, after }: Exchange): void {
    const { kind } = request.object;
    if (before === undefined || request.verb === "delete") {
      const operation = before === undefined ? "creation" : "deletion";
      this.report(getObjectCode(kind, operation), `it does not ${requestText(request)}`);
      return;
    }
    const [was, is] = [listLeaves(before), listLeaves(after)];
    for (const path of differences(was, is)) {
      const words = `${kind} ${getName(before)}: ${path} stays ${valueText(was, path)}, but must be ${valueText(is, path)}`;
      this.report(getMemberCode(kind, path), words, path);
    }
  }

  #readStage(): ReconcileStage {
    const { kind, getStage: stageOf, pass } = this.#question;
    return stageOf(this.#server.get(kind, pass.namespace, pass.name));
  }
}

/**
 * Returns the leaves of a created object, with the status in the request. The server drops that status, so a controller
 * does not have to send one.
 */
function listCreatedLeaves({ request, after }: Exchange): LeafValues {
  const { kind, metadata, status } = request.object;
  if (status === undefined || after === undefined) return listLeaves(after);
  const sent = listLeaves({ kind, metadata: { name: metadata?.name ?? "" }, status } as never);
  const ofStatus = [...sent].filter(([path]) => path.startsWith("status."));
  return ofStatus.length === 0 ? listLeaves(after) : new Map([...listLeaves(after), ...ofStatus]);
}

/** Fields that the author of a controller may add to created objects. */
const ADDABLE_PATH =
  /^(spec\.template\.)?metadata\.(labels|annotations)\.(?!.*jobset\.sigs\.k8s\.io\/)|^metadata\.finalizers/;

/** Whether a foreground deletion of the owner waits for the object. Some client libraries do not set it. */
const DELETION_BLOCK_PATH = /^metadata\.ownerReferences\[[^\]]*\]\.blockOwnerDeletion$/;

function stateAfter({
  state,
  before,
  after,
}: Pick<Exchange, "state" | "before" | "after">): readonly KubernetesObject[] {
  return state.map((one) => (one === before && after !== undefined ? after : one));
}
