import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { aJobSetFile, aReplicatedJob, ran } from "../testing.ts";
import { CUT_OFF, isPacked, NOT_GZIP, unpacked } from "./packed.ts";
import { TOO_LARGE } from "./read-within.ts";

const jobSet = aJobSetFile(`replicatedJobs:\n${aReplicatedJob("w")}`);
const packed = new Uint8Array(gzipSync(jobSet));

describe("files packed by gzip", () => {
  it("are read as what is in them, from standard input, too", async () => {
    const plain = await ran(["render", "-f", "train.yaml"], { files: { "train.yaml": jobSet } });
    expect(plain.out).not.toBe("");
    expect(await ran(["render", "-f", "train"], { files: { train: packed } })).toEqual(plain);
    expect(await ran(["render", "-f", "-"], { stdin: packed })).toEqual(plain);
  });

  it("are refused where they stop before their end, or hold other bytes than were packed", async () => {
    const damaged = packed.map((byte, at) => (at === packed.length - 6 ? byte ^ 1 : byte));
    const files = { "cut.gz": packed.subarray(0, 60), "damaged.gz": damaged };
    expect(await ran(["render", "-f", "cut.gz", "-f", "damaged.gz"], { files })).toEqual({
      exitCode: 2,
      out: "",
      error:
        "cut.gz: packed by gzip, and cut off\n" +
        "damaged.gz: begins as if packed by gzip, and cannot be unpacked\n",
    });
  });

  it("are unpacked up to the limit only", async () => {
    const zeros = new Uint8Array(gzipSync(new Uint8Array(10_000)));
    expect(isPacked(zeros)).toBe(true);
    expect(await unpacked(zeros, 10_000)).toHaveLength(10_000);
    await expect(unpacked(zeros, 9_999)).rejects.toMatchObject({ code: TOO_LARGE });
  });

  it("compressed files are distinguished from truncated ones by their error", async () => {
    await expect(unpacked(packed.subarray(0, 2))).rejects.toMatchObject({ code: CUT_OFF });
    await expect(unpacked(Uint8Array.of(0x1f, 0x8b, 0, 0))).rejects.toMatchObject({
      code: NOT_GZIP,
    });
  });
});
