import type { TestApiRequest } from "./api-request.ts";
import { type Exchange, TestApiServer } from "./api-server.ts";
import {
  type ControllerSubject,
  createTestClient,
  type ReconcileRequest,
  type ReconcileResponse,
} from "./controller.ts";
import type { ControllerCase } from "./controller-case.ts";
import { exchangeText } from "./exchange-text.ts";
import { isChange } from "./expected-requests.ts";
import { failureText, isExpected } from "./failed-pass.ts";
import { formatEndlessPass, formatHang, HANG_SECONDS, isHung, limitRequests } from "./pass-hang.ts";
import { RequestJudge } from "./request-judge.ts";
import type { RequestViolation } from "./violation.ts";

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

/** The result of checking a controller. */
export interface CheckResult {
  /** All violations. If a pass hangs, that is the last one. */
  readonly violations: readonly RequestViolation[];
  /** The requests that change an object, and the errors of passes, one line each. */
  readonly requests: readonly string[];
  /** The first error of a pass that is not a rejection by the API server. */
  readonly thrown?: unknown;
}

/** Calls a controller until it converges, and checks its requests. */
export async function checkController(
  controller: ControllerSubject,
  question: ControllerCase,
  options: CheckOptions = {},
): Promise<CheckResult> {
  const check = new ControllerCheck(question, options);
  await check.run(controller);
  return check;
}

class ControllerCheck implements CheckResult {
  thrown: unknown;
  readonly #question: ControllerCase;
  readonly #server: TestApiServer;
  readonly #judge: RequestJudge;
  readonly #pass: ReconcileRequest;
  readonly #maxIdlePasses: number;
  readonly #hangSeconds: number;
  /** Whether enough violations were found. After that, only convergence is checked. */
  #isEnough = false;
  /** By pass. They are formatted only when a violation is reported. */
  readonly #passes: {
    readonly exchanges: readonly Exchange[];
    readonly failure: { readonly error: unknown } | undefined;
  }[] = [];

  constructor(
    question: ControllerCase,
    { maxIdlePasses = 3, hangSeconds = HANG_SECONDS }: CheckOptions,
  ) {
    const { objects, pass } = question;
    this.#question = question;
    this.#server = new TestApiServer(objects, pass.namespace);
    this.#judge = new RequestJudge(question, this.#server);
    this.#pass = pass;
    this.#maxIdlePasses = maxIdlePasses;
    this.#hangSeconds = hangSeconds;
  }

  get violations(): readonly RequestViolation[] {
    return this.#judge.violations;
  }

  get requests(): readonly string[] {
    return this.#passes.flatMap(({ exchanges, failure }, index) => {
      // The rejected request already reports this error.
      const isReported = exchanges.some(({ outcome }) => !outcome.ok) && isExpected(failure?.error);
      const failed = failure === undefined || isReported ? [] : [failureText(failure.error)];
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
    while (idle < this.#maxIdlePasses && idleSeconds < MAX_IDLE_SECONDS) {
      if (changes >= MAX_PASSES) {
        this.#judge.report(
          "NoConvergence",
          `reconciliation does not converge in ${MAX_PASSES} passes`,
        );
        return;
      }
      const outcome = await this.#runPass(controller, pass);
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
    if (!this.#isEnough) this.#judge.judgeRest(firstIdle);
  }

  /** Runs one pass. Returns whether it changed anything, and when the controller wants to be called again. */
  async #runPass(
    controller: ControllerSubject,
    pass: ReconcileRequest,
  ): Promise<PassOutcome | "Hung"> {
    const server = this.#server;
    const first = server.exchanges.length;
    const start = server.state;
    this.#judge.startPass();
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
      this.#judge.report("Hang", formatEndlessPass(about));
      return "Hung";
    }
    // Passes continue even after enough violations, to find out whether they converge.
    if (!this.#isEnough) {
      this.#judge.judgePass(exchanges, start, pass);
      this.#isEnough = this.violations.length > MAX_VIOLATIONS;
    }
    if (hangs) {
      this.#judge.report("Hang", formatHang(about, this.#hangSeconds));
      return "Hung";
    }
    const before = server.state;
    server.endDeletions();
    const hasChanged = exchanges.some(isChange) || before !== server.state;
    const seconds = result?.requeueAfterSeconds;
    const isRequested = typeof seconds === "number" && seconds > 0;
    return { hasChanged, ...(isRequested && { requeueAfterSeconds: seconds }) };
  }
}

/** The result of one pass. */
interface PassOutcome {
  readonly hasChanged: boolean;
  readonly requeueAfterSeconds?: number;
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

const MAX_PASSES = 120;
/** One pass per second. */
const MAX_IDLE_SECONDS = 60;
const MAX_VIOLATIONS = 50;
