import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { WriteError, writeAll } from "./write-all.ts";

/** Creates a stream that records writes, or fails with a code from some write on. */
function aStream(fails?: { readonly code: string; readonly from: number }) {
  const written: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      if (fails !== undefined && written.length >= fails.from) {
        done(Object.assign(new Error("write failed"), { code: fails.code }));
        return;
      }
      written.push(chunk);
      setImmediate(done);
    },
  });
  stream.on("error", () => {});
  return { stream, written };
}

describe("writeAll", () => {
  it("writeAll writes all chunks in order", async () => {
    const { stream, written } = aStream();
    const pieces = Array.from({ length: 50_000 }, (_, index) => `${index}\n`);
    expect(await writeAll(pieces, stream)).toBe(true);
    expect(written.join("")).toBe(pieces.join(""));
    expect(written.length).toBeGreaterThan(1);
  });

  it("writeAll creates no more chunks than the reader consumes", async () => {
    let created = 0;
    const endless = (function* () {
      for (;;) {
        created++;
        yield "x".repeat(1000);
      }
    })();
    const { stream, written } = aStream({ code: "EPIPE", from: 3 });
    expect(await writeAll(endless, stream)).toBe(false);
    expect(written).toHaveLength(3);
    expect(created).toBeLessThan(300);
  });

  it("writeAll throws a WriteError for other failures", async () => {
    const { stream } = aStream({ code: "ENOSPC", from: 0 });
    const full = "cannot be written: no space left on the device";
    await expect(writeAll(["x"], stream)).rejects.toThrow(new WriteError(full));
    const throwing = {
      write: () => {
        throw new Error("EIO");
      },
    };
    await expect(writeAll(["x"], throwing)).rejects.toThrow(
      new WriteError("cannot be written: EIO"),
    );
  });

  it("writeAll throws errors of the text generator unchanged", async () => {
    const { stream } = aStream();
    const pieces = (function* () {
      yield "x";
      throw new TypeError("ours");
    })();
    await expect(writeAll(pieces, stream)).rejects.toThrow(TypeError);
  });

  it("writeAll writes nothing for empty text", async () => {
    const { stream, written } = aStream();
    expect(await writeAll([], stream)).toBe(true);
    expect(await writeAll([""], stream)).toBe(true);
    expect(written).toEqual([]);
  });
});
