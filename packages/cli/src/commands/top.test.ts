import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runCommand, withoutVersionNote } from "../testing.ts";

const dumps = new URL("../testdata/dumps/", import.meta.url);
const packed = new Uint8Array(readFileSync(new URL("s03-full-house.json.gz", dumps)));

describe("jobset top", () => {
  it("top prints the phase of each JobSet and its reason, then the count of each phase", async () => {
    const { error, ...result } = await runCommand(["top", "-f", "-"], { stdin: packed });
    expect(withoutVersionNote(error)).toBe("");
    expect(result).toEqual({
      exitCode: 0,
      out: `\
NAMESPACE   NAME     PHASE     WHY
a           first    Running   4 of 4 Pods are ready
b           second   Stuck     all candidate domains of second-w-0-0-nt828 are held by other jobs of the same priority

PHASE     JOBSETS
Running   1
Stuck     1
`,
    });
  });

  it("top lists JobSets by namespace, then by name", async () => {
    const jobSets = ["b/a", "a/b", "b/0", "a/c"].map((key) => {
      const [namespace = "", name = ""] = key.split("/");
      const metadata = { namespace, name, uid: key };
      return { apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet", metadata, spec: {} };
    });
    const stdin = JSON.stringify({ apiVersion: "v1", kind: "List", items: jobSets });
    const { items } = JSON.parse(
      (await runCommand(["top", "-f", "-", "-o", "json"], { stdin })).out,
    ) as {
      items: { namespace: string; name: string }[];
    };
    expect(items.map(({ namespace, name }) => `${namespace}/${name}`)).toEqual([
      "a/b",
      "a/c",
      "b/0",
      "b/a",
    ]);
  });

  it("top prints the most frequent phase first", async () => {
    const jobSets = ["a", "b", "c"].map((name) => ({
      apiVersion: "jobset.x-k8s.io/v1alpha2",
      kind: "JobSet",
      metadata: { name, namespace: "ml", uid: name },
      spec: { suspend: name !== "a", replicatedJobs: [] },
      status: {
        conditions: [{ type: name === "a" ? "Completed" : "Suspended", status: "True" }],
      },
    }));
    const stdin = JSON.stringify({ apiVersion: "v1", kind: "List", items: jobSets });
    const { out } = await runCommand(["top", "-f", "-"], { stdin });
    expect(out).toMatch(/\nPHASE +JOBSETS\nSuspended +2\nCompleted +1\n$/);
  });

  it("top prints more fields as JSON, for the named JobSets", async () => {
    const args = ["top", "-f", "-", "-o", "json", "b/second"];
    const { items } = JSON.parse((await runCommand(args, { stdin: packed })).out) as {
      items: unknown[];
    };
    expect(items).toMatchObject([
      {
        namespace: "b",
        name: "second",
        phase: "Stuck",
        status: "Stuck",
        roots: ["domain-occupied"],
      },
    ]);
    expect(items[0]).toMatchObject({ restarts: 0, numbers: { active: 1 } });
  });

  it("top prints since when a JobSet has its phase, and no reason that repeats the phase", async () => {
    const lastTransitionTime = "2026-02-07T10:00:00Z";
    const jobSet = {
      apiVersion: "jobset.x-k8s.io/v1alpha2",
      kind: "JobSet",
      metadata: { name: "a", namespace: "ml", uid: "a" },
      spec: { replicatedJobs: [] },
      status: { conditions: [{ type: "Completed", status: "True", lastTransitionTime }] },
    };
    const stdin = JSON.stringify(jobSet);
    const { out } = await runCommand(["top", "-f", "-", "-o", "json"], { stdin, now: Date.now() });
    const [item] = (JSON.parse(out) as { items: readonly object[] }).items;
    const reason = "all required Jobs have succeeded";
    expect(item).toMatchObject({ phase: "Completed", reason, since: lastTransitionTime });
    expect(item).not.toHaveProperty("text");
  });

  it("top prints a note for a dump without JobSets", async () => {
    const stdin = '{"apiVersion": "v1", "kind": "List", "items": []}';
    expect(await runCommand(["top", "-f", "-"], { stdin })).toEqual({
      exitCode: 2,
      out: "",
      error: "<stdin>: no JobSet found\n",
    });
  });
});
