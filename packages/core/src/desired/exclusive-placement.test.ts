import { resolveFeatureGates } from "@jobset-ts/api";
import {
  EXCLUSIVE_TOPOLOGY_KEY as E,
  NAMESPACED_JOB_KEY,
  NODE_SELECTOR_STRATEGY_KEY as S,
} from "@jobset-ts/api/keys";
import { aJobSet, aReplicatedJob } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { desiredJobs } from "./desired-jobs.ts";
import { placementAnnotations, usesNodeSelectorStrategy } from "./exclusive-placement.ts";

/** The two annotations of a Job and its Pods, and whether a node selector places the Job. */
function placeJob(jobSetLevel: Record<string, string>, jobLevel: Record<string, string>) {
  const { template } = aReplicatedJob("workers");
  const jobSet = aJobSet("train")
    .withAnnotations(jobSetLevel)
    .withReplicatedJob("workers", {
      template: { metadata: { annotations: jobLevel }, spec: template.spec },
    });
  const [job] = desiredJobs(jobSet, { features: resolveFeatureGates({}) });
  const pod = job?.spec.template;
  return {
    job: getPlacement(job?.metadata.annotations),
    pod: getPlacement(pod?.metadata?.annotations),
    byNodeSelector: pod?.spec?.nodeSelector?.[NAMESPACED_JOB_KEY] !== undefined,
  };
}

function getPlacement(annotations: Readonly<Record<string, string>> = {}) {
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => key === E || key === S));
}

describe("exclusive placement", () => {
  const e = { [E]: "rack" };
  const s = { [S]: "" };
  const other = { [E]: "zone" };

  it.each([
    { jobSet: {}, template: {}, job: {}, pod: {}, byNodeSelector: false },
    { jobSet: e, template: {}, job: e, pod: e, byNodeSelector: false },
    {
      jobSet: { ...e, ...s },
      template: {},
      job: { ...e, ...s },
      pod: { ...e, ...s },
      byNodeSelector: true,
    },
    { jobSet: {}, template: e, job: e, pod: e, byNodeSelector: false },
    {
      jobSet: {},
      template: { ...e, ...s },
      job: { ...e, ...s },
      pod: { ...e, ...s },
      byNodeSelector: true,
    },
    { jobSet: s, template: {}, job: {}, pod: {}, byNodeSelector: false },
    { jobSet: s, template: s, job: s, pod: {}, byNodeSelector: false },
    { jobSet: s, template: e, job: e, pod: e, byNodeSelector: false },
    {
      jobSet: { ...e, ...s },
      template: other,
      job: { ...other, ...s },
      pod: { ...other, ...s },
      byNodeSelector: true,
    },
    // The Job has both annotations, although its Pods do not.
    { jobSet: e, template: s, job: { ...e, ...s }, pod: e, byNodeSelector: true },
    { jobSet: {}, template: s, job: s, pod: {}, byNodeSelector: false },
  ])(
    "exclusive placement of JobSet $jobSet and Job template $template",
    ({ jobSet, template, ...expected }) => {
      expect(placeJob(jobSet, template)).toEqual(expected);
    },
  );

  it("exclusive placement of a template that requests it applies to the Pods, not to the Job", () => {
    const { template } = aReplicatedJob("workers");
    const podTemplate = { ...template.spec.template, metadata: { annotations: e } };
    const jobSet = aJobSet("train").withReplicatedJob("workers", {
      template: { spec: { ...template.spec, template: podTemplate } },
    });
    const [job] = desiredJobs(jobSet, { features: resolveFeatureGates({}) });
    expect(getPlacement(job?.metadata.annotations)).toEqual({});
    expect(getPlacement(job?.spec.template.metadata?.annotations)).toEqual(e);
  });

  it("the strategy of the Job template takes precedence over that of the JobSet", () => {
    const jobSet = aJobSet("train").withAnnotations({ [E]: "rack", [S]: "jobset" });
    const replicatedJob = {
      template: { metadata: { annotations: { [E]: "zone", [S]: "template" } } },
    };
    expect(placementAnnotations(jobSet, replicatedJob)).toEqual({ [E]: "zone", [S]: "template" });
  });

  it("exclusive placement ignores annotations that are not strings", () => {
    const jobSet = aJobSet("train").withAnnotations({ [E]: 5 as never, [S]: "" });
    expect(placementAnnotations(jobSet, { template: null as never })).toEqual({});
  });
});

describe("usesNodeSelectorStrategy", () => {
  it("usesNodeSelectorStrategy requires both annotations, with any values", () => {
    expect(usesNodeSelectorStrategy({ [E]: "", [S]: "" })).toBe(true);
    expect(usesNodeSelectorStrategy({ [E]: "rack" })).toBe(false);
    expect(usesNodeSelectorStrategy({ [S]: "true" })).toBe(false);
  });
});
