import { beforeEach, describe, expect, it } from "vitest";
import { ConditionLog } from "./condition-log.ts";
import { logLine, writeLine } from "./log-line.ts";
import { type CapturedLog, captureLog } from "./testing/captured-log.ts";

let captured: CapturedLog;
let troubles: ConditionLog;

beforeEach(() => {
  captured = captureLog();
  troubles = new ConditionLog();
});

it("writes lines of JSON with time, level, message and more", () => {
  writeLine(logLine("warning", "two\nlines", { about: "x" }));
  expect(captured.lines).toEqual([
    { time: expect.any(String), level: "warning", message: "two\nlines", about: "x" },
  ]);
});

describe("a cause", () => {
  it("is told once for as long as it lasts, and when it is over", () => {
    for (const cause of ["a", "a", "a"]) troubles.begins("x", cause);
    troubles.ends("x");
    troubles.ends("x");
    troubles.begins("x", "a");
    expect(captured.told).toEqual(["error x: a", "info x: recovered", "error x: a"]);
  });

  it("is told once for all that it troubles", () => {
    for (const what of ["x", "y", "z"]) troubles.begins(what, "a");
    for (const what of ["x", "z", "y"]) troubles.ends(what);
    expect(captured.told).toEqual(["error x: a", "info y: recovered"]);
    expect(captured.lines.at(-1)?.from).toBe("a");
  });

  it("of one kind is told once, in its first words, whatever the words are later", () => {
    for (const uid of ["1", "2", "3"]) troubles.begins("x", `no ${uid}`, { kind: "403" });
    troubles.begins("x", "no 4", { kind: "404" });
    troubles.begins("y", "no 5", { kind: "404" });
    troubles.begins("y", "no 4", { kind: "404" });
    troubles.ends("x");
    troubles.ends("y");
    expect(captured.told).toEqual([
      "error x: no 1",
      "error x: no 4",
      "error y: no 5",
      "info x: recovered",
      "info y: recovered",
    ]);
    expect(captured.lines.at(-1)?.from).toBe("no 5");
  });

  it("may take the place of another, which is no recovery", () => {
    troubles.begins("x", "a");
    troubles.begins("x", "b");
    troubles.begins("y", "a");
    troubles.ends("y");
    troubles.ends("x");
    expect(captured.told).toEqual([
      "error x: a",
      "error x: b",
      "error y: a",
      "info y: recovered",
      "info x: recovered",
    ]);
  });
});

it("tells a recovery from a long cause by the beginning of the cause", () => {
  troubles.begins("x", "a".repeat(201));
  troubles.ends("x");
  expect(captured.lines.at(-1)).toMatchObject({
    message: "recovered",
    from: `${"a".repeat(200)}…`,
  });
});

it("is told once of several threads, and is over when it is in all of them", () => {
  troubles.begins("x", "a", { thread: "one", stopsUs: true });
  troubles.begins("x", "a", { thread: "two", stopsUs: true });
  expect(troubles.reasonsNotReady).toEqual(["x: a"]);
  troubles.ends("x", "two");
  expect(captured.told).toEqual(["error x: a"]);
  expect(troubles.reasonsNotReady).toEqual(["x: a"]);
  troubles.ends("x", "one");
  expect(captured.told).toEqual(["error x: a", "info x: recovered"]);
});

describe("what stops the program", () => {
  it("is said with all that one cause stops, and without what is one object's trouble", () => {
    troubles.begins("x", "a", { stopsUs: true });
    troubles.begins("y", "b", { stopsUs: true });
    troubles.begins("z", "a", { stopsUs: true });
    troubles.begins("JobSet ml/train", "c");
    expect(troubles.reasonsNotReady).toEqual(["x, z: a", "y: b"]);
    troubles.ends("x");
    troubles.ends("y");
    expect(troubles.reasonsNotReady).toEqual(["z: a"]);
  });
});
