import { garbageCollector } from "../garbage-collector.ts";
import { jobController } from "../job-controller/job-controller.ts";
import type { Component } from "../kernel/component.ts";
import { schedulerOf } from "../scheduler/scheduler.ts";
import { ttlAfterFinished } from "../ttl-after-finished.ts";
import type { Scenario } from "./scenario.ts";
import { stubKubelet } from "./stub-kubelet.ts";

/** What every cluster has beside JobSet's manager. */
export function builtInComponents(_scenario: Scenario): readonly Component[] {
  return [
    garbageCollector,
    jobController,
    ttlAfterFinished,
    schedulerOf({}),
    stubKubelet,
  ] as unknown as readonly Component[];
}
