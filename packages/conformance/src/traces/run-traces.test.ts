import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { aFile, runForTest } from "../testing/recorded-files.ts";
import { isTraceInput, runTraces } from "./run-traces.ts";
import { parseTraces, readTraceFile } from "./trace.ts";

const folder = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "traces");
const file = join(folder, "traces.jsonl.gz");
const text = readTraceFile(file);

/** Returns the lines of one trace in the file. */
function formatLines(id: string): readonly string[] {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.includes(`"id":"${id}"`));
  const behind = lines.findIndex((line, at) => at > first && line.includes('"op":"scenario"'));
  return lines.slice(first, behind < 0 ? undefined : behind);
}

function playTrace(content: string): readonly string[] {
  const lines: string[] = [];
  runTraces([aFile("traces.jsonl", content)], { differences: 1 }, (line) => lines.push(line));
  return lines;
}

describe("recorded traces of a real cluster", () => {
  it("the simulated cluster agrees with the recorded traces", () => {
    const lines: string[] = [];
    const totals = runTraces([folder], { differences: 1 }, (line) => lines.push(line));
    expect(lines.slice(-3)).toEqual([
      "4 lines differ by finalizer-order",
      "141 of 141 traces agree",
      "1948 passed, 0 failed",
    ]);
    expect(totals).toEqual({ passed: 1948, failed: 0 });
  });

  it("traces are selected by folder or file", async () => {
    expect(isTraceInput(folder)).toBe(true);
    expect(isTraceInput(dirname(folder))).toBe(false);
    const one = aFile("one.jsonl", formatLines("ttl-s1").join("\n"));
    const { code, lastLine } = await runForTest([one]);
    expect({ code, lastLine }).toEqual({ code: 0, lastLine: "12 passed, 0 failed" });
  });

  it("traces are selected by family and ID", async () => {
    const { out } = await runForTest([
      folder,
      "--family",
      "ttl",
      "--family",
      "elastic",
      "--id",
      "ttl-s2",
    ]);
    expect(out).toMatch(/^ttl {2}\d+ of 12 lines agree\n/);
    expect(out).toContain("1 of 1 traces agree\n");
    expect(await runForTest([folder, "--id", "none"])).toMatchObject({
      code: 2,
      out: "",
      error: "conformance: no trace matches --family and --id\n",
    });
  });

  it("a trace fails if an observation differs", () => {
    const lines = formatLines("ttl-s1").map((line) =>
      line.replace('"reason":"Completed"', '"reason":"Done"'),
    );
    const report = playTrace(lines.join("\n"));
    expect(report[0]).toBe("ttl  11 of 12 lines agree");
    expect(report[1]).toBe("  ttl-s1 step 2 events");
    expect(report[2]).toContain('"reason":"Done"');
    expect(report[3]).toContain('"reason":"Completed"');
    expect(report.slice(4)).toEqual(["0 of 1 traces agree", "11 passed, 1 failed"]);
  });

  it("a trace fails if an expected rejection is missing or differs", () => {
    const lines = formatLines("delete-slow-s1");
    const changed = lines.map((line) => line.replace('"code":409', '"code":410'));
    expect(playTrace(changed.join("\n")).at(-1)).toMatch(/ passed, 1 failed$/);
    const answered = lines.map((line) => line.replace(/,"refused":\{.*\}\}$/, "}"));
    expect(playTrace(answered.join("\n")).at(-1)).toMatch(/ passed, 1 failed$/);
  });

  it("a trace that differs only in finalizer order counts under that name", () => {
    const lines = formatLines("ttl-s1").map((line) =>
      line.replace(
        "Running bound tracked ready > Succeeded bound tracked > Succeeded bound",
        "Running bound tracked ready > Succeeded bound",
      ),
    );
    expect(playTrace(lines.join("\n"))).toEqual([
      "ttl  11 of 12 lines agree",
      "1 lines differ by finalizer-order",
      "1 of 1 traces agree",
      "12 passed, 0 failed",
    ]);
  });

  it("the finalizer order is recognized for any order in which the Pods were first seen", () => {
    const lines = formatLines("backofflimit-s1").map((line) => {
      const { object, ...members } = JSON.parse(line);
      const isPaths = members.op === "podPath" && members.step === 2;
      const reversed = Object.fromEntries(Object.entries(object).reverse());
      return isPaths
        ? JSON.stringify({ ...members, object: reversed }).replace(
            "deleting tracked > ",
            "$&Failed bound deleting > ",
          )
        : line;
    });
    expect(playTrace(lines.join("\n")).slice(1, 3)).toEqual([
      "1 lines differ by finalizer-order",
      "1 of 1 traces agree",
    ]);
  });

  it("an invalid line of a trace is named", () => {
    const scenario = formatLines("ttl-s1")[0] ?? "";
    const findRejectionReason = (content: string) => {
      try {
        return parseTraces("t.jsonl", content);
      } catch (error) {
        return (error as Error).message;
      }
    };
    const line = { step: 1, actor: "user", op: "wait", at: 1, object: {} };
    const withMember = (members: object) =>
      findRejectionReason(`${scenario}\n${JSON.stringify({ ...line, ...members })}`);
    expect(withMember({ step: "1" })).toBe("t.jsonl:2: step is not an integer");
    expect(withMember({ actor: "unknown" })).toBe(
      "t.jsonl:2: actor is not user, kubelet or observed",
    );
    expect(withMember({ op: 1 })).toBe("t.jsonl:2: op is not a string");
    expect(withMember({ at: "1" })).toBe("t.jsonl:2: at is not a number");
    expect(withMember({ object: null })).toBe("t.jsonl:2: object is none");
    expect(findRejectionReason("[]")).toBe("t.jsonl:1: is not an object");
    expect(findRejectionReason(JSON.stringify(line))).toBe(
      "t.jsonl:1: comes before the line of its scenario",
    );
    expect(findRejectionReason("")).toBe("t.jsonl: holds no trace");
    expect(playTrace(`${scenario}\n{}`).slice(-3)).toEqual([
      "traces.jsonl:2: step is not an integer",
      "0 of 0 traces agree",
      "0 passed, 1 failed",
    ]);
  });

  it("the Events of a Job are compared as the recorder stores them", () => {
    const createEvent = (message: string, count: number) => ({
      about: "Job/j",
      type: "Normal",
      reason: "SuccessfulCreate",
      message,
      count,
    });
    const combined = "(combined from similar events): Created pod: j-*";
    const job = (count: number) => ({ completions: 40, parallelism: count });
    const lines = [
      { op: "scenario", step: 0, actor: "user", object: { id: "many-s1", kind: "job" } },
      { op: "createJob", step: 1, actor: "user", object: { name: "j", spec: job(11) } },
      { op: "events", object: [createEvent("Created pod: j-*", 9), createEvent(combined, 2)] },
      { op: "patchJob", step: 2, actor: "user", object: { name: "j", patch: { spec: job(24) } } },
      { op: "events", object: [createEvent(combined, 13)] },
      { op: "patchJob", step: 3, actor: "user", object: { name: "j", patch: { spec: job(27) } } },
      { op: "events", object: [createEvent(combined, 1)] },
    ];
    const written = lines.map((line, at) =>
      JSON.stringify({
        actor: "observed",
        step: Math.floor(at / 2) + (at % 2),
        at: 3 * Math.floor(at / 2),
        ...line,
      }),
    );
    expect(playTrace(written.join("\n"))).toEqual([
      "many  3 of 3 lines agree",
      "1 of 1 traces agree",
      "3 passed, 0 failed",
    ]);
  });

  it("a trace fails at an unknown input", () => {
    const [scenario = "", ...lines] = formatLines("ttl-s1");
    const unknown = { step: 1, actor: "user", op: "explode", at: 0, object: {} };
    const report = playTrace([scenario, JSON.stringify(unknown), ...lines].join("\n"));
    expect(report.join("\n")).toContain("unknown input explode");
    expect(report.at(-1)).toBe("0 passed, 1 failed");
  });
});
