import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { aJobSetFile, aReplicatedJob, runCommand } from "../testing.ts";
import { decompress, isGzip, NOT_GZIP, TRUNCATED_GZIP } from "./gzip.ts";
import { TOO_LARGE } from "./read-limited.ts";

const jobSet = aJobSetFile(`replicatedJobs:\n${aReplicatedJob("w")}`);
const packed = new Uint8Array(gzipSync(jobSet));

describe("gzip files", () => {
  it("a gzip file is decompressed, also from standard input", async () => {
    const plain = await runCommand(["render", "-f", "train.yaml"], {
      files: { "train.yaml": jobSet },
    });
    expect(plain.out).not.toBe("");
    expect(await runCommand(["render", "-f", "train"], { files: { train: packed } })).toEqual(
      plain,
    );
    expect(await runCommand(["render", "-f", "-"], { stdin: packed })).toEqual(plain);
  });

  it("a gzip file that is truncated or corrupt is rejected", async () => {
    const damaged = packed.map((byte, at) => (at === packed.length - 6 ? byte ^ 1 : byte));
    const files = { "cut.gz": packed.subarray(0, 60), "damaged.gz": damaged };
    expect(await runCommand(["render", "-f", "cut.gz", "-f", "damaged.gz"], { files })).toEqual({
      exitCode: 2,
      out: "",
      error: "cut.gz: truncated gzip file\n" + "damaged.gz: corrupt gzip file\n",
    });
  });

  it("a gzip file is decompressed only up to the limit", async () => {
    const zeros = new Uint8Array(gzipSync(new Uint8Array(10_000)));
    expect(isGzip(zeros)).toBe(true);
    expect(await decompress(zeros, 10_000)).toHaveLength(10_000);
    await expect(decompress(zeros, 9_999)).rejects.toMatchObject({ code: TOO_LARGE });
  });

  it("a file with other content after the gzip header gets another error than a truncated one", async () => {
    await expect(decompress(packed.subarray(0, 2))).rejects.toMatchObject({ code: TRUNCATED_GZIP });
    await expect(decompress(Uint8Array.of(0x1f, 0x8b, 0, 0))).rejects.toMatchObject({
      code: NOT_GZIP,
    });
  });
});
