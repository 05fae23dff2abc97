import { describe, expect, it } from "vitest";
import type { Step } from "../plan/plan.ts";
import {
  aPlan,
  aStep,
  createFailure,
  creates,
  deletes,
  describeRequest,
  done,
  execute,
  patches,
  rejectRequests,
  SUCCESS_OUTCOME,
  sendUntil,
  updates,
  updatesStatus,
} from "../testing/a-plan.ts";
import { PlanExecution } from "./plan-execution.ts";

const names = (count: number) => Array.from({ length: count }, (_, index) => `j${index}`);
const event = { type: "Normal", reason: "R", message: "m" } as const;
const metric = { name: "jobset_failed_total", labels: { jobset_name: "train" } };
const status = { restarts: 1 };

describe("the run of an empty plan", () => {
  it("an empty plan is done at once and stays done", () => {
    const run = new PlanExecution(aPlan([]));
    expect(run.next()).toEqual({ action: "Done", outcome: SUCCESS_OUTCOME });
    expect(run.next()).toEqual({ action: "Done", outcome: SUCCESS_OUTCOME });
  });

  it("a step without effects is skipped", () => {
    expect(execute(aPlan([aStep([])])).outcome).toEqual(SUCCESS_OUTCOME);
  });
});

describe("the order of requests", () => {
  it("requests follow the order of steps and of sequential effects", () => {
    const plan = aPlan([aStep([creates("b"), creates("a")]), aStep([deletes("c")])]);
    expect(execute(plan).sent).toEqual(["create b", "create a", "delete c"]);
  });

  it("a step starts after all requests of the previous step are settled", () => {
    const run = new PlanExecution(
      aPlan([aStep([creates("a"), creates("b")], { concurrency: 2 }), aStep([creates("c")])]),
    );
    const first = sendUntil(run);
    expect(first.requests.map(describeRequest)).toEqual(["create a", "create b"]);
    expect(first.behind.action).toBe("Wait");
    run.settle(2, done);
    expect(run.next().action).toBe("Wait");
    run.settle(1, done);
    expect(sendUntil(run).requests.map(describeRequest)).toEqual(["create c"]);
  });

  it("a step sends as many requests as its concurrency, and one more for each result", () => {
    const run = new PlanExecution(
      aPlan([
        aStep(
          names(120).map((name) => creates(name)),
          { concurrency: 50 },
        ),
      ]),
    );
    const first = sendUntil(run).requests;
    expect(first).toHaveLength(50);
    run.settle(first[7]?.id ?? 0, done);
    run.settle(first[3]?.id ?? 0, done);
    expect(sendUntil(run).requests.map(describeRequest)).toEqual(["create j50", "create j51"]);
  });

  it("the execution returns each request once, with its own id and phase", () => {
    const run = new PlanExecution(
      aPlan([
        aStep(
          names(3).map((name) => creates(name)),
          { concurrency: 3 },
        ),
      ]),
    );
    const { requests } = sendUntil(run);
    expect(new Set(requests.map(({ id }) => id)).size).toBe(3);
    expect(requests.map(({ phase }) => phase)).toEqual(Array(3).fill("create-jobs"));
    expect(run.next().action).toBe("Wait");
  });
});

describe("a response", () => {
  it("settle ignores an unknown id and a second result", () => {
    const run = new PlanExecution(aPlan([aStep([creates("a"), creates("b")])], { status }));
    run.settle(1, createFailure("too early"));
    expect(sendUntil(run).requests).toHaveLength(1);
    for (const id of [0, -1, 2, 99, Number.NaN]) run.settle(id, createFailure("unknown"));
    expect(run.next().action).toBe("Wait");
    run.settle(1, done);
    run.settle(1, createFailure("again"));
    expect(sendUntil(run).requests.map(describeRequest)).toEqual(["create b"]);
    run.settle(2, done);
    const [write] = sendUntil(run).requests;
    expect(write?.phase).toBe("write-status");
    run.settle(1, createFailure("late"));
    expect(run.next().action).toBe("Wait");
    run.settle(write?.id ?? 0, done);
    run.settle(write?.id ?? 0, createFailure("again"));
    expect(run.next()).toEqual({ action: "Done", outcome: SUCCESS_OUTCOME });
  });

  describe("that says that a Job exists already", () => {
    const respond = rejectRequests({ "create a": { message: "exists", reason: "AlreadyExists" } });

    it("AlreadyExists fails a step that requires a new Job", () => {
      expect(execute(aPlan([aStep([creates("a")])]), respond).outcome).toMatchObject({
        ok: false,
        message: "exists",
      });
    });

    it("AlreadyExists is a success where the object may exist", () => {
      expect(execute(aPlan([aStep([creates("a", "Succeed")])]), respond).outcome).toEqual(
        SUCCESS_OUTCOME,
      );
    });

    it("any other error is a failure", () => {
      for (const reason of ["NotFound", "Conflict", "Forbidden", undefined]) {
        const refuse = rejectRequests({ "create a": { message: "no", reason } });
        const plan = aPlan([aStep([creates("a", "Succeed")])]);
        expect(execute(plan, refuse).outcome.ok).toBe(false);
      }
    });
  });

  it.each([
    ["NotFound", "Succeed", undefined, true],
    ["NotFound", "Succeed", "u", true],
    ["NotFound", "Fail", "u", false],
    ["Conflict", "Succeed", "u", true],
    // Without a UID, a deletion cannot conflict.
    ["Conflict", "Succeed", undefined, false],
    ["Conflict", "Fail", "u", false],
    ["Forbidden", "Succeed", "u", false],
    [undefined, "Succeed", "u", false],
  ] as const)(
    "the response %s to a deletion with onNotFound %s and the UID %s counts as success: %s",
    (reason, onNotFound, uid, ok) => {
      const plan = aPlan([
        aStep([deletes("a", { onNotFound, ...(uid !== undefined && { uid }) })]),
      ]);
      const respond = rejectRequests({ "delete a": { message: "no", reason } });
      expect(execute(plan, respond).outcome.ok).toBe(ok);
    },
  );

  it.each(["update", "updateStatus", "patch"])(
    "the response NotFound or Conflict to the effect %s is an error",
    (verb) => {
      const effects = [updates("a"), updatesStatus("a"), patches("a", {})];
      const effect = effects.find((one) => one.verb === verb) ?? updates("a");
      for (const reason of ["NotFound", "Conflict", "AlreadyExists"]) {
        const respond = rejectRequests({ [`${verb} a`]: { message: "no", reason } });
        expect(execute(aPlan([aStep([effect])]), respond).outcome).toMatchObject({
          ok: false,
          conflict: false,
        });
      }
    },
  );
});

describe("a failed effect", () => {
  const events = [event];
  const withStatus = (steps: readonly Step[]) =>
    aPlan(steps, { status, events, metrics: [metric], requeueAfterSeconds: 5 });

  it("a failed effect ends the execution: no further step, status, deferred Event, metric or requeue", () => {
    const plan = withStatus([
      aStep([creates("a")]),
      aStep([creates("b")], { dependsOn: ["create-jobs"] }),
    ]);
    const { sent, emitted, outcome } = execute(plan, rejectRequests({ "create a": "no" }));
    expect(sent).toEqual(["create a"]);
    expect(emitted).toEqual([]);
    expect(outcome).toEqual({
      ok: false,
      phase: "create-jobs",
      message: "no",
      conflict: false,
      metrics: [],
    });
  });

  it("a failed effect skips the remaining ones of a step that stops, except those in flight", () => {
    const effects = names(5).map((name) => creates(name));
    const run = new PlanExecution(withStatus([aStep(effects, { concurrency: 2 })]));
    const { requests } = sendUntil(run);
    run.settle(requests[0]?.id ?? 0, createFailure("no"));
    expect(run.next().action).toBe("Wait");
    run.settle(requests[1]?.id ?? 0, createFailure("neither"));
    expect(run.next()).toMatchObject({ action: "Done", outcome: { message: "no\nneither" } });
  });

  it("a step that continues runs all effects and reports their errors in order", () => {
    const effects = names(4).map((name) => deletes(name));
    const step = aStep(effects, {
      phase: "delete-previous",
      concurrency: 50,
      onError: "Continue",
    });
    const run = new PlanExecution(
      withStatus([step, aStep([creates("a")], { dependsOn: ["delete-previous"] })]),
    );
    const { requests } = sendUntil(run);
    expect(requests).toHaveLength(4);
    for (const index of [3, 2, 0, 1]) {
      const result = index === 2 ? done : createFailure(`error ${index}`);
      run.settle(requests[index]?.id ?? 0, result);
    }
    expect(run.next()).toEqual({
      action: "Done",
      outcome: {
        ok: false,
        phase: "delete-previous",
        message: "error 0\nerror 1\nerror 3",
        conflict: false,
        metrics: [],
      },
    });
  });

  it("independent later steps run after a failed one", () => {
    const step = (name: string, phase: Step["phase"], needs: Step["dependsOn"] = []) =>
      aStep([creates(name), creates(`${name}2`)], {
        phase,
        dependsOn: needs,
        failureEventReason: "Failed",
      });
    const plan = withStatus([
      step("a", "suspend"),
      step("b", "volume-claims"),
      step("c", "volume-claims", ["suspend"]),
      step("d", "resume", ["service", "volume-claims"]),
      step("e", "create-jobs", ["service"]),
    ]);
    const respond = rejectRequests({ "create a": "no a", "create b2": "no b2" });
    const { sent, emitted, outcome } = execute(plan, respond);
    expect(sent).toEqual(["create a", "create b", "create b2", "create e", "create e2"]);
    expect(emitted.map(({ message }) => message)).toEqual(["no a", "no b2"]);
    expect(outcome).toMatchObject({ phase: "suspend", message: "no a\nno b2" });
  });

  it("a later step may request an object again that could not be created", () => {
    const policies = [aStep([creates("a")]), aStep([creates("a"), creates("b")])];
    const { sent } = execute(aPlan(policies), rejectRequests({ "create a": "no" }));
    expect(sent).toEqual(["create a", "create a"]);
  });

  it("a failed effect excludes its object from later steps, and no other", () => {
    const plan = aPlan([
      aStep([patches("a", {}), patches("b", {})], { phase: "scale", onError: "Continue" }),
      aStep([deletes("a"), deletes("b")], { phase: "delete-previous" }),
    ]);
    const { sent, outcome } = execute(plan, rejectRequests({ "patch a": "no" }));
    expect(sent).toEqual(["patch a", "patch b", "delete b"]);
    expect(outcome).toMatchObject({ phase: "scale", message: "no" });
  });
});

it("a hundred thousand effects take time proportional to their number", () => {
  const effects = names(50_000).flatMap((name) => [updatesStatus(name), updates(name)]);
  const steps = [
    aStep(effects, { concurrency: 50 }),
    aStep(
      names(50_000).map((name) => deletes(name)),
      { concurrency: 50, onError: "Continue" },
    ),
  ];
  const respond = (text: string) => (text.startsWith("delete") ? createFailure("no") : done);
  const { sent, outcome } = execute(aPlan(steps), respond);
  expect(sent).toHaveLength(150_000);
  expect(outcome.ok).toBe(false);
});
