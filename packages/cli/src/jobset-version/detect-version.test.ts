import { describe, expect, it } from "vitest";
import { runLive } from "../live/testing/fake-kubectl.ts";
import { aJobSetFile, aReplicatedJob, runCommand } from "../testing.ts";

const deployment = (image: string) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { namespace: "jobset-system", name: "jobset-controller-manager" },
  spec: { template: { spec: { containers: [{ name: "manager", image }] } } },
});
const v10 = deployment("registry.k8s.io/jobset/jobset:v0.10.1");

/** A recreated JobSet, and a failed Job of the deleted JobSet with its name. */
const jobSet = {
  apiVersion: "jobset.x-k8s.io/v1alpha2",
  kind: "JobSet",
  metadata: { namespace: "ml", name: "train", uid: "new" },
  spec: {
    replicatedJobs: [
      {
        name: "w",
        replicas: 1,
        template: {
          spec: { template: { spec: { containers: [{ name: "main", image: "busybox" }] } } },
        },
      },
    ],
  },
};
const job = {
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: {
    namespace: "ml",
    name: "train-w-0",
    uid: "job",
    labels: {
      "jobset.sigs.k8s.io/jobset-name": "train",
      "jobset.sigs.k8s.io/replicatedjob-name": "w",
      "jobset.sigs.k8s.io/restart-attempt": "0",
    },
    ownerReferences: [
      {
        apiVersion: "jobset.x-k8s.io/v1alpha2",
        kind: "JobSet",
        name: "train",
        uid: "old",
        controller: true,
      },
    ],
  },
  spec: { template: { spec: {} } },
  status: {
    conditions: [
      {
        type: "Failed",
        status: "True",
        reason: "BackoffLimitExceeded",
        lastTransitionTime: "1970-01-01T00:00:00Z",
      },
    ],
  },
};

function readDumpWith(args: readonly string[], ...more: readonly object[]) {
  const dump = { apiVersion: "v1", kind: "List", items: [jobSet, job, ...more] };
  return runCommand([...args, "-f", "dump.json"], { files: { "dump.json": JSON.stringify(dump) } });
}

const assumedVersionNote =
  "note: assuming JobSet v0.10.1, because Deployment jobset-system/jobset-controller-manager runs registry.k8s.io/jobset/jobset:v0.10.1";

describe("the version of a dump", () => {
  it("plan reproduces the version of the controller in the dump, and reports it", async () => {
    const release = await readDumpWith(["plan"], v10);
    expect(release.error).toContain(assumedVersionNote);
    expect(release.out).toContain("FailedJobs");
    const main = await readDumpWith(["plan"]);
    expect(main.error).not.toMatch(/assuming/);
    expect(main.out).not.toContain("FailedJobs");
  });

  it("the options override the version of the dump", async () => {
    const { error, out } = await readDumpWith(["plan", "--jobset-version", "v0.12"], v10);
    expect(error).not.toMatch(/assuming/);
    expect(out).not.toContain("FailedJobs");
    const without = await readDumpWith(["plan", "--quirks", "none"], v10);
    expect(without.error).toContain(assumedVersionNote);
    expect(without.out).not.toContain("FailedJobs");
  });

  it("a feature gate that the detected version does not have is ignored with a warning", async () => {
    const args = ["plan", "--feature-gates", "RestartJob=true"];
    expect((await readDumpWith(args, v10)).error).toMatch(
      /warning: JobSet v0\.10\.1 does not have the feature gate RestartJob, so it is ignored/,
    );
  });

  it.each([
    [
      "registry.k8s.io/jobset/jobset:main",
      /assuming JobSet's main branch, because Deployment .*:main/,
    ],
    [
      "registry.k8s.io/jobset/jobset:v0.7.0",
      /main branch, because .*, and JobSet v0\.7\.0 is not supported/,
    ],
  ])("plan behaves like main without defects for the image %s", async (image, message) => {
    const { error, out } = await readDumpWith(["plan"], deployment(image));
    expect(error).toMatch(message);
    expect(out).not.toContain("FailedJobs");
  });

  it("explain counts the Jobs that the version counts", async () => {
    const args = ["explain", "-o", "json"];
    const main = await readDumpWith(args);
    const release = await readDumpWith(args, v10);
    expect(release.error).toContain(assumedVersionNote);
    expect(release.out).toMatch(/BackoffLimitExceeded/);
    expect(main.out).not.toMatch(/BackoffLimitExceeded/);
  });

  it("upgrade starts from the version of the dump", async () => {
    const { out, error, exitCode } = await readDumpWith(["upgrade", "--to", "v0.12"], v10);
    expect(exitCode).toBe(0);
    expect(error).toContain(assumedVersionNote);
    expect(out).toMatch(/^ml\/train +admitted +affected/m);
  });
});

describe("the version of a live cluster", () => {
  const read = (answers: Parameters<typeof runLive>[1], ...args: string[]) =>
    runLive(["plan", "-n", "ml", ...args], {
      "jobsets.jobset.x-k8s.io": { items: [jobSet] },
      "jobs.batch": { items: [job] },
      ...answers,
    });

  it("plan reads the version from the controller's Deployment, once", async () => {
    const { error, out, calls } = await read({ "deployments.apps": { items: [v10] } });
    expect(error).toContain(assumedVersionNote);
    expect(out).toContain("FailedJobs");
    expect(calls.filter((call) => call.includes("deployments"))).toHaveLength(1);
  });

  it("plan behaves like main if the user is not allowed to read the version", async () => {
    const says = "Error from server (Forbidden): deployments.apps is forbidden";
    const { error, out, exitCode } = await read({
      "deployments.apps": { says },
      "customresourcedefinitions.apiextensions.k8s.io": { says },
    });
    expect([exitCode, error]).toEqual([0, ""]);
    expect(out).not.toContain("FailedJobs");
  });

  it("plan with a version does not read the version of the cluster", async () => {
    const { calls } = await read({}, "--jobset-version", "v0.10");
    expect(calls.filter((call) => /deployments|customresource/.test(call))).toEqual([]);
  });
});

it("admit reproduces the version of the cluster's dump", async () => {
  const files = {
    "js.yaml": aJobSetFile(`replicatedJobs:\n${aReplicatedJob("w")}\n  groupName: gpu`),
    "cluster.json": JSON.stringify(deployment("registry.k8s.io/jobset/jobset:v0.8.2")),
  };
  const args = ["admit", "-f", "js.yaml", "--cluster", "cluster.json", "--validate=warn"];
  const { error } = await runCommand(args, { files });
  expect(error).toMatch(/spec\.replicatedJobs\[0\]\.groupName: unknown field, dropped/);
  expect(error).toMatch(/note: assuming JobSet v0\.8\.2/);
});
