import { describe, expect, it } from "vitest";
import {
  createCluster,
  definitions,
  follower,
  jobSetPath,
  list,
  pending,
  restart,
} from "../live/testing/example-clusters.ts";
import { runLive } from "../live/testing/fake-kubectl.ts";
import { aJobSetFile, aReplicatedJob, runCommand } from "../testing.ts";

describe("jobset admit --live", () => {
  const train = aJobSetFile(`replicatedJobs:\n${aReplicatedJob("w")}`);
  const stored = restart.find(({ kind }) => kind === "JobSet");
  const edited = JSON.stringify({ ...stored, spec: { ...Object(stored).spec, suspend: true } });

  /** The calls that read the version of JobSet. */
  const versionCalls = [
    "get --raw /apis/apps/v1/deployments?limit=5000",
    `get --raw ${definitions}&limit=5000`,
  ];

  it("admit --live reads only what the objects need, in their namespaces", async () => {
    const args = ["admit", "-f", "-", "--live"];
    const jobSet = await runLive([...args, "-n", "ml"], {}, { stdin: train });
    expect(jobSet).toMatchObject({ exitCode: 0, error: "" });
    expect(jobSet.calls).toEqual([
      `get --raw ${jobSetPath}?limit=5000`,
      "get --raw /api/v1/namespaces/ml/persistentvolumeclaims?limit=5000",
      ...versionCalls,
    ]);
    const pod = await runLive(args, createCluster(pending), { stdin: follower });
    expect(pod.calls.toSorted()).toEqual([
      "get --raw /api/v1/namespaces/ml/events?limit=5000",
      "get --raw /api/v1/namespaces/ml/pods?limit=5000",
      "get --raw /api/v1/nodes?limit=5000",
      versionCalls[1],
      versionCalls[0],
    ]);
    const offline = await runCommand(["admit", "-f", "f.yaml", "--cluster", "c.yaml"], {
      files: { "f.yaml": follower, "c.yaml": list(pending) },
    });
    expect({ ...pod, calls: 0 }).toEqual({ ...offline, calls: 0 });
    const every = await runLive([...args, "-A"], {}, { stdin: follower });
    expect(every.calls).toContain("get --raw /api/v1/pods?limit=5000");
  });

  it("admit --live treats an existing JobSet as an update", async () => {
    const args = ["admit", "-f", "-", "--live", "-o", "json"];
    const update = await runLive(args, createCluster(restart), { stdin: edited });
    expect(update).toMatchObject({ exitCode: 0, error: "" });
    expect(JSON.parse(update.out)).toMatchObject({
      items: [{ object: { namespace: "ml", name: "train" }, operation: "UPDATE", allowed: true }],
    });
  });

  it("admit --live detects a changed environment variable without printing it", async () => {
    const args = ["admit", "-f", "-", "--live", "-o", "json"];
    const changed = edited.replaceAll("hunter2", "hunter3").replace('"suspend":true', '"x":0');
    const update = await runLive([...args, "--validate=ignore"], createCluster(restart), {
      stdin: changed,
    });
    expect(update.exitCode).toBe(1);
    expect(update.out).toContain("field is immutable");
    expect(update.out + update.error).not.toMatch(/hunter/);
  });

  it("admit --live sends objects without a namespace to the namespace of kubectl's context", async () => {
    const args = ["admit", "-f", "-", "--live", "--context", "c"];
    const view = "config view --minify -o jsonpath={.contexts[0].context.namespace} --context=c";
    for (const [prints, namespace] of [
      ["ml", "ml"],
      ["", "default"],
    ] as const) {
      const { calls, out } = await runLive(args, { view: { prints } }, { stdin: train });
      expect(calls[0]).toBe(view);
      expect(calls[1]).toBe(
        `get --raw ${jobSetPath.replace("/ml/", `/${namespace}/`)}?limit=5000 --context=c`,
      );
      expect(out).toContain(`JobSet/${namespace}/train`);
    }
    const none = { view: { says: "error: current-context must exist in order to minify\n" } };
    expect(await runLive(args, none, { stdin: train })).toMatchObject({
      exitCode: 2,
      error:
        "jobset: the namespace is unknown; set -n: kubectl config view failed with exit code 1: " +
        "error: current-context must exist in order to minify\n",
    });
  });

  it("admit --live does not read the cluster if a file is invalid", async () => {
    const { calls, exitCode } = await runLive(["admit", "-f", "-", "--live"], {}, { stdin: "[" });
    expect({ calls, exitCode }).toEqual({ calls: [], exitCode: 2 });
  });
});
