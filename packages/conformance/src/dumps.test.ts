import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { isDumpFolder, runDumps } from "./dumps.ts";
import { runForTest } from "./testing/recorded-files.ts";

const dumps = join(dirname(fileURLToPath(import.meta.url)), "..", "dumps");

describe("dumps with known problems", () => {
  it("the diagnosis of each dump matches its known problems", () => {
    const lines: string[] = [];
    runDumps(dumps, (line) => lines.push(line));
    expect(lines).toEqual(["26 passed, 0 failed"]);
  });

  it("dumps are selected by their folder", async () => {
    expect(await runForTest([dumps])).toMatchObject({ code: 0, out: "26 passed, 0 failed\n" });
    const { code, error } = await runForTest([dumps, dumps]);
    expect({ code, error }).toEqual({
      code: 2,
      error: "conformance: a folder of dumps cannot be combined with other arguments\n",
    });
  });

  it("the report shows differences between a diagnosis and the record", () => {
    const dump = "s01-pool-slice.json.gz";
    const record = {
      file: dump,
      jobSet: "ml/js",
      status: "running",
      rootCause: "queued",
      notRootCauses: ["insufficient-capacity"],
      rootObjects: ["Node/n1"],
    };
    const unknown = { file: dump, jobSet: "ml/none", status: "running", rootCause: null };
    const folder = mkdtempSync(join(tmpdir(), "jobset-ts-"));
    copyFileSync(join(dumps, dump), join(folder, dump));
    const truth = [record, unknown].map((one) => JSON.stringify(one));
    writeFileSync(join(folder, "truth.jsonl"), [...truth, "{}", ""].join("\n"));
    const lines: string[] = [];
    expect(runDumps(folder, (line) => lines.push(line))).toEqual({ passed: 0, failed: 3 });
    rmSync(folder, { recursive: true });
    expect(lines).toEqual([
      `${dump} ml/js`,
      "    status: expected progressing, got stuck",
      "    roots: expected queued, got insufficient-capacity",
      "    first root: expected queued, got insufficient-capacity",
      "    roots: insufficient-capacity is none, got insufficient-capacity",
      "    roots: none is about Node/n1",
      `${dump} ml/none`,
      "    the JobSet does not exist",
      "truth.jsonl:3",
      "    file is not a string",
      "0 passed, 3 failed",
    ]);
  });

  it("a dump folder contains the file with the records", () => {
    expect(isDumpFolder(dumps)).toBe(true);
    expect(isDumpFolder(dirname(dumps))).toBe(false);
  });
});
