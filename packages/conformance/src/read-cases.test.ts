import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readCases } from "./read-cases.ts";
import { aCase, aFile, createFile, runForTest } from "./testing/recorded-files.ts";

async function idsIn(file: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const read of readCases(file)) {
    ids.push(read.ok ? read.value.id : `${read.error.line}: ${read.error.reason}`);
  }
  return ids;
}

const good = JSON.stringify(aCase("echo/a/1", 1, 1));

describe("reading cases", () => {
  it("readCases reads plain and gzipped files", async () => {
    const content = `${good}\n${good.replace("/1", "/2")}\n`;
    const ids = ["echo/a/1", "echo/a/2"];
    expect(await idsIn(aFile("a.jsonl", content))).toEqual(ids);
    expect(await idsIn(aFile("a.jsonl.gz", gzipSync(content)))).toEqual(ids);
  });

  it("readCases skips blank lines and accepts CRLF and a missing final newline", async () => {
    expect(await idsIn(aFile("a.jsonl", `\r\n${good}\r\n \t\r\n${good}`))).toHaveLength(2);
  });

  it("readCases ends lines only at line feeds", async () => {
    const id = "echo/\u2028\u2029\u0085";
    expect(await idsIn(createFile(aCase(id, 1, 1)))).toEqual([id]);
  });

  it("readCases keeps characters that cross a chunk boundary", async () => {
    const ids = Array.from({ length: 3000 }, (_, n) => `echo/${"€😀".repeat(20)}/${n}`);
    expect(await idsIn(createFile(...ids.map((id) => aCase(id, 1, 1))))).toEqual(ids);
  });

  it("readCases reads a line that spans many chunks", async () => {
    const id = `echo/${"x".repeat(1_000_000)}`;
    expect(await idsIn(createFile(aCase(id, 1, 1)))).toEqual([id]);
  });

  it("readCases keeps a member called __proto__", async () => {
    const line = '{"id":"echo/a/1","input":{"answer":{"__proto__":1}},"output":{"__proto__":1}}';
    expect((await runForTest([aFile("a.jsonl", line)])).lastLine).toBe("1 passed, 0 failed");
    const other = line.replace('"__proto__":1}}', '"__proto__":2}}');
    expect((await runForTest([aFile("a.jsonl", other)])).out).toContain(
      "output.__proto__: expected 1, got 2",
    );
  });
});

describe("files that cannot be read", () => {
  it.each([
    ["{", /^is not JSON: /],
    ["[]", /^is not a case: /],
    ["null", /^is not a case: /],
    ['{"input":1,"output":1}', /^the case has no id\n$/],
    ['{"id":7,"input":1,"output":1}', /^the case has no id\n$/],
    ['{"id":"echo/a/2","output":1}', /^case echo\/a\/2 has no input\n$/],
    ['{"id":"echo/a/2","input":1}', /^case echo\/a\/2 has no output\n$/],
    [
      '{"id":"echo/a/2","tags":"x","input":1,"output":1}',
      /^case echo\/a\/2: tags is not a list of strings\n$/,
    ],
  ])(
    "an error names the file and line of %s, counts as a failure, and reading continues",
    async (line, reason) => {
      const file = aFile("cases.jsonl", `${good}\n${line}\n${good}\n`);
      const { code, error, lastLine, out } = await runForTest([file]);
      expect(error.slice(0, file.length + 4)).toBe(`${file}:2: `);
      expect(error.slice(file.length + 4)).toMatch(reason);
      expect(error.split("\n")).toHaveLength(2);
      expect(out).toContain("invalid files and lines: 1, each counted as failed\n");
      expect({ code, lastLine }).toEqual({ code: 1, lastLine: "2 passed, 1 failed" });
    },
  );

  it("a line that is not UTF-8 is an error", async () => {
    const bytes = Buffer.concat([Buffer.from(`${good}\n{"id":"`), Buffer.from([0xff, 0x22, 0x7d])]);
    expect(await idsIn(aFile("a.jsonl", bytes))).toEqual(["echo/a/1", "2: is not UTF-8"]);
  });

  it.each([
    ["a missing file", () => "/nowhere/a.jsonl", /^\/nowhere\/a\.jsonl: no such file\n$/],
    ["a missing packed file", () => "/nowhere/a.jsonl.gz", /: no such file\n$/],
    ["a directory", () => "/", /^\/: is a directory without \*\.jsonl or \*\.jsonl\.gz files\n$/],
    ["an empty file", () => aFile("a.jsonl", ""), /a\.jsonl: holds no case\n$/],
    ["a file of blank lines", () => aFile("a.jsonl", "\n \n"), /a\.jsonl: holds no case\n$/],
    ["a plain file that calls itself packed", () => aFile("a.jsonl.gz", good), /header check\n$/],
  ])("the error is %s", async (_, file, reason) => {
    const { code, error, lastLine } = await runForTest([file()]);
    expect(error).toMatch(reason);
    expect({ code, lastLine }).toEqual({ code: 1, lastLine: "0 passed, 1 failed" });
  });

  it("a truncated file is an error, and the cases before the end are replayed", async () => {
    const lines = Array.from({ length: 20_000 }, (_, n) =>
      JSON.stringify(aCase(`echo/a/${n}`, n, n)),
    );
    const whole = gzipSync(`${lines.join("\n")}\n`);
    const { code, error, lastLine } = await runForTest([
      aFile("a.jsonl.gz", whole.subarray(0, whole.length >> 1)),
    ]);
    expect(code).toBe(1);
    expect(error).toMatch(/^\S+a\.jsonl\.gz:\d+: cannot be read: unexpected end of file\n$/);
    expect(Number(lastLine.split(" ")[0])).toBeGreaterThan(1000);
    expect(lastLine).toMatch(/, 1 failed$/);
  });
});
