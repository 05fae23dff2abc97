import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCommand } from "./testing.ts";

const packed = readFileSync(new URL("testdata/dumps/s13-bigrun.json.gz", import.meta.url));
const { items } = JSON.parse(gunzipSync(packed).toString()) as {
  readonly items: readonly {
    readonly kind: string;
    readonly metadata: { readonly name: string; readonly namespace?: string };
  }[];
};

/** Returns kubectl's dump of a cluster with several copies of the recorded one, each in its own namespaces. */
function createDump(copies: number, metadata: object = {}): string {
  const all = Array.from({ length: copies }, (_, copy) =>
    items.map((object) => {
      const { name, namespace } = object.metadata;
      const own =
        namespace === undefined
          ? { name: `${name}-${copy}` }
          : { namespace: `${namespace}-${copy}` };
      return { ...object, metadata: { ...object.metadata, ...metadata, ...own } };
    }),
  );
  return JSON.stringify({ apiVersion: "v1", kind: "List", items: all.flat() }, undefined, 4);
}

/** Returns the shortest processor time of a few runs, in microseconds. */
async function measureLeastTime(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 4; run++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, user + system);
  }
  return least;
}

describe("a large dump", () => {
  it.each(["explain", "census"])(
    "reading a large dump with %s takes a few times as long as parsing it",
    async (command) => {
      const stdin = new TextEncoder().encode(createDump(10));
      expect(stdin.length).toBeGreaterThan(5e6);
      const parsing = await measureLeastTime(() => JSON.parse(new TextDecoder().decode(stdin)));
      const all = await measureLeastTime(() => runCommand([command, "-f", "-"], { stdin }));
      expect(all / parsing).toBeLessThan(25);
    },
  );

  it("a truncated large dump is rejected at its last line, faster than it could be read", async () => {
    const whole = new TextEncoder().encode(createDump(10));
    const stdin = whole.subarray(0, whole.length / 2);
    const lines = stdin.reduce((count, byte) => (byte === 0x0a ? count + 1 : count), 1);
    const { exitCode, out, error } = await runCommand(["explain", "-f", "-"], { stdin });
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: "" });
    expect(error).toMatch(/^<stdin>:\d+:\d+: truncated: the text ends within a JSON value\n$/);
    expect(error).toContain(`<stdin>:${lines}:`);
    const reading = await measureLeastTime(() =>
      runCommand(["verify", "-f", "-"], { stdin: whole }),
    );
    expect(await measureLeastTime(() => runCommand(["verify", "-f", "-"], { stdin }))).toBeLessThan(
      reading,
    );
  });

  it("explain needs less than three times the memory of the dump", async () => {
    const folder = mkdtempSync(join(tmpdir(), "jobset-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "dump.json");
    writeFileSync(file, createDump(60, { note: "名", managedFields }));
    const { size } = statSync(file);
    expect(size).toBeGreaterThan(50e6);
    const empty = join(folder, "empty.json");
    writeFileSync(empty, createDump(0));
    const least = await measurePeakMemory(["explain", "-f", empty]);
    const peak = await measurePeakMemory(["explain", "-f", file]);
    expect((peak - least) / size).toBeLessThan(3);
  });
});

/** The fields that a kubelet writes. */
const managedFields = ["kubelet", "kube-controller-manager"].map((manager) => ({
  apiVersion: "v1",
  fieldsType: "FieldsV1",
  fieldsV1: {
    "f:status": Object.fromEntries(
      ["Ready", "Initialized", "PodScheduled"].map((type) => [
        `k:{"type":"${type}"}`,
        {
          ".": {},
          "f:lastProbeTime": {},
          "f:lastTransitionTime": {},
          "f:status": {},
          "f:type": {},
        },
      ]),
    ),
  },
  manager,
  operation: "Update",
  time: "2026-02-07T06:56:19Z",
}));

/** Returns the peak memory of a process of the command, in bytes. */
async function measurePeakMemory(args: readonly string[]): Promise<number> {
  const main = fileURLToPath(new URL("main.ts", import.meta.url));
  const loader = new URL("../../../scripts/load-sources.mjs", import.meta.url).href;
  const script = `process.on("exit", () => process._rawDebug(process.resourceUsage().maxRSS))`;
  const child = spawn(
    process.execPath,
    [
      ...["--conditions=@jobset-ts/source", "--import", loader],
      ...["--import", `data:text/javascript,${encodeURIComponent(script)}`, main, ...args],
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  let text = "";
  child.stderr.on("data", (chunk) => {
    text += chunk;
  });
  await once(child, "close");
  return 1024 * Number(/(\d+)\n$/.exec(text)?.[1]);
}
