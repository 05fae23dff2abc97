import { aJobSet } from "@jobset-ts/testing";
import { beforeEach, expect, onTestFinished } from "vitest";
import {
  type CapturedLog,
  captureLog,
} from "../../../../packages/controller-runtime/src/testing/captured-log.ts";
import { eventually } from "../../../../packages/controller-runtime/src/testing/eventually.ts";
import { FakeApiServer } from "../../../../packages/controller-runtime/src/testing/fake-api-server.ts";
import type { Options } from "../options.ts";
import { RunningProgram } from "./running-program.ts";

export const train = aJobSet("train").withReplicatedJob("workers", { replicas: 2 });
export const other = aJobSet("other").withReplicatedJob("workers");

/** The API server of the running test. */
export let server: FakeApiServer;

/** The log lines of the running test. */
export let log: CapturedLog;

/** Gives each test its own API server and an empty log. */
export function prepareEachTest(): void {
  beforeEach(async () => {
    log = captureLog();
    server = await new FakeApiServer().start();
    onTestFinished(() => server.stop());
  });
}

/** Waits until the API server has this number of Jobs. */
export function jobCount(count: number): Promise<void> {
  return eventually(`there are ${count} Jobs`, () => server.objects("Job").length === count);
}

/** Starts the program, and waits until it is ready and has created the two Jobs of `train`. */
export async function startWithJobs(options: Partial<Options> = {}): Promise<RunningProgram> {
  server.put(train);
  const running = await RunningProgram.start(server.url, options);
  await running.ready();
  await jobCount(2);
  await eventually("the status is written", () => getStatus("train") !== undefined);
  return running;
}

/** Returns the status of a JobSet in the API server. */
export function getStatus(name: string) {
  return server.objects("JobSet").find(({ metadata }) => metadata.name === name)?.status;
}

/** Checks that a cause was logged once, and that its recovery was logged once. */
export function expectLoggedOnce(about: string | RegExp, cause: string): void {
  const message = cause.replaceAll("SERVER", server.url);
  expect(log.messages).toEqual([
    expect.stringMatching(about),
    expect.stringMatching(/^info .*: recovered$/),
  ]);
  expect(log.lines.find(({ level }) => level === "error")?.message).toContain(message);
}

/** Waits for the recovery, and then checks the same. */
export async function expectRecovery(about: string | RegExp, cause: string): Promise<void> {
  await eventually("it has recovered", () => log.messages.length >= 2);
  expectLoggedOnce(about, cause);
}
