import { describe, expect, it } from "vitest";
import { readYamlDocuments } from "../input/yaml-documents.ts";
import { aJobSetFile, aReplicatedJob, runCommand } from "../testing.ts";

const train = aJobSetFile(
  `network:
  subdomain: mesh
volumeClaimPolicies:
- templates:
  - metadata:
      name: data
    spec:
      accessModes: [ReadWriteOnce]
      resources:
        requests:
          storage: 1Gi
replicatedJobs:
${aReplicatedJob("leader")}
            volumeMounts:
            - name: data
              mountPath: /data
${aReplicatedJob("workers", 2)}`,
);

async function runRender(
  args: readonly string[],
  files: Record<string, string> = { "train.yaml": train },
) {
  const named = Object.keys(files).flatMap((file) => ["-f", file]);
  return runCommand(["render", ...named, ...args], { files });
}

/** Returns the objects that `render` prints as YAML. */
async function listObjects(args: readonly string[], files?: Record<string, string>) {
  const { out } = await runRender(args, files);
  return readYamlDocuments(out).map(
    ({ value }) => value as { kind: string; metadata: Record<string, unknown> },
  );
}

describe("jobset render", () => {
  it("render prints the Service, PersistentVolumeClaims and Jobs in creation order", async () => {
    expect(await runRender(["-o", "name"])).toEqual({
      exitCode: 0,
      out: `service/mesh
persistentvolumeclaim/data-train
job.batch/train-leader-0
job.batch/train-workers-0
job.batch/train-workers-1
`,
      error: "",
    });
  });

  it("render prints a table with -o table", async () => {
    expect((await runRender(["-o", "table"])).out).toBe(
      `KIND                    NAME              REPLICATEDJOB   INDEX    PODS     SUSPEND
Service                 mesh              <none>          <none>   <none>   <none>
PersistentVolumeClaim   data-train        <none>          <none>   <none>   <none>
Job                     train-leader-0    leader          0        2        false
Job                     train-workers-0   workers         0        2        false
Job                     train-workers-1   workers         1        2        false
`,
    );
  });

  it("render prints the same objects as YAML and as a JSON list", async () => {
    const { out } = await runRender(["-o", "json"]);
    const list = JSON.parse(out) as { kind: string; items: unknown[] };
    expect(list).toMatchObject({ apiVersion: "v1", kind: "List" });
    expect(list.items).toEqual(await listObjects([]));
    expect(list.items).toHaveLength(5);
  });

  it("render prints the same output each time", async () => {
    expect(await runRender([])).toEqual(await runRender([]));
  });

  it("render sets the owner's UID and the namespace from the command line", async () => {
    const objects = await listObjects(["--uid", "1-2-3", "-n", "team"]);
    for (const { metadata } of objects) {
      expect(metadata.namespace).toBe("team");
      expect(metadata.ownerReferences).toMatchObject([{ uid: "1-2-3", name: "train" }]);
    }
  });

  it("render without a UID omits the fields that contain it, and prints a comment", async () => {
    const { out } = await runRender([]);
    expect(out).toMatch(/^# The JobSet has no UID yet, .*\n# .*\napiVersion: v1\n/);
    for (const format of ["yaml", "json"]) {
      const objects = (await runRender(["-o", format])).out.replaceAll(/^#.*\n/gm, "");
      expect(objects).not.toMatch(/uid|owner|0000-0000/i);
    }
    const real = await runRender(["--uid", "1-2-3"]);
    expect(real.out).not.toContain("#");
    // The UID occurs once in the Service and in the claim, and five times in each of three Jobs.
    expect(real.out.match(/1-2-3/g)).toHaveLength(2 + 3 * 5);
  });

  it("render prints the UID of each JobSet that has one", async () => {
    const live = train.replace("  name: train", "  name: live\n  uid: 7-8-9");
    const { out } = await runRender([], { "live.yaml": live });
    expect(out).not.toContain("#");
    expect(out.match(/7-8-9/g)).toHaveLength(2 + 3 * 5);
    const both = await runRender([], { "live.yaml": live, "train.yaml": train });
    expect(both.out).toMatch(/^# The JobSet has no UID /);
    expect(both.out.match(/7-8-9/g)).toHaveLength(2 + 3 * 5);
    expect(both.out).not.toContain("0000-0000");
  });

  it("render admits a JobSet first, as a cluster would", async () => {
    const job = (await listObjects([])).at(-1);
    expect(job).toMatchObject({
      metadata: { labels: { "jobset.sigs.k8s.io/group-name": "default" } },
      spec: { completionMode: "Indexed", template: { spec: { restartPolicy: "OnFailure" } } },
    });
  });

  it("render ignores the status of a JobSet from a cluster", async () => {
    const live = `${train}status:\n  restarts: 3\n`;
    const [, , job] = await listObjects([], { "live.yaml": live });
    expect(job).toMatchObject({
      metadata: { labels: { "jobset.sigs.k8s.io/restart-attempt": "0" } },
    });
  });

  it("render applies feature gates", async () => {
    const key = "jobset.sigs.k8s.io/job-restart-attempt";
    const readRenderedLabels = async (args: readonly string[]) =>
      (await listObjects(args)).at(-1)?.metadata.labels;
    expect(await readRenderedLabels([])).not.toHaveProperty([key]);
    expect(await readRenderedLabels(["--feature-gates", "RestartJob=true"])).toHaveProperty(
      [key],
      "0",
    );
  });

  it("render notes the name that it generates for generateName", async () => {
    const generated = train.replace("name: train", "generateName: train-");
    const { exitCode, out, error } = await runRender(["-o", "name"], { "train.yaml": generated });
    expect(exitCode).toBe(0);
    expect(out).toContain("job.batch/train-xxxxx-leader-0\n");
    expect(error).toBe(
      "train.yaml:4:3: note: metadata.generateName: the server appends five random characters " +
        'to this name; shown as "train-xxxxx"\n',
    );
  });

  it("render prints all JobSets of all files, and ignores other objects", async () => {
    const other = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n";
    const second = train.replace("name: train", "name: second");
    const { out } = await runRender(["-o", "name"], {
      "both.yaml": `${other}---\n${train}`,
      "second.yaml": second,
    });
    expect(out.match(/leader/g)).toHaveLength(2);
    expect(out).toMatch(
      /job\.batch\/train-workers-1\nservice\/mesh\n[\s\S]*job\.batch\/second-leader-0/,
    );
  });

  it("render reads standard input", async () => {
    const { out } = await runCommand(["render", "-f", "-", "-o", "name"], { stdin: train });
    expect(out).toMatch(/^service\/mesh\n/);
  });

  it("render prints nothing if one of the JobSets is denied", async () => {
    const { exitCode, out, error } = await runRender([], {
      "train.yaml": train,
      "bad.yaml": aJobSetFile("suspend: true\nttlSecondsAfterFinished: -1"),
    });
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: "" });
    expect(error).toMatch(/^bad\.yaml:7:3: spec\.ttlSecondsAfterFinished: /);
  });

  it("render rejects a JobSet with too many Jobs at the ReplicatedJob that exceeds the limit", async () => {
    const huge = aJobSetFile(
      `replicatedJobs:\n${aReplicatedJob("a", 150_000)}\n${aReplicatedJob("b", 100_000)}`,
    );
    expect(await runRender([], { "huge.yaml": huge })).toEqual({
      exitCode: 1,
      out: "",
      error:
        "huge.yaml:19:5: spec.replicatedJobs[1].replicas: Invalid value: the JobSet requests 250,000 Jobs; " +
        "at most 200,000 are rendered\n",
    });
  });
});
