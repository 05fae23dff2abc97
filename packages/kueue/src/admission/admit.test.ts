import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { describe, expect, it } from "vitest";
import { resolveKueueFeatureGates } from "../features.ts";
import { restorePodSetsInfo, runWithPodSetsInfo } from "./admit.ts";
import { stopJob } from "./stop.ts";

const features = resolveKueueFeatureGates();
const jobSetWith = (template: object, spec: object = { suspend: true }): Unvalidated<JobSet> => ({
  spec: { ...spec, replicatedJobs: [{ name: "W", template: { spec: { template } } }] },
});

describe("runWithPodSetsInfo", () => {
  it("runWithPodSetsInfo fails permanently if a template contradicts the admission", () => {
    const jobSet = jobSetWith({ spec: { nodeSelector: { provisioning: "spot" } } });
    const infos = [{ name: "w", count: 1, nodeSelector: { provisioning: "on-demand" } }];
    expect(runWithPodSetsInfo(jobSet, infos, features)).toEqual({
      ok: false,
      refusal: {
        reason: "Conflict",
        message:
          "invalid admission check PodSetUpdate: conflict for nodeSelector: conflict for key=provisioning, value1=spot, value2=on-demand",
        isPermanent: true,
      },
    });
  });

  it("runWithPodSetsInfo compares the number of infos but not their names", () => {
    const jobSet = jobSetWith({});
    expect(runWithPodSetsInfo(jobSet, [{ name: "another", count: 9 }], features).ok).toBe(true);
    expect(runWithPodSetsInfo(jobSet, [], features)).toMatchObject({
      refusal: { message: "invalid podset infos: expecting 1 podset, got 0", isPermanent: true },
    });
  });

  it("runWithPodSetsInfo drops a toleration that differs only in its seconds", () => {
    const tolerations = [{ key: "a", effect: "NoExecute" as const, tolerationSeconds: 5 }];
    const jobSet = jobSetWith({ spec: { tolerations } });
    const [toleration] = tolerations;
    const second = { ...toleration, operator: "Equal" as const, tolerationSeconds: 9 };
    const admitted = runWithPodSetsInfo(
      jobSet,
      [{ name: "w", count: 1, tolerations: [second] }],
      features,
    );
    expect(admitted).toEqual({
      ok: true,
      value: jobSetWith({ spec: { tolerations } }, { suspend: false }),
    });
  });

  it("runWithPodSetsInfo lets a Workload slice override another slice if the feature gate is on", () => {
    const own = {
      "kueue.x-k8s.io/workload": "w1",
      "kueue.x-k8s.io/workload-slice-name": "s1",
    };
    const annotations = { ...own, "kueue.x-k8s.io/workload": "w2" };
    const jobSet = jobSetWith({ metadata: { annotations: own } });
    const infos = [{ name: "w", count: 1, annotations }];
    const value = jobSetWith({ metadata: { annotations }, spec: {} }, { suspend: false });
    expect(runWithPodSetsInfo(jobSet, infos, features)).toEqual({ ok: true, value });
    const off = resolveKueueFeatureGates({ ElasticJobsViaWorkloadSlices: false });
    expect(runWithPodSetsInfo(jobSet, infos, off).ok).toBe(false);
  });
});

describe("restorePodSetsInfo", () => {
  it("restorePodSetsInfo replaces the admitted directives and drops empty members", () => {
    const admitted = jobSetWith({
      metadata: { labels: { a: "1" } },
      spec: { nodeSelector: { b: "2" }, containers: [] },
    });
    expect(restorePodSetsInfo(admitted, [{ name: "w", count: 1 }])).toEqual({
      jobSet: jobSetWith({ spec: { containers: [] } }),
      changed: true,
    });
  });

  it("restorePodSetsInfo changes nothing if the number of Pod sets differs", () => {
    const jobSet = jobSetWith({ metadata: { labels: { a: "1" } } });
    expect(restorePodSetsInfo(jobSet, []).jobSet).toBe(jobSet);
    expect(restorePodSetsInfo(jobSet, undefined).jobSet).toBe(jobSet);
  });
});

describe("stopJob", () => {
  it("stopJob suspends a running JobSet even if nothing can be restored", () => {
    const jobSet = jobSetWith({}, { suspend: false });
    const stopped = stopJob(jobSet, { spec: { podSets: [] } }, "why");
    expect(stopped).toEqual({ action: "Stop", jobSet: jobSetWith({}), message: "why" });
  });

  it("stopJob leaves a suspended JobSet and its templates unchanged", () => {
    const jobSet = jobSetWith({ metadata: { labels: { a: "1" } } });
    const podSets = [{ name: "w", count: 1, template: {} }];
    expect(stopJob(jobSet, { spec: { podSets } }, "why")).toEqual({ action: "None", jobSet });
  });

  it("stopJob truncates a message that is too long for an Event and keeps a percent sign", () => {
    const running = jobSetWith({}, { suspend: false });
    const stopped = stopJob(running, undefined, `100%d${"é".repeat(600)}`);
    const message = stopped.action === "Stop" ? stopped.message : "";
    expect(message).toBe(`100%d${"é".repeat(507)} ...`);
  });
});
