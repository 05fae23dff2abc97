import type { JobSpec } from "@jobset-ts/api/kubernetes";
import { expect } from "vitest";
import { JobCluster } from "./job-cluster.ts";

/** The spec of an Indexed Job with three Pods. */
export const indexed = { completionMode: "Indexed", completions: 3, parallelism: 3 } as const;

/** Returns the error for a new Job. */
export function createError(spec: object, name = "j", podSpec: object = {}): string | undefined {
  const reply = new JobCluster().create(spec as Partial<JobSpec>, name, podSpec);
  return reply.ok ? undefined : reply.message;
}

/** Returns the error for an update of an existing Job. */
export function updateError(
  spec: object,
  members: object,
  subresource?: "status",
): string | undefined {
  const cluster = new JobCluster();
  expect(cluster.create(spec as Partial<JobSpec>)).toMatchObject({ ok: true });
  cluster.run(3);
  const reply = cluster.patch(members, "j", subresource);
  return reply.ok ? undefined : reply.message;
}

/** Returns the message of the API server about an invalid Job `j`. */
export const invalid = (text: string) => `Job.batch "j" is invalid: ${text}`;
