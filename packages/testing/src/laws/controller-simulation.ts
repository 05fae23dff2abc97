import { formatTime, type JobSet, parseTime } from "@jobset-ts/api";
import { getName, type KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { PlannedEvent, Snapshot } from "@jobset-ts/core";
import { evaluateTtl } from "@jobset-ts/core/policies";
import {
  AsyncReconcile,
  createSimController,
  type LawViolation,
  type Scenario,
  type SimController,
  type SimulationOptions,
  type SimulationResult,
  simulateAsync,
} from "@jobset-ts/sim";
import {
  createHistory,
  createViolationEntry,
  formatTimeline,
  type HistoryEntry,
} from "@jobset-ts/sim/history";
import { START_TIME, type StepResult } from "@jobset-ts/sim/kernel";
import type { TestApiRequest, TestApiResponse } from "./api-request.ts";
import { isForeignKind, TestApiServer } from "./api-server.ts";
import {
  type ControllerSubject,
  createTestClient,
  READ_KINDS,
  type ReconcileResponse,
  type TestApiClient,
} from "./controller.ts";
import { failureText, isExpected } from "./failed-pass.ts";
import { findUnreadablePart } from "./find-unreadable-part.ts";
import { formatParts, formatYaml } from "./format-case.ts";
import type { SubjectViolation } from "./law.ts";
import {
  type BoundedClient,
  formatEndlessPass,
  formatHang,
  isHung,
  limitRequests,
} from "./pass-hang.ts";
import { AppliedObjects } from "./server-side-apply.ts";

/** The laws of a run, and the time after which a pass counts as hanging. */
export interface HistoryEvaluation extends Pick<SimulationOptions, "safetyLaws" | "livenessLaws"> {
  readonly hangSeconds: number;
}

/** A pass sends requests without end, or no request for too long. */
export class PassHangsError extends Error {}

interface Named {
  readonly namespace: string;
  readonly name: string;
}

/** A running pass: its JobSet when the pass started, and its client. */
interface OpenPass {
  readonly jobSet: JobSet | undefined;
  readonly bounded: BoundedClient;
}

interface RequestObserver {
  readonly onTurn?: (turn: StepResult) => void;
  /** Called when a pass over a JobSet fails. */
  readonly onFailure?: (error: unknown, jobSet: Named) => void;
}

const repairs = createSimController();

/**
 * Runs a scenario with another controller instead of JobSet's controller.
 *
 * @throws PassHangsError
 */
export function simulateController(
  controller: ControllerSubject,
  scenario: Scenario,
  { hangSeconds, ...judged }: HistoryEvaluation,
  { onTurn, onFailure }: RequestObserver = {},
): Promise<SimulationResult> {
  const state: HistoryState = {
    applied: new AppliedObjects(),
    foreign: new TestApiServer([], "default"),
    open: new Map(),
    stored: undefined,
    moves: 0,
  };
  const settings = {
    controller: createController(controller, state, onFailure),
    safetyLaws: [],
    livenessLaws: [],
    // These laws would call the production code.
    steadyStateLaws: [],
    ...judged,
    onTurn: (turn: StepResult) => {
      state.stored = turn.cluster.objects;
      onTurn?.(turn);
    },
  };
  return simulateAsync(scenario, settings, () => waitForPrograms(state, hangSeconds));
}

/** Returns the controller for the simulator. It calls the tested controller for the passes over JobSets. */
function createController(
  controller: ControllerSubject,
  state: HistoryState,
  onFailure: RequestObserver["onFailure"],
): SimController {
  return (key, snapshot, context) => {
    // The placement controller is another subject.
    if (key.kind !== "JobSet") return repairs(key, snapshot, context);
    const pass = new AsyncReconcile();
    const bounded = limitRequests(createPassClient(pass, key, snapshot, state));
    const { namespace, name } = key;
    const now = formatTime(context.now);
    const features = [...context.features];
    // By the clock of the controller, in whole seconds.
    const jobSet = snapshot.jobSet(namespace, name);
    state.open.set(pass, { jobSet: jobSet as JobSet | undefined, bounded });
    const ttl = jobSet && evaluateTtl(jobSet, parseTime(now) ?? 0);
    const ttlLeft = ttl?.action === "Wait" ? Math.ceil(ttl.remainingSeconds * 1_000) : undefined;
    const run = async () => controller(bounded.client, { namespace, name, now, features });
    const end = (ok: boolean, result?: ReconcileResponse) => {
      state.open.delete(pass);
      pass.finish(ok, getMillisUntilNextPass(ttlLeft, result?.requeueAfterSeconds));
    };
    run().then(
      (result) => end(true, result ?? undefined),
      (error: unknown) => {
        onFailure?.(error, key);
        end(false);
      },
    );
    return pass;
  };
}

/** Returns the client of a pass. It reads the caches and sends requests to the simulated cluster. */
function createPassClient(
  pass: AsyncReconcile,
  key: Named,
  snapshot: Snapshot,
  state: HistoryState,
): TestApiClient {
  const objects = READ_KINDS.flatMap((kind) => snapshot.objects(kind)) as KubernetesObject[];
  return createTestClient({
    state: objects,
    list(kind) {
      state.moves += 1;
      if (isForeignKind(kind)) return state.foreign.list(kind);
      return objects.filter((object) => object.kind === kind);
    },
    get(kind, namespace, name) {
      state.moves += 1;
      if (isForeignKind(kind)) return state.foreign.get(kind, namespace, name);
      return snapshot.object(kind, namespace, name) as KubernetesObject | undefined;
    },
    perform(request) {
      state.moves += 1;
      const { kind, metadata } = request.object;
      const { namespace = key.namespace, name = "" } = (metadata ?? {}) as Partial<Named>;
      const current = state.stored?.get<KubernetesObject>(kind, namespace, name);
      return performRequest(pass, request, current, state);
    },
  });
}

/**
 * Waits until every program waits for a response of the cluster, because time advances only then. A program may await
 * other things before.
 *
 * @throws PassHangsError
 */
async function waitForPrograms(state: HistoryState, hangSeconds: number): Promise<void> {
  const { open } = state;
  for (;;) {
    for (let tick = 0; tick < TICKS; tick++) await undefined;
    const endless = [...open.values()].find(({ bounded }) => bounded.isExhausted());
    if (endless !== undefined)
      throw new PassHangsError(formatHangOfJobSet(endless.jobSet, formatEndlessPass));
    const undecided = [...open].filter(([pass]) => pass.isUndecided);
    const [first] = undecided;
    if (first === undefined) return;
    const decided = Promise.race([
      Promise.all(undecided.map(([pass]) => pass.waitForDecision())),
      ...undecided.map(([, { bounded }]) => bounded.exhausted),
    ]);
    if (await isHung(decided, () => state.moves, hangSeconds))
      throw new PassHangsError(
        formatHangOfJobSet(first[1].jobSet, (about) => formatHang(about, hangSeconds)),
      );
  }
}

/** Returns the milliseconds until the next pass, for the TTL or for `requeueAfterSeconds`, whichever is sooner. */
function getMillisUntilNextPass(
  ttlLeft: number | undefined,
  seconds: number | undefined,
): number | undefined {
  if (seconds === undefined || !(seconds > 0)) return ttlLeft;
  const requeueMillis = Math.ceil(seconds * 1_000);
  return ttlLeft === undefined ? requeueMillis : Math.min(ttlLeft, requeueMillis);
}

/** The state of a history that the simulated cluster does not have. */
interface HistoryState {
  readonly applied: AppliedObjects;
  /** Serves Events, and objects of kinds that JobSet does not use. */
  readonly foreign: TestApiServer;
  readonly open: Map<AsyncReconcile, OpenPass>;
  /** The stored objects after the last turn. */
  stored: StepResult["cluster"]["objects"] | undefined;
  /** The number of reads and requests so far. */
  moves: number;
}

/**
 * Sends a request to the simulated cluster. An apply becomes a patch, or a creation if the object does not exist.
 *
 * @param stored - the object as currently stored
 */
async function performRequest(
  pass: AsyncReconcile,
  request: TestApiRequest,
  stored: KubernetesObject | undefined,
  { applied, foreign }: HistoryState,
): Promise<TestApiResponse> {
  const { verb, ...rest } = request;
  // A deletion needs only the name.
  const unreadable = verb === "delete" ? undefined : findUnreadablePart({ verb, ...rest });
  if (unreadable !== undefined) {
    const message = `the object of the request cannot be read: ${unreadable}`;
    return { ok: false, code: 400, reason: "BadRequest", message };
  }
  if (isForeignKind(rest.object.kind)) {
    const { kind, metadata } = rest.object;
    const { namespace = "", name = "" } = (metadata ?? {}) as Partial<Named>;
    // A later change of an Event reports nothing new.
    const isNew = verb === "create" || foreign.get(kind, namespace, name) === undefined;
    const event = kind === "Event" && isNew ? createEvent(rest.object) : undefined;
    if (event !== undefined) pass.report(event);
    return foreign.perform(request);
  }
  if (verb !== "create" && verb !== "apply") return pass.send({ verb, ...rest });
  if (verb === "apply") {
    const object = applied.patchFor(request, stored);
    const patched = await pass.send({ ...rest, verb: "patch", object, isApply: true });
    const isMissing = !patched.ok && patched.code === 404;
    if (!isMissing || rest.subresource !== undefined) return patched;
  }
  const outcome = await pass.send({ ...rest, verb: "create" });
  // The response may be lost.
  if (outcome.ok || outcome.reason !== "AlreadyExists") applied.forgetEarlierObject(request);
  return outcome;
}

/** Returns an Event of either API if it is about a JobSet. Missing fields stay empty. */
function createEvent(object: TestApiRequest["object"]): PlannedEvent | undefined {
  const members = object as Readonly<Record<string, unknown>>;
  const { type, reason, message, note, involvedObject, regarding } = members;
  const about = (regarding ?? involvedObject) as { readonly kind?: unknown } | null | undefined;
  if (about?.kind !== "JobSet") return undefined;
  return {
    type: type === "Warning" ? "Warning" : "Normal",
    reason: typeof reason === "string" ? reason : "",
    message: [message, note].find((words) => typeof words === "string") ?? "",
  };
}

/** How often a waiting program gets a turn to send more requests in parallel. */
const TICKS = 20;

function formatHangOfJobSet(jobSet: JobSet | undefined, textOf: (about: string) => string): string {
  const about = jobSet === undefined ? "a JobSet that is gone" : `JobSet ${getName(jobSet)}`;
  const words = formatParts([["The JobSet:", jobSet === undefined ? [] : formatYaml(jobSet)]]);
  return [`Problem: ${textOf(about)}.`, words].filter(Boolean).join("\n");
}

/**
 * Describes a history that violates a law: the initial objects, the faults, the events, and the errors of passes.
 *
 * @param found - the violations of an earlier run
 */
export async function describeHistory(
  controller: ControllerSubject,
  scenario: Scenario,
  judged: HistoryEvaluation,
  found?: LawViolation,
): Promise<SubjectViolation> {
  const entries: HistoryEntry[] = [];
  let at = 0;
  let thrown: unknown;
  const { violations } = await simulateController(controller, scenario, judged, {
    onTurn(turn) {
      at = turn.cluster.now - START_TIME;
      entries.push(...createHistory(turn));
    },
    onFailure(error, { namespace, name }) {
      if (!isExpected(error)) thrown ??= error;
      const text = failureText(error);
      entries.push({ ...FAILURE, at, namespace, name, text });
    },
  });
  entries.push(...violations.slice(0, 1).map(createViolationEntry));
  const isOtherNow = found !== undefined && violations.length === 0;
  const { objects, actions, faults } = scenario;
  const jobSet = objects.find(({ kind }) => kind === "JobSet");
  const details = formatParts([
    ["The JobSet:", jobSet === undefined ? [] : formatYaml(jobSet)],
    ["User actions:", actions.map((action) => JSON.stringify(action))],
    ["Faults:", faults.map((fault) => JSON.stringify(fault))],
    ["Events:", formatTimeline(entries).trimEnd().split("\n")],
    [
      "The violation in an earlier run of this history, which depends on state that the controller kept from earlier histories:",
      isOtherNow ? [`${found.law}: ${found.message}`] : [],
    ],
  ]);
  const [broken = found] = violations;
  const law = broken && { name: broken.law, sentence: broken.sentence };
  return { details, thrown, law };
}

const FAILURE = { actor: "manager", what: "Event", kind: "JobSet" } as const;
