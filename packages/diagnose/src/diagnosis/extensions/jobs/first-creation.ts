import { parseTime } from "@jobset-ts/api";
import type { JobSetView } from "../../view/jobset-view.ts";
import { memoizeByObject } from "../../view/memoize.ts";

/** Returns when the first Job of the current attempt was created. Infinity if unknown. */
export const firstCreationOf = /* @__PURE__ */ memoizeByObject(({ replicatedJobs }: JobSetView) =>
  replicatedJobs
    .flatMap(({ jobs }) => jobs)
    .reduce(
      (first, { job }) =>
        Math.min(first, parseTime(job?.metadata?.creationTimestamp) ?? Number.POSITIVE_INFINITY),
      Number.POSITIVE_INFINITY,
    ),
);
