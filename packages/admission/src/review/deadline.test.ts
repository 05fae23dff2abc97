import { describe, expect, it } from "vitest";
import { Deadline } from "./deadline.ts";
import { OpenSignal } from "./testing/open-signal.ts";

const neverSettles = new Promise<never>(() => {});

describe("waits", () => {
  it("runBefore returns the result, the error or the timeout", async () => {
    const signal = new OpenSignal();
    const deadline = new Deadline(signal);
    expect(await deadline.runBefore(() => 1)).toEqual({ outcome: "Done", value: 1 });
    expect(await deadline.runBefore(async () => 2)).toEqual({ outcome: "Done", value: 2 });
    const error = new Error("no");
    const fail = () => {
      throw error;
    };
    expect(await deadline.runBefore(fail)).toEqual({ outcome: "Failed", error });
    expect(await deadline.runBefore(() => Promise.reject(error))).toEqual({
      outcome: "Failed",
      error,
    });
    const hanging = [
      deadline.runBefore(() => neverSettles),
      deadline.runBefore(() => neverSettles),
    ];
    signal.abort();
    expect(await Promise.all(hanging)).toEqual([{ outcome: "Late" }, { outcome: "Late" }]);
    expect(await deadline.runBefore(() => 3)).toEqual({ outcome: "Late" });
  });

  it("runBefore returns an error for an object that only looks like a promise", async () => {
    const deadline = new Deadline(new OpenSignal());
    const fakePromise = new Proxy(Promise.resolve(), {
      get() {
        throw new Error("odd");
      },
    });
    expect(await deadline.runBefore(() => fakePromise)).toMatchObject({ outcome: "Failed" });
  });
});

it("a deadline listens to its signal until it is closed", () => {
  const signal = new OpenSignal();
  const deadline = new Deadline(signal);
  void deadline.runBefore(() => neverSettles);
  expect(signal.listenerCount).toBe(1);
  deadline.close();
  expect(signal.listenerCount).toBe(0);
});
