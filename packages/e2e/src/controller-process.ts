import { createInterface } from "node:readline";
import { READY_WITHIN_MS } from "./control-plane.ts";
import { Process } from "./process.ts";

/**
 * The example controller in its own process, driven through its protocol; or the admission proxy, which implements the
 * start and the stop of the protocol.
 */
export class ControllerProcess {
  readonly #process: Process;
  readonly #lines: AsyncIterator<string>;

  private constructor(process: Process) {
    this.#process = process;
    if (process.output === null) throw new TypeError("the output of the controller is not read");
    this.#lines = createInterface({ input: process.output })[Symbol.asyncIterator]();
  }

  /** Starts it without waiting until it is ready. */
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

  /** @throws Error when it does not say that it is ready */
  async ready(): Promise<void> {
    const { ready } = await this.#nextLine();
    if (ready !== true) throw new Error("the controller does not say that it is ready");
  }

  /** Switches gates on or off while it runs. */
  async switchGates(featureGates: Readonly<Record<string, boolean>>): Promise<void> {
    this.#process.write(JSON.stringify({ featureGates }));
    const { ok, error } = await this.#nextLine();
    if (ok !== true) throw new Error(`the gates are not switched: ${error}`);
  }

  /** What it holds in memory, in bytes; 0 where the system does not say. */
  residentBytes(): number {
    return this.#process.residentBytes();
  }

  /** What it has computed so far, all threads together, in seconds; 0 where the system does not say. */
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
      const error = new Error(`the controller says nothing within ${READY_WITHIN_MS / 1000} s`);
      timer = setTimeout(() => reject(error), READY_WITHIN_MS);
    });
    try {
      const { value, done } = await Promise.race([this.#lines.next(), late]);
      if (done) throw new Error("the controller has ended");
      return JSON.parse(value);
    } finally {
      clearTimeout(timer);
    }
  }
}
