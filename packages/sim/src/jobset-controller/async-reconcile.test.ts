import { describe, expect, it } from "vitest";
import { AsyncReconcile } from "./async-reconcile.ts";

const request = {
  verb: "delete",
  object: { kind: "Job", metadata: { name: "train-w-0" } },
} as const;

describe("AsyncReconcile", () => {
  it("AsyncReconcile is undecided until the program sends a request, and again after the reply", async () => {
    const pass = new AsyncReconcile();
    expect(pass.isUndecided).toBe(true);
    const answer = pass.send(request);
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
    ["sends a request", (pass) => pass.send(request)],
    ["reports an Event", (pass) => pass.report({ type: "Normal", reason: "A", message: "b" })],
    ["finishes", (pass) => pass.finish(false)],
  ])("AsyncReconcile resolves decided when the program %s", async (_what, decide) => {
    const pass = new AsyncReconcile();
    const waiting = [pass.waitForDecision(), pass.waitForDecision()];
    decide(pass);
    await Promise.all(waiting);
    await pass.waitForDecision();
    expect(pass.isUndecided).toBe(false);
  });
});
