import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runCommand } from "../testing.ts";

const pod = (name: string, phase: string, nodeName?: string, owner?: string) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    name,
    namespace: "ml",
    ...(owner && { ownerReferences: [{ apiVersion: "batch/v1", kind: "Job", name: owner }] }),
  },
  spec: { nodeName },
  status: { phase },
});
const event = {
  apiVersion: "v1",
  kind: "Event",
  metadata: { name: "b.1", namespace: "ml" },
  involvedObject: { kind: "Pod", namespace: "ml", name: "b" },
  reason: "FailedScheduling",
  message: "0/2 nodes are available: 2 Insufficient cpu.",
  count: 3,
  lastTimestamp: "2026-02-07T06:56:19Z",
};
const objects = [
  pod("a", "Running", "n1"),
  pod("b", "Pending"),
  pod("c", "Pending", undefined, "train-w-0"),
  { ...pod("d", "Running", "n2"), metadata: { name: "d", namespace: "other" } },
];

function createList(items: readonly unknown[]): string {
  return JSON.stringify({ apiVersion: "v1", kind: "List", items });
}

describe("jobset census", () => {
  it("census counts Pods by phase, and reports their nodes and the scheduler's messages", async () => {
    expect(
      await runCommand(["census", "-f", "-"], { stdin: createList([...objects, event]) }),
    ).toEqual({
      exitCode: 0,
      error:
        "jobset: note: 1 pending Pods without a node do not count as unscheduled because Jobs own them; " +
        "use --job-owned=none to count them\n",
      out: `\
TOTAL   RUNNING   PENDING   FAILED   SUCCEEDED   OTHER   UNSCHEDULED
4       2         2         0        0           0       1

NODE     PODS
<none>   2
n1       1
n2       1

UNSCHEDULED
ml/b

NOT SCHEDULED   TIMES   WHY
ml/b            3       0/2 nodes are available: 2 Insufficient cpu.
`,
    });
  });

  it("census counts the Pods of Jobs with an option, and the Pods of one namespace", async () => {
    const args = ["census", "-f", "-", "--job-owned", "none", "-n", "ml", "-o", "json"];
    const { out, error } = await runCommand(args, { stdin: createList([...objects, event]) });
    expect(error).toBe("");
    expect(JSON.parse(out)).toMatchObject({
      items: [
        {
          counts: { total: 3, unscheduled: 2 },
          unscheduled: [
            { namespace: "ml", name: "b" },
            { namespace: "ml", name: "c" },
          ],
          attempts: { attempts: [{ name: "b", count: 3, lastAt: "2026-02-07T06:56:19Z" }] },
        },
      ],
    });
  });

  it("census reports missing information about the scheduler", async () => {
    const run = async (...args: readonly string[]) =>
      (
        await runCommand(["census", "-f", "-", ...args], {
          stdin: createList([pod("b", "Pending")]),
        })
      ).out;
    expect(await run()).toMatch(
      /the scheduler's messages are unknown: objects of kind Event were not read\n$/,
    );
    expect(await run("--requested-kinds", "Pod,Event")).toMatch(
      /the dump contains no scheduling attempt\n$/,
    );
  });

  it("census requires Pods in the dump, but no JobSets", async () => {
    const none = await runCommand(["census", "-f", "-", "--requested-kinds", "Pod"], {
      stdin: createList([]),
    });
    expect(none).toMatchObject({ exitCode: 0, error: "" });
    expect(await runCommand(["census", "-f", "-"], { stdin: createList([]) })).toEqual({
      exitCode: 2,
      out: "",
      error: "jobset: objects of kind Pod were not read\n",
    });
  });

  it("census shows why Pods failed in a dump of a real cluster", async () => {
    const dump = new URL("../testdata/dumps/s14-failing.json.gz", import.meta.url);
    const stdin = new Uint8Array(readFileSync(dump));
    const { exitCode, out } = await runCommand(["census", "-f", "-"], { stdin });
    expect(exitCode).toBe(0);
    expect(out).toMatch(/\nFAILED +REASON +MESSAGE\n/);
  });
});
