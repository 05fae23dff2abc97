import { beforeEach, describe, expect, it } from "vitest";
import { ConditionLog } from "./condition-log.ts";
import { logLine, writeLine } from "./log-line.ts";
import { type CapturedLog, captureLog } from "./testing/captured-log.ts";

let captureForTest: CapturedLog;
let troubles: ConditionLog;

beforeEach(() => {
  captureForTest = captureLog();
  troubles = new ConditionLog();
});

it("writeLine writes JSON with time, level, message and other fields", () => {
  writeLine(logLine("warning", "two\nlines", { about: "x" }));
  expect(captureForTest.lines).toEqual([
    { time: expect.any(String), level: "warning", message: "two\nlines", about: "x" },
  ]);
});

describe("condition causes", () => {
  it("a condition is logged once when it starts and once when it is resolved", () => {
    for (const cause of ["a", "a", "a"]) troubles.raise("x", cause);
    troubles.resolve("x");
    troubles.resolve("x");
    troubles.raise("x", "a");
    expect(captureForTest.messages).toEqual(["error x: a", "info x: recovered", "error x: a"]);
  });

  it("a cause is logged once for everything that it affects", () => {
    for (const what of ["x", "y", "z"]) troubles.raise(what, "a");
    for (const what of ["x", "z", "y"]) troubles.resolve(what);
    expect(captureForTest.messages).toEqual(["error x: a", "info y: recovered"]);
    expect(captureForTest.lines.at(-1)?.from).toBe("a");
  });

  it("a cause of one kind is logged once, with its first text", () => {
    for (const uid of ["1", "2", "3"]) troubles.raise("x", `no ${uid}`, { kind: "403" });
    troubles.raise("x", "no 4", { kind: "404" });
    troubles.raise("y", "no 5", { kind: "404" });
    troubles.raise("y", "no 4", { kind: "404" });
    troubles.resolve("x");
    troubles.resolve("y");
    expect(captureForTest.messages).toEqual([
      "error x: no 1",
      "error x: no 4",
      "error y: no 5",
      "info x: recovered",
      "info y: recovered",
    ]);
    expect(captureForTest.lines.at(-1)?.from).toBe("no 5");
  });

  it("a condition may replace another one without a recovery", () => {
    troubles.raise("x", "a");
    troubles.raise("x", "b");
    troubles.raise("y", "a");
    troubles.resolve("y");
    troubles.resolve("x");
    expect(captureForTest.messages).toEqual([
      "error x: a",
      "error x: b",
      "error y: a",
      "info y: recovered",
      "info x: recovered",
    ]);
  });
});

it("ConditionLog matches a long cause by its start", () => {
  troubles.raise("x", "a".repeat(201));
  troubles.resolve("x");
  expect(captureForTest.lines.at(-1)).toMatchObject({
    message: "recovered",
    from: `${"a".repeat(200)}…`,
  });
});

it("a condition of several threads is logged once, and resolved when all threads have resolved it", () => {
  troubles.raise("x", "a", { thread: "one", affectsReadiness: true });
  troubles.raise("x", "a", { thread: "two", affectsReadiness: true });
  expect(troubles.reasonsNotReady).toEqual(["x: a"]);
  troubles.resolve("x", "two");
  expect(captureForTest.messages).toEqual(["error x: a"]);
  expect(troubles.reasonsNotReady).toEqual(["x: a"]);
  troubles.resolve("x", "one");
  expect(captureForTest.messages).toEqual(["error x: a", "info x: recovered"]);
});

describe("readiness", () => {
  it("reasonsNotReady lists every condition that affects readiness and omits problems of single objects", () => {
    troubles.raise("x", "a", { affectsReadiness: true });
    troubles.raise("y", "b", { affectsReadiness: true });
    troubles.raise("z", "a", { affectsReadiness: true });
    troubles.raise("JobSet ml/train", "c");
    expect(troubles.reasonsNotReady).toEqual(["x, z: a", "y: b"]);
    troubles.resolve("x");
    troubles.resolve("y");
    expect(troubles.reasonsNotReady).toEqual(["z: a"]);
  });
});
