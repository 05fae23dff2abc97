import { type EpochMillis, parseTime } from "@jobset-ts/api";
import { findCondition, getUid, type Job, namespacedName } from "@jobset-ts/api/kubernetes";
import { JOB_COMPLETE, JOB_FAILED } from "./api-server/job/batch-constants.ts";
import type { Component } from "./kernel/component.ts";

/** The built-in controller that deletes finished Jobs after their TTL. */
export const ttlAfterFinished: Component<undefined> = {
  name: "ttl-after-finished",
  memory: undefined,
  watches: ["Job"],
  observe: ({ after }, process) => {
    const job = after as unknown as Job | undefined;
    const due = job && computeExpiry(job);
    if (due !== undefined) process.wake(namespacedName(job as Job), due - process.clock);
  },
  act: (key, process) => {
    const [namespace = "", name = ""] = key.split("/");
    const job = process.objects.get<Job>("Job", namespace, name);
    const due = job && computeExpiry(job);
    if (job === undefined || due === undefined) return;
    if (due > process.clock) {
      process.wake(key, due - process.clock);
      return;
    }
    const { resourceVersion = "" } = job.metadata;
    process.request({
      verb: "delete",
      object: { kind: "Job", metadata: job.metadata },
      propagationPolicy: "Foreground",
      preconditions: { uid: getUid(job), resourceVersion },
    });
  },
};

/** Returns when a Job expires. `undefined` if it does not, or if the time is unknown. */
function computeExpiry({ metadata, spec, status }: Job): EpochMillis | undefined {
  if (metadata.deletionTimestamp !== undefined) return undefined;
  const end = [JOB_COMPLETE, JOB_FAILED]
    .map((type) => findCondition(status?.conditions, type))
    .find((condition) => condition?.status === "True");
  const endedAt = parseTime(end?.lastTransitionTime);
  if (endedAt === undefined || spec.ttlSecondsAfterFinished === undefined) return undefined;
  return endedAt + spec.ttlSecondsAfterFinished * 1000;
}
