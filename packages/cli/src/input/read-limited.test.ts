import { describe, expect, it } from "vitest";
import { readFileLimited, readStreamLimited, TOO_LARGE } from "./read-limited.ts";

describe("readStreamLimited", () => {
  it("joins what comes", async () => {
    const chunks = async function* () {
      yield Uint8Array.of(1, 2);
      yield Uint8Array.of(3);
    };
    expect([...(await readStreamLimited(chunks(), { maxBytes: 3 }))]).toEqual([1, 2, 3]);
  });

  it("ends with the first byte that is too many, and lets the stream go", async () => {
    let given = 0;
    let isLetGo = false;
    const endless = async function* () {
      try {
        for (;;) {
          given++;
          yield new Uint8Array(10);
        }
      } finally {
        isLetGo = true;
      }
    };
    await expect(readStreamLimited(endless(), { maxBytes: 25 })).rejects.toMatchObject({
      code: TOO_LARGE,
    });
    expect({ given, isLetGo }).toEqual({ given: 3, isLetGo: true });
  });
});

describe("readFileLimited", () => {
  it("fails as the file system does", async () => {
    await expect(readFileLimited("/no/such/file")).rejects.toMatchObject({ code: "ENOENT" });
    await expect(readFileLimited(import.meta.dirname)).rejects.toMatchObject({ code: "EISDIR" });
  });
});
