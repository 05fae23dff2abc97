import { createInterface } from "node:readline";
import { READY_WITHIN_MS } from "./control-plane.ts";
import { Process } from "./process.ts";

/**
 * The example controller in its own process, driven through its protocol. Also the admission proxy, which implements
 * the start and stop of the protocol.
 */
export class ControllerProcess {
  readonly #process: Process;
  readonly #lines: AsyncIterator<string>;

  private constructor(process: Process) {
    this.#process = process;
    if (process.output === null)
      throw new TypeError("the output of the controller is not readable");
    this.#lines = createInterface({ input: process.output })[Symbol.asyncIterator]();
  }

  /** Starts the controller without waiting until it is ready. */
  static start(
    program: string,
    args: readonly string[],
    logFile: string,
    env: Readonly<Record<string, string>> = {},
  ): ControllerProcess {
    return new ControllerProcess(
      new Process(process.execPath, [program, ...args], { logFile, readsOutput: true, env }),
    );
  }

  /** @throws Error if it does not report that it is ready */
  async ready(): Promise<void> {
    const { ready } = await this.#nextLine();
    if (ready !== true) throw new Error("the controller does not report that it is ready");
  }

  /** Switches gates on or off at run time. */
  async switchGates(featureGates: Readonly<Record<string, boolean>>): Promise<void> {
    this.#process.write(JSON.stringify({ featureGates }));
    const { ok, error } = await this.#nextLine();
    if (ok !== true) throw new Error(`the gates were not switched: ${error}`);
  }

  /** Returns the resident memory in bytes, or 0 if the system does not report it. */
  residentBytes(): number {
    return this.#process.residentBytes();
  }

  /** Returns the CPU time of all threads in seconds, or 0 if the system does not report it. */
  cpuSeconds(): number {
    return this.#process.cpuSeconds();
  }

  kill(): Promise<void> {
    return this.#process.kill();
  }

  stop(): Promise<void> {
    return this.#process.stop();
  }

  async #nextLine() {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const error = new Error(`the controller did not respond within ${READY_WITHIN_MS / 1000} s`);
      timer = setTimeout(() => reject(error), READY_WITHIN_MS);
    });
    try {
      const { value, done } = await Promise.race([this.#lines.next(), late]);
      if (done) throw new Error("the controller has exited");
      return JSON.parse(value);
    } finally {
      clearTimeout(timer);
    }
  }
}
