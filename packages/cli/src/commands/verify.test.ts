import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runCommand, withoutVersionNote } from "../testing.ts";

const jobSet = (name: string, status: object) => ({
  apiVersion: "jobset.x-k8s.io/v1alpha2",
  kind: "JobSet",
  metadata: { name, namespace: `ns-${name}`, uid: name },
  spec: { replicatedJobs: [] },
  status,
});
const stdin = JSON.stringify({
  apiVersion: "v1",
  kind: "List",
  items: [
    jobSet("a", { restarts: 1, restartsCountTowardsMax: 2 }),
    jobSet("b", { restarts: -1 }),
    jobSet("c", { restarts: 2, restartsCountTowardsMax: 2 }),
    { apiVersion: "v1", kind: "Node", metadata: { name: "n" } },
  ],
});

describe("jobset verify", () => {
  it("verify prints each violated invariant with its objects, and exits with 1", async () => {
    expect(await runCommand(["verify", "-f", "-"], { stdin })).toEqual({
      exitCode: 1,
      error: "",
      out: `\
INVARIANT         WHAT                                                               OBJECTS
restarts-add-up   JobSet ns-a/a counts 2 restarts toward its limit but 1 in total    JobSet/ns-a/a
restarts-add-up   JobSet ns-b/b counts 0 restarts toward its limit but -1 in total   JobSet/ns-b/b
restarts-add-up   JobSet ns-b/b has a negative restart count                         JobSet/ns-b/b
`,
    });
  });

  it("verify prints all objects as JSON, and only violations with an object of the namespace", async () => {
    const args = ["verify", "-f", "-", "-o", "json", "-n", "ns-a"];
    const { exitCode, out } = await runCommand(args, { stdin });
    const object = {
      apiVersion: "jobset.x-k8s.io/v1alpha2",
      kind: "JobSet",
      namespace: "ns-a",
      name: "a",
    };
    expect(exitCode).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      items: [{ id: "restarts-add-up", objects: [object] }],
    });
    expect((await runCommand(["verify", "-f", "-", "-n", "ns-c"], { stdin })).exitCode).toBe(0);
  });

  it("verify counts the objects that do not fit into a line", async () => {
    const pods = Array.from({ length: 7 }, (_, index) => ({
      apiVersion: "v1",
      kind: "Pod",
      metadata: {
        name: `p-${index}`,
        namespace: "ml",
        uid: `p-${index}`,
        annotations: { "alpha.jobset.sigs.k8s.io/exclusive-topology": "rack" },
        labels: { "jobset.sigs.k8s.io/job-key": "key" },
        ownerReferences: [
          {
            apiVersion: "batch/v1",
            kind: "Job",
            name: `j-${index}`,
            uid: `j-${index}`,
            controller: true,
          },
        ],
      },
    }));
    const { out } = await runCommand(["verify", "-f", "-"], {
      stdin: JSON.stringify({ apiVersion: "v1", kind: "List", items: [jobSet("c", {}), ...pods] }),
    });
    expect(out).toMatch(/^one-job-per-key .*Pod\/ml\/p-0, .*, and 2 more$/m);
  });

  it("verify finds nothing in an idle cluster", async () => {
    const dump = new URL("../testdata/dumps/s03-full-house.json.gz", import.meta.url);
    const world = { stdin: new Uint8Array(readFileSync(dump)) };
    const { error, ...result } = await runCommand(["verify", "-f", "-"], world);
    expect(result).toEqual({ exitCode: 0, out: "" });
    expect(withoutVersionNote(error)).toBe(
      "jobset: note: the cluster violates no invariant of JobSet\n",
    );
  });
});
