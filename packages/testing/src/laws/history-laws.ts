import { formatTime, type JobSet, parseTime } from "@jobset-ts/api";
import { getName, type KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { PlannedEvent } from "@jobset-ts/core";
import { evaluateTtl } from "@jobset-ts/core/policies";
import {
  AsyncReconcile,
  type LawViolation,
  livenessLaws,
  randomScenario,
  type Scenario,
  type SimController as SimulatedController,
  type SimulationOptions,
  type SimulationResult,
  safetyLaws,
  shrinkAsync,
  simulateAsync,
  createSimController as simulatedControllerOfPlans,
  singleFaults,
} from "@jobset-ts/sim";
import {
  createHistory,
  createViolationEntry,
  formatTimeline,
  type HistoryEntry,
  summarizeFinalState,
} from "@jobset-ts/sim/history";
import { START_TIME, type StepResult } from "@jobset-ts/sim/kernel";
import fc from "fast-check";
import type { TestApiRequest, TestApiResponse } from "./api-request.ts";
import { isForeignKind, TestApiServer } from "./api-server.ts";
import {
  type ControllerSubject,
  createTestClient,
  READ_KINDS,
  type ReconcileResponse,
} from "./controller.ts";
import { failureText, isExpected } from "./failed-pass.ts";
import {
  type BoundedClient,
  boundedClient,
  endlessText,
  HANG_SECONDS,
  hangText,
  isHung,
} from "./hang.ts";
import { type Broken, getLaw, type Law, type Laws } from "./law.ts";
import { AppliedObjects } from "./server-side-apply.ts";
import { shownParts, yamlLines } from "./show.ts";
import { unreadableIn } from "./unreadable.ts";

const safety = safetyLaws.filter(
  ({ appliesTo, onRequest, onChange, onRefusal, onEvent }) =>
    // The rest look into plans alone, which a controller need not have.
    appliesTo !== "BuiltInController" &&
    (onRequest ?? onChange ?? onRefusal ?? onEvent) !== undefined,
);
const liveness = livenessLaws.filter(({ appliesTo }) => appliesTo !== "BuiltInController");

/**
 * The laws of whole histories, by name. A controller works in a simulated cluster: its caches lag, its requests get lost or
 * are refused, it crashes and comes back, nodes are cut off, users change their minds. It is called when a JobSet, a Job or
 * Service of it or, under in-place restart, a Pod changes, when `ttlSecondsAfterFinished` is over, and when a pass has asked for
 * it. What it breaks comes back as the smallest history that was found, told line by line.
 *
 * @example
 * for (const [name, law] of historyLaws) test(name, () => fc.assert(law(controller)));
 */
export const historyLaws: Laws<ControllerSubject> = createHistoryLaws(HANG_SECONDS);

/** {@link historyLaws} that take a pass sooner or later for one that hangs. */
export function createHistoryLaws(hangSeconds: number): Laws<ControllerSubject> {
  return new Map([
    ...safety.map(
      (one) => [one.name, createRandomHistoryLaw(one, { safetyLaws: [one], hangSeconds })] as const,
    ),
    ...liveness.map(
      (one) => [one.name, createRandomHistoryLaw(one, { livenessLaws: [one], hangSeconds })] as const,
    ),
    singleFaultsLaw("singleFaultsLeaveNothingBehind", hangSeconds),
  ]);
}

/**
 * {@link historyLaws} in one, but for that about single faults: each history is asked all of them, so that as many take
 * a fraction of the time. What is told begins with the law that is broken.
 *
 * @example await fc.assert(everyHistoryLaw(controller));
 */
export const everyHistoryLaw: Law<ControllerSubject> = createRandomHistoryLaw(
  { name: "everyHistoryLaw", sentence: "Nothing is wrong in any history." },
  { safetyLaws: safety, livenessLaws: liveness, hangSeconds: HANG_SECONDS },
);

/** What of a run is judged, and when a pass hangs. */
interface Judged extends Pick<SimulationOptions, "safetyLaws" | "livenessLaws"> {
  readonly hangSeconds: number;
}

interface HistoryCase {
  readonly seed: number;
}

/** A neighbouring seed is another history; what is found is made smaller in its own way. */
function historyCases(): fc.Arbitrary<HistoryCase> {
  return fc.noShrink(fc.record({ seed: fc.nat() }));
}

function createRandomHistoryLaw(
  { name, sentence }: { readonly name: string; readonly sentence: string },
  judged: Judged,
): Law<ControllerSubject> {
  return historyLaw(name, sentence, async (controller, { seed }) => {
    const scenario = randomScenario(seed);
    const played = await playedBy(controller, scenario, judged);
    const [found] = played.violations;
    if (found === undefined) return undefined;
    const shrunk = await shrinkAsync(
      scenario,
      (one) => playedBy(controller, one, judged),
      MAX_TRIES,
    );
    return told(controller, shrunk?.scenario ?? scenario, judged, found);
  });
}

/** A law of histories. A pass that hangs breaks it, whatever it is about. */
function historyLaw(
  name: string,
  sentence: string,
  violation: (controller: ControllerSubject, drawn: HistoryCase) => Promise<Broken | undefined>,
): Law<ControllerSubject> {
  const text = { sentence, defects: [] };
  return getLaw(name, text, historyCases(), (controller: ControllerSubject, drawn) =>
    violation(controller, drawn).catch((error: unknown) => {
      if (error instanceof PassHangs) return { words: error.message };
      throw error;
    }),
  );
}

class PassHangs extends Error {}

function singleFaultsLaw(
  name: string,
  hangSeconds: number,
): readonly [string, Law<ControllerSubject>] {
  const sentence =
    "A request that is lost, refused or late, a crash, caches that lag or go back in time, webhooks that are down, or a pass without a cause leave nothing behind: all ends as without them.";
  const linesOf = ({ end }: SimulationResult) => summarizeFinalState(end.objects);
  const judged = { hangSeconds };
  const law = historyLaw(name, sentence, async (controller, { seed }) => {
    const undisturbed = await playedBy(controller, ORDINARY_LIFE, judged);
    const faulty = [...singleFaults(ORDINARY_LIFE, undisturbed)];
    const scenario = faulty[seed % faulty.length];
    // What never comes to rest has no end to compare.
    if (scenario === undefined || !undisturbed.isIdle) return undefined;
    const wanted = linesOf(undisturbed);
    const came = linesOf(await playedBy(controller, scenario, judged));
    const differences = [
      ...wanted.filter((line) => !came.includes(line)).map((line) => `without the fault: ${line}`),
      ...came.filter((line) => !wanted.includes(line)).map((line) => `with it: ${line}`),
    ];
    if (differences.length === 0) return undefined;
    const { words, thrown } = await told(controller, scenario, judged);
    return { words: `${words}\n\n${shownParts([["How it ends:", differences]])}`, thrown };
  });
  return [name, law];
}

/** A Job of three fails, the JobSet restarts, and all Jobs succeed; no fault lasts as long as a Pod runs. */
const ORDINARY_LIFE: Scenario = {
  seed: 1,
  objects: [
    {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name: "node-0" },
      spec: {},
      status: {
        allocatable: { cpu: "64", memory: "64Gi", pods: "110" },
        conditions: [{ type: "Ready", status: "True" }],
      },
    },
    {
      apiVersion: "jobset.x-k8s.io/v1alpha2",
      kind: "JobSet",
      metadata: { name: "train", namespace: "ml" },
      spec: {
        failurePolicy: { maxRestarts: 2 },
        replicatedJobs: ["leader", "workers"].map((name) => ({
          name,
          replicas: name === "leader" ? 1 : 2,
          template: {
            spec: {
              backoffLimit: 0,
              template: {
                spec: { restartPolicy: "Never", containers: [{ name: "main", image: "busybox" }] },
              },
            },
          },
        })),
      },
    },
  ] as Scenario["objects"],
  workload: [
    { replicatedJob: "workers", jobIndex: 1, attempt: 0, runMs: 3_000, exitCode: 1 },
    { runMs: 300_000, stopMs: 500 },
  ],
  actions: [],
  faults: [],
  endsAt: 4 * 3_600_000,
};

interface Named {
  readonly namespace: string;
  readonly name: string;
}

/** A pass that has not ended: over which JobSet, as it was at its beginning, and by what it asks. */
interface OpenQuestion {
  readonly jobSet: JobSet | undefined;
  readonly bounded: BoundedClient;
}

interface Onlooker {
  readonly onTurn?: (turn: StepResult) => void;
  /** A pass over a JobSet has failed. */
  readonly onFailure?: (error: unknown, jobSet: Named) => void;
}

/** So many scenarios are played to make a counterexample smaller. */
const MAX_TRIES = 150;

const repairs = simulatedControllerOfPlans();

/**
 * Plays a scenario with a controller in place of JobSet's own.
 *
 * @throws PassHangs
 */
function playedBy(
  controller: ControllerSubject,
  scenario: Scenario,
  { hangSeconds, ...judged }: Judged,
  { onTurn, onFailure }: Onlooker = {},
): Promise<SimulationResult> {
  const open = new Map<AsyncReconcile, OpenQuestion>();
  const beside: Beside = {
    applied: new AppliedObjects(),
    foreign: new TestApiServer([], "default"),
  };
  let stored: StepResult["cluster"]["objects"] | undefined;
  let moves = 0;
  const simulated: SimulatedController = (key, snapshot, context) => {
    // What repairs placement is another subject.
    if (key.kind !== "JobSet") return repairs(key, snapshot, context);
    const pass = new AsyncReconcile();
    const objects = READ_KINDS.flatMap((kind) => snapshot.objects(kind)) as KubernetesObject[];
    const bounded = boundedClient(
      createTestClient({
        state: objects,
        list(kind) {
          moves += 1;
          if (isForeignKind(kind)) return beside.foreign.list(kind);
          return objects.filter((object) => object.kind === kind);
        },
        get(kind, namespace, name) {
          moves += 1;
          if (isForeignKind(kind)) return beside.foreign.get(kind, namespace, name);
          return snapshot.object(kind, namespace, name) as KubernetesObject | undefined;
        },
        perform(request) {
          moves += 1;
          const { kind, metadata } = request.object;
          const { namespace = key.namespace, name = "" } = (metadata ?? {}) as Partial<Named>;
          const current = stored?.get<KubernetesObject>(kind, namespace, name);
          return performed(pass, request, current, beside);
        },
      }),
    );
    const { namespace, name } = key;
    const now = formatTime(context.now);
    const features = [...context.features];
    // By the time that the controller is told, in whole seconds.
    const jobSet = snapshot.jobSet(namespace, name);
    open.set(pass, { jobSet: jobSet as JobSet | undefined, bounded });
    const ttl = jobSet && evaluateTtl(jobSet, parseTime(now) ?? 0);
    const ttlLeft = ttl?.action === "Wait" ? Math.ceil(ttl.remainingSeconds * 1_000) : undefined;
    const run = async () => controller(bounded.client, { namespace, name, now, features });
    const end = (ok: boolean, result?: ReconcileResponse) => {
      open.delete(pass);
      pass.finish(ok, sooner(ttlLeft, result?.requeueAfterSeconds));
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
  const settings = {
    controller: simulated,
    safetyLaws: [],
    livenessLaws: [],
    // They ask what the production code would do next.
    steadyStateLaws: [],
    ...judged,
    onTurn: (turn: StepResult) => {
      stored = turn.cluster.objects;
      onTurn?.(turn);
    },
  };
  // Time goes on once every program waits for an answer of the cluster, whatever else it awaits before.
  return simulateAsync(scenario, settings, async () => {
    for (;;) {
      for (let tick = 0; tick < TICKS; tick++) await undefined;
      const endless = [...open.values()].find(({ bounded }) => bounded.isExhausted());
      if (endless !== undefined) throw new PassHangs(formatHang(endless.jobSet, endlessText));
      const undecided = [...open].filter(([pass]) => pass.isUndecided);
      const [first] = undecided;
      if (first === undefined) return;
      const decided = Promise.race([
        Promise.all(undecided.map(([pass]) => pass.decided())),
        ...undecided.map(([, { bounded }]) => bounded.exhausted),
      ]);
      if (await isHung(decided, () => moves, hangSeconds))
        throw new PassHangs(formatHang(first[1].jobSet, (about) => hangText(about, hangSeconds)));
    }
  });
}

/** Milliseconds until a pass that its time to live asks for, or its controller, whichever comes first. */
function sooner(ttlLeft: number | undefined, seconds: number | undefined): number | undefined {
  if (seconds === undefined || !(seconds > 0)) return ttlLeft;
  const asked = Math.ceil(seconds * 1_000);
  return ttlLeft === undefined ? asked : Math.min(ttlLeft, asked);
}

/** What a history has beside the simulated cluster. */
interface Beside {
  readonly applied: AppliedObjects;
  /** Serves Events, and objects of kinds that JobSet says nothing about. */
  readonly foreign: TestApiServer;
}

/**
 * What becomes of a request in the simulated cluster. What is applied is patched, or created where it is not there.
 *
 * @param stored - its object as it is stored now
 */
async function performed(
  pass: AsyncReconcile,
  request: TestApiRequest,
  stored: KubernetesObject | undefined,
  { applied, foreign }: Beside,
): Promise<TestApiResponse> {
  const { verb, ...rest } = request;
  // A deletion is asked for by the name alone.
  const unreadable = verb === "delete" ? undefined : unreadableIn({ verb, ...rest });
  if (unreadable !== undefined) {
    const message = `the object of the request cannot be read: ${unreadable}`;
    return { ok: false, code: 400, reason: "BadRequest", message };
  }
  if (isForeignKind(rest.object.kind)) {
    const { kind, metadata } = rest.object;
    const { namespace = "", name = "" } = (metadata ?? {}) as Partial<Named>;
    // A later change of an Event tells nothing new.
    const isNew = verb === "create" || foreign.get(kind, namespace, name) === undefined;
    const event = kind === "Event" && isNew ? createEvent(rest.object) : undefined;
    if (event !== undefined) pass.report(event);
    return foreign.perform(request);
  }
  if (verb !== "create" && verb !== "apply") return pass.ask({ verb, ...rest });
  if (verb === "apply") {
    const object = applied.patchFor(request, stored);
    const patched = await pass.ask({ ...rest, verb: "patch", object, isApply: true });
    const isMissing = !patched.ok && patched.code === 404;
    if (!isMissing || rest.subresource !== undefined) return patched;
  }
  const outcome = await pass.ask({ ...rest, verb: "create" });
  // A reply may be lost.
  if (outcome.ok || outcome.reason !== "AlreadyExists") applied.mayBeMadeBy(request);
  return outcome;
}

/** An Event of either API, if it is about a JobSet; where it says nothing, so do its words. */
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

/** So often a program that has asked for something comes to its turn to ask for more beside it. */
const TICKS = 20;

function formatHang(jobSet: JobSet | undefined, textOf: (about: string) => string): string {
  const about = jobSet === undefined ? "a JobSet that is gone" : `JobSet ${getName(jobSet)}`;
  const words = shownParts([["The JobSet:", jobSet === undefined ? [] : yamlLines(jobSet)]]);
  return [`What is wrong: ${textOf(about)}.`, words].filter(Boolean).join("\n");
}

/**
 * A history in which a controller breaks a law: what there was, what went wrong, what happened, and how passes failed.
 *
 * @param found - what was wrong when it was played before
 */
async function told(
  controller: ControllerSubject,
  scenario: Scenario,
  judged: Judged,
  found?: LawViolation,
): Promise<Broken> {
  const entries: HistoryEntry[] = [];
  let at = 0;
  let thrown: unknown;
  const { violations } = await playedBy(controller, scenario, judged, {
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
  const words = shownParts([
    ["The JobSet:", jobSet === undefined ? [] : yamlLines(jobSet)],
    ["What users do:", actions.map((action) => JSON.stringify(action))],
    ["What goes wrong:", faults.map((fault) => JSON.stringify(fault))],
    ["What happens:", formatTimeline(entries).trimEnd().split("\n")],
    [
      "What was wrong when it was played before, by what the controller kept of the histories before:",
      isOtherNow ? [`${found.law}: ${found.message}`] : [],
    ],
  ]);
  const [broken = found] = violations;
  const law = broken && { name: broken.law, sentence: broken.sentence };
  return { words, thrown, law };
}

const FAILURE = { actor: "manager", what: "Event", kind: "JobSet" } as const;
