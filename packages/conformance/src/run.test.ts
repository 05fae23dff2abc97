import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Family } from "./families/family.ts";
import { aCase, aFile, createFile, echo, runForTest } from "./testing/recorded-files.ts";

describe("a conformance run", () => {
  it("the run succeeds and prints its counts if every case agrees", async () => {
    const file = createFile(aCase("echo/a/1", { x: 1 }, { x: 1 }), aCase("echo/a/2", [], []));
    const { code, out, lastLine, error } = await runForTest([file]);
    expect(out).toBe("echo  2 of 2 agree\n2 passed, 0 failed\n");
    expect({ code, lastLine, error }).toEqual({
      code: 0,
      lastLine: "2 passed, 0 failed",
      error: "",
    });
  });

  it("the run replays the files of a folder in name order, without subfolders", async () => {
    const lines = (...numbers: readonly number[]) =>
      numbers.map((n) => `${JSON.stringify(aCase(`echo/a/${n}`, n, 0))}\n`).join("");
    const folder = dirname(aFile("b.jsonl", lines(2)));
    writeFileSync(join(folder, "a.jsonl.gz"), gzipSync(lines(1)));
    writeFileSync(join(folder, "README.md"), "not a case");
    mkdirSync(join(folder, "releases.jsonl"));
    writeFileSync(join(folder, "releases.jsonl", "c.jsonl"), lines(3));
    const { code, out, error } = await runForTest([folder, "--quirks", "upstream"]);
    expect({ code, error }).toEqual({ code: 1, error: "" });
    expect(out.match(/echo\/a\/\d/g)).toEqual(["echo/a/1", "echo/a/2"]);
    expect(out).toMatch(/0 passed, 2 failed\n$/);
    const both = await runForTest([folder, join(folder, "releases.jsonl", "c.jsonl")]);
    expect(both.lastLine).toBe("0 passed, 3 failed");
  });

  it("a short run replays 1,000 cases of a file, and each tenth of the others", async () => {
    const file = createFile(
      ...Array.from({ length: 1030 }, (_, index) => aCase(`echo/a/${index + 1}`, 1, 1)),
    );
    expect((await runForTest(["--short", file])).lastLine).toBe("1003 passed, 0 failed");
    expect((await runForTest([file])).lastLine).toBe("1030 passed, 0 failed");
  });

  it("a folder without recorded decisions counts as invalid", async () => {
    const folder = dirname(aFile("README.md", "not a case"));
    const { code, error } = await runForTest([folder]);
    expect(code).toBe(1);
    expect(error).toBe(`${folder}: is a directory without *.jsonl or *.jsonl.gz files\n`);
  });

  it("the run shows the ID, the tags and the path of a difference, and fails", async () => {
    const file = createFile(aCase("echo/a/1", { x: 2 }, { x: 1 }, ["restart", "pvc"]));
    const { code, out } = await runForTest([file]);
    expect(code).toBe(1);
    expect(out).toBe(
      "echo  0 of 1 agree\n" +
        "  echo/a/1 [restart, pvc]\n" +
        "    output.x: expected 1, got 2\n" +
        "0 passed, 1 failed\n",
    );
  });

  it("the run shows only the first few differing cases of a family", async () => {
    const cases = [1, 2, 3, 4, 5].map((n) => aCase(`echo/a/${n}`, n, 0));
    const three = await runForTest([createFile(...cases)]);
    expect(three.out).toContain("echo/a/3 ");
    expect(three.out).not.toContain("echo/a/4 ");
    expect(three.out).toContain("  … and 2 more\n");
    const none = await runForTest(["--differences", "0", createFile(...cases)]);
    expect(none.out).toBe("echo  0 of 5 agree\n  … and 5 more\n0 passed, 5 failed\n");
  });

  it("the run shows only the first few differences of one case", async () => {
    const wrong = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`m${n}`, n]));
    const { out } = await runForTest([createFile(aCase("echo/a/1", {}, wrong))]);
    expect(out).toContain("output.m7: ");
    expect(out).not.toContain("output.m8: ");
    expect(out).toContain("    … and 2 more\n");
  });

  it("an error that a family throws counts as a failure and is shown", async () => {
    const throwing: Family = {
      family: "throwing",
      replay: () => {
        throw new RangeError("too\ndeep");
      },
    };
    const { code, out } = await runForTest([createFile(aCase("throwing/a/1", 1, 1))], [throwing]);
    expect(code).toBe(1);
    expect(out).toContain("    replay: threw RangeError: too\\u000adeep\n");
  });

  it("the report escapes control characters from a file", async () => {
    const { out } = await runForTest([createFile(aCase("echo/\u001b[2J", 1, 2, ["\u0007"]))]);
    expect(out).toContain("echo/\\u001b[2J [\\u0007]");
  });
});

describe("families of recorded decisions", () => {
  it("an unknown family counts as failed, with any tags", async () => {
    const file = createFile(aCase("new/a/1", 1, 1), aCase("new/a/2", 1, 1, ["int32Wrap"]));
    const { code, out } = await runForTest([file]);
    expect(code).toBe(1);
    expect(out).toBe("unknown family: new: 2 cases, counted as failed\n0 passed, 2 failed\n");
  });

  it("the case ID determines the family, not the file name", async () => {
    const line = JSON.stringify(aCase("new/a/1", 1, 1));
    expect((await runForTest([aFile("echo.jsonl", line)])).code).toBe(1);
    const withoutSlash = JSON.stringify(aCase("echo", 1, 1));
    expect((await runForTest([aFile("new.jsonl", withoutSlash)])).lastLine).toBe(
      "1 passed, 0 failed",
    );
  });

  it("a replay of all shipped files lists families that are not yet covered", async () => {
    const shipped = [createFile(aCase("awaited/a/1", 1, 1)), createFile(aCase("echo/a/1", 1, 1))];
    const { code, out } = await runForTest([], [echo], shipped);
    expect(code).toBe(0);
    expect(out).toBe(
      "echo     1 of 1 agree\nnot yet covered: awaited: 1 case\n1 passed, 0 failed\n",
    );
  });

  it("a family that is not covered fails if it is selected by file, family or id", async () => {
    const file = createFile(aCase("awaited/a/1", 1, 1), aCase("echo/a/1", 1, 1));
    const failed = "not yet covered: awaited: 1 case, counted as failed\n";
    for (const [args, shipped] of [
      [[file], []],
      [["--family", "awaited"], [file]],
      [["--id", "awaited/a/1"], [file]],
    ] as const) {
      const { code, out } = await runForTest(args, [echo], shipped);
      expect(code).toBe(1);
      expect(out).toContain(failed);
    }
  });

  it("an unknown family among the shipped ones fails", async () => {
    const { lastLine } = await runForTest([], [echo], [createFile(aCase("renamed/a/1", 1, 1))]);
    expect(lastLine).toBe("0 passed, 1 failed");
  });

  it("a family can define its own comparison", async () => {
    const sized: Family = {
      ...echo,
      compare: (expected, actual) =>
        String(expected).length === String(actual).length
          ? []
          : [{ path: "size", text: "differs" }],
    };
    const file = createFile(aCase("echo/a/1", "abc", "xyz"), aCase("echo/a/2", "abc", "wxyz"));
    expect((await runForTest([file], [sized])).out).toContain("  echo/a/2 []\n    size: differs\n");
  });
});

describe("cases set aside", () => {
  it("cases that are set aside are counted separately by tag, whether or not they agree", async () => {
    const file = createFile(
      aCase("echo/a/1", 1, 2, ["int32Wrap"]),
      aCase("echo/a/2", 1, 1, ["restart", "int32Wrap"]),
      aCase("echo/a/3", 1, 2, ["scaleNull", "int32Wrap"]),
      aCase("echo/a/4", 1, 1),
    );
    const { code, out } = await runForTest([file]);
    expect(code).toBe(0);
    expect(out).toBe(
      "echo  1 of 1 agree\n" +
        "set aside: int32Wrap: 2 cases, of which 1 agree\n" +
        "set aside: int32Wrap and scaleNull: 1 case, of which 0 agree\n" +
        "1 passed, 0 failed\n",
    );
  });

  it("only six tags set cases aside", async () => {
    const six = [
      "int32Wrap",
      "percentGarbled",
      "tolerationSecondsMerge",
      "scaleNull",
      "shortCountedArray",
      "crash",
    ];
    const tags = [...six, "goValueInMessage", "decodeError", "orderFixed", "int32wrap", "hostile"];
    const cases = tags.map((tag, n) => aCase(`echo/a/${n}`, 1, 2, [tag]));
    const { lastLine, out } = await runForTest([createFile(...cases)]);
    expect(lastLine).toBe("0 passed, 5 failed");
    for (const tag of six) expect(out).toContain(`set aside: ${tag}: 1 case`);
  });
});

describe("quirk modes", () => {
  const family: Family = {
    family: "quirky",
    replay: (input, { quirks }) => ({
      output: quirks === "upstream" ? input : "ours",
      explainedBy: ["NegativePriorityLabel"],
    }),
  };

  it("a replay reproduces upstream's quirks by default", async () => {
    const file = createFile({ id: "quirky/a/1", input: "theirs", output: "theirs" });
    expect((await runForTest([file], [family])).lastLine).toBe("1 passed, 0 failed");
  });

  it("with --quirks none, a difference that a quirk explains is counted under its name", async () => {
    const file = createFile({ id: "quirky/a/1", input: "theirs", output: "theirs" });
    const { code, out } = await runForTest(["--quirks", "none", file], [family]);
    expect(code).toBe(0);
    expect(out).toContain("quirky  0 of 1 agree\n  1 differ by NegativePriorityLabel\n");
  });

  it("with upstream's quirks, no quirk explains a difference", async () => {
    const file = createFile({ id: "quirky/a/1", input: "x", output: "theirs" });
    expect((await runForTest(["--quirks", "upstream", file], [family])).code).toBe(1);
  });
});

describe("filters", () => {
  const cases = [aCase("echo/a/1", 1, 1), aCase("echo/a/2", 1, 2), aCase("new/a/1", 1, 1)];

  it("the run replays only the selected families and ID", async () => {
    const file = createFile(...cases);
    expect((await runForTest(["--family", "echo", file])).lastLine).toBe("1 passed, 1 failed");
    const both = await runForTest(["--family", "echo", "--family", "new", file]);
    expect(both.lastLine).toBe("1 passed, 2 failed");
    expect((await runForTest(["--id", "echo/a/1", file])).lastLine).toBe("1 passed, 0 failed");
  });

  it("a filter that matches no case is an error", async () => {
    const { code, error, lastLine } = await runForTest(["--id", "echo/a/3", createFile(...cases)]);
    expect({ code, lastLine }).toEqual({ code: 2, lastLine: "0 passed, 0 failed" });
    expect(error).toBe("conformance: no case matches --family, --id and --release\n");
  });
});

describe("arguments of the conformance program", () => {
  it.each([
    [["--quirk", "none"]],
    [["--quirks", "all"]],
    [["--quirks"]],
    [["--differences", "-1"]],
    [["--differences=many"]],
    [["--id"]],
  ])("the arguments %j are rejected with one line", async (args) => {
    const { code, error, out } = await runForTest(args);
    expect(code).toBe(2);
    expect(error).toMatch(/^conformance: .+\n$/);
    expect(out).toBe("");
  });

  it("--help prints the usage", async () => {
    const { code, out } = await runForTest(["--help"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^Usage: npm run conformance -- /);
  });

  it("the run fails if there is nothing to replay", async () => {
    const { code, lastLine } = await runForTest([]);
    expect({ code, lastLine }).toEqual({ code: 1, lastLine: "0 passed, 1 failed" });
  });
});
