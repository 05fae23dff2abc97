import { describe, expect, it } from "vitest";
import {
  aNodeIn,
  createJobSet,
  createPod,
  createService,
  diagnoseCluster,
  listJobs,
  rootIds,
  type Wire,
} from "../../testing/a-diagnosed-cluster.ts";

/** The status of a Pod whose container ends again and again. */
function crashing(reason: string, message: string): Wire {
  const terminated = { exitCode: 1, reason, message };
  const state = { waiting: { reason: "CrashLoopBackOff" } };
  const containerStatuses = [{ name: "main", restartCount: 5, state, lastState: { terminated } }];
  return { phase: "Running", containerStatuses };
}

/** Diagnoses a JobSet with a head and two workers, whose containers end with these messages. */
function diagnoseEnds(head: Wire, worker: Wire, spec: Wire = {}) {
  const replicatedJobs = [
    { name: "head", pods: 1 },
    { name: "w", pods: 2 },
  ];
  const jobSet = createJobSet({ replicatedJobs, spec });
  const [first, second] = listJobs(jobSet);
  const pods = [createPod(first, 0, { status: head })].concat(
    [0, 1].map((index) => createPod(second, index, { status: worker })),
  );
  return diagnoseCluster([jobSet, createService(jobSet), aNodeIn("r1"), first, second, ...pods]);
}

const outOfMemory = crashing("OOMKilled", "");
const refused = crashing("Error", "cannot connect to js-head-0-0.js:6379: connection refused");

describe("a container that ends because of another Pod", () => {
  it("the other Pod is the root if the termination message names its hostname", () => {
    const { roots, symptoms } = diagnoseEnds(outOfMemory, refused);
    expect(roots.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^js-head-0-0-abcde: .*OOMKilled/),
    ]);
    expect(symptoms.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^js-w-0-0-abcde: .*connection refused/),
    );
  });

  it("the coordinator is the root if the others give no reason", () => {
    const spec = { coordinator: { replicatedJob: "head" } };
    const silent = crashing("Error", "");
    expect(diagnoseEnds(outOfMemory, silent, spec).roots).toHaveLength(1);
    expect(diagnoseEnds(outOfMemory, silent).roots).toHaveLength(2);
  });

  it("another reason, or a Pod that is ready, leaves it a root", () => {
    expect(diagnoseEnds(outOfMemory, crashing("Error", "bad input")).roots).toHaveLength(2);
    const ready = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] };
    expect(diagnoseEnds(ready, refused).roots[0]?.message).toMatch(/^js-w-0-0-abcde: /);
  });

  it("Pods that name each other are both roots", () => {
    const head = crashing("Error", "cannot connect to js-w-0-0.js:6379: connection refused");
    expect(rootIds(diagnoseEnds(head, refused))).toEqual(["pod-waiting", "pod-waiting"]);
  });
});
