import { describe, expect, it } from "vitest";
import { readFileWithin, readStreamWithin, TOO_LARGE } from "./read-within.ts";

describe("readStreamWithin", () => {
  it("joins what comes", async () => {
    const chunks = async function* () {
      yield Uint8Array.of(1, 2);
      yield Uint8Array.of(3);
    };
    expect([...(await readStreamWithin(chunks(), { maxBytes: 3 }))]).toEqual([1, 2, 3]);
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
    await expect(readStreamWithin(endless(), { maxBytes: 25 })).rejects.toMatchObject({
      code: TOO_LARGE,
    });
    expect({ given, isLetGo }).toEqual({ given: 3, isLetGo: true });
  });
});

describe("readFileWithin", () => {
  it("fails as the file system does", async () => {
    await expect(readFileWithin("/no/such/file")).rejects.toMatchObject({ code: "ENOENT" });
    await expect(readFileWithin(import.meta.dirname)).rejects.toMatchObject({ code: "EISDIR" });
  });
});
