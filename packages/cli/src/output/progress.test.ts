import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runCommand } from "../testing.ts";
import { createProgressLine } from "./progress.ts";

/** Creates a progress line on a test terminal with a test clock. */
function aLine(isTTY = true) {
  const clock = { now: 5000 };
  const written: string[] = [];
  const write = (text: string) => written.push(text);
  const line = createProgressLine({ write, isTTY }, () => clock.now);
  return { ...line, clock, written };
}

describe("the progress line", () => {
  it("the progress line appears after one second", () => {
    const { say, clock, written } = aLine();
    clock.now += 999;
    say("reading a");
    expect(written).toEqual([]);
    clock.now += 1;
    say("reading b");
    expect(written).toEqual(["\rreading b"]);
  });

  it("the progress line appears at once before a long operation", () => {
    const { say, written } = aLine();
    say("parsing", true);
    expect(written).toEqual(["\rparsing"]);
  });

  it("a progress line is rewritten in place, at most ten times a second, and cleared once", () => {
    const { say, clear, clock, written } = aLine();
    clock.now += 2000;
    say("reading: 10 MB");
    clock.now += 99;
    say("reading: 11 MB");
    clock.now += 1;
    say("done");
    clear();
    clear();
    expect(written).toEqual(["\rreading: 10 MB", "\rdone          ", "\r    \r"]);
  });

  it("the progress line fits into a terminal, and escapes control characters", () => {
    const { say, written } = aLine();
    say(`\u001b[2J${"x".repeat(100)}`, true);
    expect(written[0]).toMatch(/^\r\\u001b\[2Jx{60,63}…$/);
  });

  it("progress is a log line once a minute if standard error is not a terminal", () => {
    const { say, clear, clock, written } = aLine(false);
    say("reading", true);
    clock.now += 59_999;
    say("reading a", true);
    clear();
    expect(written).toEqual([]);
    clock.now += 1;
    say("reading b\r");
    clock.now += 59_999;
    say("reading c");
    clear();
    expect(written).toEqual(["jobset: note: reading b\\u000d\n"]);
  });
});

describe("a slow command", () => {
  const stdin = new Uint8Array(
    readFileSync(new URL("../testdata/dumps/s03-full-house.json.gz", import.meta.url)),
  );
  /** A clock that advances by this many milliseconds on each call. */
  const clock = (step: number) => {
    let now = 0;
    return () => (now += step);
  };

  it.each(["explain", "top", "census"])(
    "a long command prints its progress, and clears it: %s",
    async (name) => {
      const args = [name, "-f", "-"];
      const env = { NO_COLOR: "1" };
      const slow = await runCommand(args, { stdin, env, isTTY: true, now: clock(1000) });
      const quick = await runCommand(args, { stdin, env, isTTY: true, now: clock(0) });
      expect(slow.out).toBe(quick.out);
      expect(slow.error).toMatch(/^\rreading <stdin>: 0 MB\rparsing <stdin>: 0 MB *\r/);
      expect(slow.error.replaceAll(/\r[^\r\n]*(?=\r)|\r/g, "")).toBe(quick.error);
      const inPipe = await runCommand(args, { stdin, env, now: clock(1000) });
      expect(inPipe).toEqual(quick);
    },
  );
});
