import { describe, expect, it } from "vitest";
import {
  aNodeIn,
  anEvent,
  createJobSet,
  createPod,
  createService,
  diagnoseCluster,
  listJobs,
  rootIds,
  type Wire,
} from "../../testing/a-diagnosed-cluster.ts";

/** Creates a JobSet whose current attempt began at 9:58:20, 100 s before the diagnosis. */
function clusterWith({
  restarts = 5,
  createdAt = "2026-02-07T09:48:20Z",
  jobStatus = {},
  podStatus = { phase: "Pending" },
  events = [],
}: {
  readonly restarts?: number;
  readonly createdAt?: string;
  readonly jobStatus?: Wire;
  readonly podStatus?: Wire;
  readonly events?: readonly string[];
} = {}): Wire[] {
  const jobSet = createJobSet({
    replicatedJobs: [{ name: "w", pods: 1 }],
    createdAt,
    status: { restarts },
    spec: { failurePolicy: { maxRestarts: 100 } },
  });
  const creationTimestamp = "2026-02-07T09:58:20Z";
  const [job] = listJobs(jobSet, (one) => ({ ...one, status: jobStatus }));
  job.metadata.creationTimestamp = creationTimestamp;
  const pod = createPod(job, 0, { status: podStatus });
  const about = events.map((message) =>
    anEvent(jobSet, "RestartJobSetFailurePolicyAction", message),
  );
  return [jobSet, createService(jobSet), aNodeIn("r1"), job, pod, ...about];
}

describe("a JobSet that restarts again and again", () => {
  it("is stuck, and the start of its Pods is a symptom", () => {
    const events = ["applying RestartJobSet failure policy action (first failed job: js-w-0)"];
    const { status, roots, symptoms } = diagnoseCluster(clusterWith({ events }));
    expect({ status, texts: roots.map(({ message }) => message) }).toEqual({
      status: "Stuck",
      texts: [
        "the JobSet has restarted 5 times, every 120 s on average: applying RestartJobSet failure policy action (first failed job: js-w-0)",
      ],
    });
    expect(symptoms.map(({ id }) => id)).toEqual(["pod-starting"]);
  });

  it("is stuck without Events", () => {
    const { roots } = diagnoseCluster(clusterWith());
    expect(roots.map(({ message }) => message)).toEqual([
      "the JobSet has restarted 5 times, every 120 s on average",
    ]);
  });

  it.each<[string, Wire]>([
    ["it restarted four times", { restarts: 4 }],
    ["its attempts take five minutes", { createdAt: "2026-02-07T09:33:20Z" }],
    ["the current attempt takes longer", { createdAt: "2026-02-07T09:50:00Z" }],
    ["its creation time is unknown", { createdAt: "soon" }],
  ])("is not reported if %s", (_, parts) => {
    expect(rootIds(diagnoseCluster(clusterWith(parts)))).toEqual(["pod-starting"]);
  });

  it("is explained by the failure of the current attempt", () => {
    const terminated = { exitCode: 1, reason: "Error", finishedAt: "2026-02-07T09:59:00Z" };
    const containerStatuses = [{ name: "main", state: { terminated } }];
    const failed = clusterWith({ podStatus: { phase: "Failed", containerStatuses } });
    expect(rootIds(diagnoseCluster(failed))).toEqual(["pod-failed"]);
    const gone = diagnoseCluster(clusterWith({ jobStatus: { failed: 1 } }));
    expect(rootIds(gone)).not.toContain("restart-loop");
  });
});
