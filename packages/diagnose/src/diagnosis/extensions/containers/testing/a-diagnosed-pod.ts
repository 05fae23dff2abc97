import { expect } from "vitest";
import {
  aNodeIn,
  anEvent,
  createJobSet,
  createPod,
  createService,
  diagnoseCluster,
  listJobs,
  type Wire,
} from "../../../testing/a-diagnosed-cluster.ts";

/** When the Pod was created. */
export const created = "2026-02-07T07:00:00Z";
/** Diagnoses happen at 10:00:00. */
export const recently = "2026-02-07T09:59:20Z";

/** Diagnoses a JobSet whose Pod with index 1 has this spec and status. The other Pods run. */
export function diagnosePod({
  status,
  spec = {},
  events = [],
  createdAt = created,
}: {
  readonly status: Wire;
  readonly spec?: Wire;
  readonly events?: readonly (readonly [reason: string, message: string, type?: string])[];
  readonly createdAt?: string;
}) {
  const jobSet = createJobSet();
  const [job] = listJobs(jobSet);
  const pods = [0, 1, 2, 3].map((index) =>
    index === 1
      ? createPod(job, index, {
          spec: { nodeName: "n1", containers: [{ name: "main" }], ...spec },
          status,
          metadata: { creationTimestamp: createdAt },
        })
      : createPod(job, index),
  );
  const about = events.map(([reason, message, type = "Warning"]) => ({
    ...anEvent(pods[1], reason, message, recently),
    type,
  }));
  return diagnoseCluster([jobSet, createService(jobSet), aNodeIn("r1"), job, ...pods, ...about]);
}

/** Returns the status of a Pod whose container waits for a reason. */
export function waiting(reason: string, message = "", more: Wire = {}): Wire {
  return {
    phase: "Pending",
    containerStatuses: [{ name: "main", state: { waiting: { reason, message } }, ...more }],
  };
}

/** Returns the texts of the only root: message, evidence and advice. */
export function onlyRoot({ roots }: ReturnType<typeof diagnosePod>) {
  expect(roots.map(({ id }) => id)).toHaveLength(1);
  const [root] = roots;
  return {
    id: root?.id,
    message: root?.message ?? "",
    evidence: (root?.evidence ?? []).map(({ at, text }) => `${at}: ${text}`),
    advice: (root?.texts?.advice ?? []).join("\n"),
  };
}
