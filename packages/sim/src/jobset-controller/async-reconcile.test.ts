import { describe, expect, it } from "vitest";
import { AsyncReconcile } from "./async-reconcile.ts";

const request = {
  verb: "delete",
  object: { kind: "Job", metadata: { name: "train-w-0" } },
} as const;

describe("AsyncReconcile", () => {
  it("is undecided until the program asks, and again once it is answered", async () => {
    const pass = new AsyncReconcile();
    expect(pass.isUndecided).toBe(true);
    const answer = pass.ask(request);
    expect(pass.isUndecided).toBe(false);
    expect(pass.next().action).toEqual({ action: "Perform", id: 1, request });
    expect(pass.next().action).toEqual({ action: "Wait" });
    expect(pass.isUndecided).toBe(false);
    const reply = { ok: true, object: undefined as never } as const;
    pass.settle(1, reply);
    expect(await answer).toBe(reply);
    expect(pass.isUndecided).toBe(true);
    expect(pass.next().action).toEqual({ action: "Wait", isOpen: true });
    pass.finish(true);
    expect(pass.isUndecided).toBe(false);
  });

  it.each<readonly [string, (pass: AsyncReconcile) => unknown]>([
    ["asks", (pass) => pass.ask(request)],
    ["tells of something", (pass) => pass.report({ type: "Normal", reason: "A", message: "b" })],
    ["has finished", (pass) => pass.finish(false)],
  ])("tells who waits that the program %s", async (_what, decide) => {
    const pass = new AsyncReconcile();
    const waiting = [pass.decided(), pass.decided()];
    decide(pass);
    await Promise.all(waiting);
    await pass.decided();
    expect(pass.isUndecided).toBe(false);
  });
});
