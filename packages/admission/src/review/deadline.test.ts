import { describe, expect, it } from "vitest";
import { Deadline } from "./deadline.ts";
import { OpenSignal } from "./testing/open-signal.ts";

const never = new Promise<never>(() => {});

describe("waits", () => {
  it("before returns the result, the error or the timeout", async () => {
    const signal = new OpenSignal();
    const deadline = new Deadline(signal);
    expect(await deadline.before(() => 1)).toEqual({ outcome: "Done", value: 1 });
    expect(await deadline.before(async () => 2)).toEqual({ outcome: "Done", value: 2 });
    const error = new Error("no");
    const fail = () => {
      throw error;
    };
    expect(await deadline.before(fail)).toEqual({ outcome: "Failed", error });
    expect(await deadline.before(() => Promise.reject(error))).toEqual({
      outcome: "Failed",
      error,
    });
    const hanging = [deadline.before(() => never), deadline.before(() => never)];
    signal.abort();
    expect(await Promise.all(hanging)).toEqual([{ outcome: "Late" }, { outcome: "Late" }]);
    expect(await deadline.before(() => 3)).toEqual({ outcome: "Late" });
  });

  it("before returns an error for an object that only looks like a promise", async () => {
    const deadline = new Deadline(new OpenSignal());
    const fakePromise = new Proxy(Promise.resolve(), {
      get() {
        throw new Error("odd");
      },
    });
    expect(await deadline.before(() => fakePromise)).toMatchObject({ outcome: "Failed" });
  });
});

it("a deadline listens to its signal until it is closed", () => {
  const signal = new OpenSignal();
  const deadline = new Deadline(signal);
  void deadline.before(() => never);
  expect(signal.listenerCount).toBe(1);
  deadline.close();
  expect(signal.listenerCount).toBe(0);
});
