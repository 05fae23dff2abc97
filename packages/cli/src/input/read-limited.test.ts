import { describe, expect, it } from "vitest";
import { readFileLimited, readStreamLimited, TOO_LARGE } from "./read-limited.ts";

describe("readStreamLimited", () => {
  it("readStreamLimited joins the chunks of a stream", async () => {
    const chunks = async function* () {
      yield Uint8Array.of(1, 2);
      yield Uint8Array.of(3);
    };
    expect([...(await readStreamLimited(chunks(), { maxBytes: 3 }))]).toEqual([1, 2, 3]);
  });

  it("readStreamLimited stops at the first byte over the limit, and releases the stream", async () => {
    let readBytes = 0;
    let isReleased = false;
    const endless = async function* () {
      try {
        for (;;) {
          readBytes++;
          yield new Uint8Array(10);
        }
      } finally {
        isReleased = true;
      }
    };
    await expect(readStreamLimited(endless(), { maxBytes: 25 })).rejects.toMatchObject({
      code: TOO_LARGE,
    });
    expect({ readBytes, isReleased }).toEqual({ readBytes: 3, isReleased: true });
  });
});

describe("readFileLimited", () => {
  it("readFileLimited throws the errors of the file system", async () => {
    await expect(readFileLimited("/no/such/file")).rejects.toMatchObject({ code: "ENOENT" });
    await expect(readFileLimited(import.meta.dirname)).rejects.toMatchObject({ code: "EISDIR" });
  });
});
