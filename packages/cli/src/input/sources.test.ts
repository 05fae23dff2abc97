import { describe, expect, it } from "vitest";
import type { FolderEntry } from "./folder.ts";
import { MAX_BYTES, TOO_LARGE } from "./read-limited.ts";

import { type Files, limitStdinToOneRead, readSources } from "./sources.ts";

function listFiles(files: Readonly<Record<string, Uint8Array | string>>): Files {
  return {
    readFile: async (path) => {
      const file = files[path];
      if (file === undefined || typeof file === "string") {
        throw Object.assign(new Error("gone wrong"), { code: file ?? "ENOENT" });
      }
      return file;
    },
    readStdin: async () => new TextEncoder().encode("from: stdin"),
    readFolder: async () => [],
  };
}

const bytes = (...values: (number | string)[]) =>
  Uint8Array.from(
    values.flatMap((value) => (typeof value === "string" ? [...Buffer.from(value)] : [value])),
  );

describe("readSources", () => {
  it("readSources reads files and standard input in the order of the paths", async () => {
    const read = await readSources(["a.yaml", "-"], listFiles({ "a.yaml": bytes("a: 1") }));
    expect(read).toEqual({
      sources: [
        { name: "a.yaml", text: "a: 1" },
        { name: "<stdin>", text: "from: stdin" },
      ],
      diagnostics: [],
    });
  });

  it("readSources drops a byte order mark", async () => {
    const { sources } = await readSources(["a"], listFiles({ a: bytes(0xef, 0xbb, 0xbf, "a: 1") }));
    expect(sources[0]?.text).toBe("a: 1");
  });

  it.each([
    ["ENOENT", "no such file"],
    ["ENOTDIR", "no such file"],
    ["EISDIR", "is a folder without a .json, .yaml or .yml file; -R includes its subfolders"],
    ["ELOOP", "links to itself"],
    ["EACCES", "permission denied"],
    [TOO_LARGE, `larger than ${MAX_BYTES.toLocaleString("en")} bytes, the maximum size of a file`],
    ["EIO", "cannot be read: gone wrong"],
  ])("readSources explains the error code %s", async (code, message) => {
    const { sources, diagnostics } = await readSources(["a"], listFiles({ a: code }));
    expect(sources).toEqual([]);
    expect(diagnostics).toEqual([{ severity: "error", file: "a", message }]);
  });

  it("readSources rejects files that are longer than a string can be", async () => {
    const { diagnostics } = await readSources(
      ["a"],
      listFiles({ a: new Uint8Array(MAX_BYTES + 1) }),
    );
    expect(diagnostics).toMatchObject([
      { file: "a", message: expect.stringMatching(/^larger than/) },
    ]);
  });

  it("readSources reports an error for each unreadable part of a folder", async () => {
    const kind = "File";
    const folders: Record<string, readonly FolderEntry[]> = {
      d: [
        { name: "b.yaml", kind },
        { name: "a.yaml", kind },
        { name: "shut", kind: "Folder" },
      ],
    };
    const files: Files = {
      ...listFiles({ d: "EISDIR", "d/a.yaml": "EACCES", "d/b.yaml": bytes("b: 1") }),
      readFolder: async (path) => {
        const folder = folders[path];
        if (folder !== undefined) return folder;
        throw Object.assign(new Error("shut"), { code: "EACCES" });
      },
    };
    const message = "permission denied";
    expect(await readSources(["d"], files, { recursive: true })).toEqual({
      sources: [{ name: "d/b.yaml", text: "b: 1" }],
      diagnostics: [
        { severity: "error", file: "d/a.yaml", message },
        { severity: "error", file: "d/shut", message },
      ],
    });
  });

  it("readSources rejects a second read of standard input", async () => {
    const twice = [
      { severity: "error", file: "<stdin>", message: "standard input can be read only once" },
    ];
    expect((await readSources(["-", "-"], limitStdinToOneRead(listFiles({})))).diagnostics).toEqual(
      twice,
    );
    const files = limitStdinToOneRead(listFiles({}));
    expect((await readSources(["-"], files)).diagnostics).toEqual([]);
    expect(await readSources(["-"], files)).toEqual({ sources: [], diagnostics: twice });
  });

  it.each([
    ["a stray byte", bytes("a: 1\nb: x", 0xff, "\n"), { line: 2, column: 5 }],
    ["a truncated character", bytes("a: ", 0xe2, 0x82), { line: 1, column: 4 }],
    ["a lone surrogate", bytes("é\n\n", 0xed, 0xa0, 0x80), { line: 3, column: 1 }],
    ["UTF-16", bytes(0xff, 0xfe, 0x61, 0x00), { line: 1, column: 1 }],
    ["a stray byte after a byte order mark", bytes(0xef, 0xbb, 0xbf, 0x80), { line: 1, column: 4 }],
  ])("readSources rejects %s with the line and byte", async (_, content, position) => {
    const { diagnostics } = await readSources(["a"], listFiles({ a: content }));
    expect(diagnostics).toEqual([
      { severity: "error", file: "a", message: "not UTF-8 text", position },
    ]);
  });

  it("readSources keeps replacement characters that the file contains", async () => {
    const { sources } = await readSources(["a"], listFiles({ a: bytes("a: \ufffd") }));
    expect(sources[0]?.text).toBe("a: \ufffd");
  });
});
