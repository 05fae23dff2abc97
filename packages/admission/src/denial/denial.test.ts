import type { CheckResult } from "@jobset-ts/checks";
import { defineChecks, evaluateChecks, firstFailure } from "@jobset-ts/checks";
import { describe, expect, it } from "vitest";
import { createDenial } from "./denial.ts";

type View = Readonly<Record<"leader" | "selector", CheckResult>>;

const set = defineChecks([
  { id: "leader", causes: [], run: (view: View) => view.leader },
  { id: "selector", causes: ["leader"], run: (view: View) => view.selector },
]);

const pass = { outcome: "Pass" } as const;
const fails = (message: string, transient = false) =>
  ({ outcome: "Fail", message, transient }) as const;
const isMissing = (message: string) => ({ outcome: "Unknown", message }) as const;

function denial(view: View) {
  return createDenial(evaluateChecks(set, view));
}

describe("createDenial", () => {
  it("createDenial returns undefined if all checks pass", () => {
    expect(denial({ leader: pass, selector: pass })).toBeUndefined();
  });

  it("createDenial reports the root and keeps the symptoms", () => {
    const result = denial({ leader: fails("no leader"), selector: fails("no selector") });
    expect(result?.status).toEqual({ code: 403, reason: "Forbidden", message: "no leader" });
    expect(result?.roots).toMatchObject([{ id: "leader" }]);
    expect(result?.symptoms).toMatchObject([{ id: "selector", causedBy: ["leader"] }]);
  });

  it("createDenial denies for a missing fact", () => {
    expect(denial({ leader: isMissing("cannot list Pods"), selector: pass })).toEqual({
      status: { code: 403, reason: "Forbidden", message: "cannot list Pods" },
      roots: [],
      symptoms: [],
      unknown: [expect.objectContaining({ id: "leader" })],
      transient: true,
    });
  });

  it("a denial is transient if and only if every root is transient", () => {
    expect(denial({ leader: fails("m", true), selector: fails("m") })?.transient).toBe(true);
    expect(denial({ leader: pass, selector: fails("m") })?.transient).toBe(false);
    expect(denial({ leader: isMissing("m"), selector: fails("m") })?.transient).toBe(false);
  });

  it("a denial is not transient if a check throws", () => {
    const broken = defineChecks([
      {
        id: "leader",
        causes: [],
        run: () => {
          throw new Error("a mistake");
        },
      },
    ]);
    expect(createDenial(evaluateChecks(broken, {}))).toMatchObject({ roots: [], transient: false });
  });

  it("createDenial takes the status from statusOf", () => {
    const evaluation = evaluateChecks(set, { leader: fails("gone"), selector: pass });
    const createStatus = ({ message }: { readonly message: string }) => ({ code: 404, message });
    expect(createDenial(evaluation, { createStatus })?.status).toEqual({
      code: 404,
      message: "gone",
    });
  });

  it("createDenial returns undefined if all checks pass, also if another order reports a failure", () => {
    const other = evaluateChecks(set, { leader: fails("no leader"), selector: pass });
    const reported = firstFailure(other, ["leader"]);
    const evaluation = evaluateChecks(set, { leader: pass, selector: pass });
    expect(createDenial(evaluation, { reported })).toBeUndefined();
  });

  it("createDenial can report the first failure of another order, and keeps the roots", () => {
    const evaluation = evaluateChecks(set, {
      leader: fails("no leader"),
      selector: fails("no selector"),
    });
    const reported = firstFailure(evaluation, ["selector", "leader"]);
    const report = createDenial(evaluation, { reported });
    expect(report?.status.message).toBe("no selector");
    expect(report?.roots).toEqual(evaluation.roots);
  });
});
