import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { WriteError, writeAll } from "./write-all.ts";

/** A stream that keeps what it gets, or fails with a code from some write on. */
function aStream(fails?: { readonly code: string; readonly from: number }) {
  const kept: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      if (fails !== undefined && kept.length >= fails.from) {
        done(Object.assign(new Error("write failed"), { code: fails.code }));
        return;
      }
      kept.push(chunk);
      setImmediate(done);
    },
  });
  stream.on("error", () => {});
  return { stream, kept };
}

describe("writeAll", () => {
  it("writes all pieces in order", async () => {
    const { stream, kept } = aStream();
    const pieces = Array.from({ length: 50_000 }, (_, index) => `${index}\n`);
    expect(await writeAll(pieces, stream)).toBe(true);
    expect(kept.join("")).toBe(pieces.join(""));
    expect(kept.length).toBeGreaterThan(1);
  });

  it("makes no more pieces than the reader takes", async () => {
    let made = 0;
    const endless = (function* () {
      for (;;) {
        made++;
        yield "x".repeat(1000);
      }
    })();
    const { stream, kept } = aStream({ code: "EPIPE", from: 3 });
    expect(await writeAll(endless, stream)).toBe(false);
    expect(kept).toHaveLength(3);
    expect(made).toBeLessThan(300);
  });

  it("hands on every other failure", async () => {
    const { stream } = aStream({ code: "ENOSPC", from: 0 });
    const full = "cannot be written: no space is left on the device";
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

  it("does not take a defect in making text for one of writing it", async () => {
    const { stream } = aStream();
    const pieces = (function* () {
      yield "x";
      throw new TypeError("ours");
    })();
    await expect(writeAll(pieces, stream)).rejects.toThrow(TypeError);
  });

  it("writes nothing when there is nothing to write", async () => {
    const { stream, kept } = aStream();
    expect(await writeAll([], stream)).toBe(true);
    expect(await writeAll([""], stream)).toBe(true);
    expect(kept).toEqual([]);
  });
});
