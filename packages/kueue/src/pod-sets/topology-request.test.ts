import { describe, expect, it } from "vitest";
import { resolveKueueFeatureGates } from "../features.ts";
import * as keys from "../keys.ts";
import { topologyRequest } from "./topology-request.ts";

const request = (annotations: Record<string, string>, gates = {}) => {
  const result = topologyRequest(annotations, 2, resolveKueueFeatureGates(gates));
  return result.ok ? result.value : result.refusal.message;
};
const countedPodSet = {
  podIndexLabel: "batch.kubernetes.io/job-completion-index",
  subGroupIndexLabel: "jobset.sigs.k8s.io/job-index",
  subGroupCount: 2,
};

describe("topologyRequest", () => {
  it("topologyRequest describes how Pods are counted even without annotations", () => {
    expect(request({})).toEqual(countedPodSet);
  });

  it("topologyRequest prefers required, then preferred, then unconstrained, and parses only the first", () => {
    const all = {
      [keys.UNCONSTRAINED_TOPOLOGY_KEY]: "maybe",
      [keys.PREFERRED_TOPOLOGY_KEY]: "block",
      [keys.REQUIRED_TOPOLOGY_KEY]: "rack",
    };
    expect(request(all)).toEqual({ ...countedPodSet, required: "rack" });
    const { [keys.REQUIRED_TOPOLOGY_KEY]: _, ...others } = all;
    expect(request(others)).toEqual({ ...countedPodSet, preferred: "block" });
    expect(request({ [keys.UNCONSTRAINED_TOPOLOGY_KEY]: "F" })).toEqual({
      ...countedPodSet,
      unconstrained: false,
    });
  });

  it("topologyRequest sets a group only if a required or preferred level is set", () => {
    const grouped = { [keys.POD_SET_GROUP_KEY]: "g" };
    expect(request(grouped)).toEqual(countedPodSet);
    expect(request({ ...grouped, [keys.REQUIRED_TOPOLOGY_KEY]: "rack" })).toEqual({
      ...countedPodSet,
      required: "rack",
      podSetGroupName: "g",
    });
  });

  it("topologyRequest sets slices only if both level and size are set", () => {
    expect(request({ [keys.SLICE_SIZE_KEY]: "2" })).toEqual(countedPodSet);
    const sliced = { [keys.SLICE_SIZE_KEY]: "+2", [keys.SLICE_REQUIRED_TOPOLOGY_KEY]: "rack" };
    expect(request(sliced)).toEqual({
      ...countedPodSet,
      podSetSliceRequiredTopology: "rack",
      podSetSliceSize: 2,
    });
  });

  it.each([
    ["two", 'strconv.ParseInt: parsing "two": invalid syntax'],
    ["", 'strconv.ParseInt: parsing "": invalid syntax'],
    [" 2", 'strconv.ParseInt: parsing " 2": invalid syntax'],
    ["2147483648", 'strconv.ParseInt: parsing "2147483648": value out of range'],
  ])("topologyRequest rejects the slice size %j", (size, message) => {
    const sliced = { [keys.SLICE_SIZE_KEY]: size, [keys.SLICE_REQUIRED_TOPOLOGY_KEY]: "rack" };
    expect(request(sliced)).toBe(message);
  });

  it("topologyRequest reads slice layers only if their feature gate is on", () => {
    const layers = { [keys.SLICE_CONSTRAINTS_KEY]: '[{"Topology":"rack","SIZE":4},null]' };
    const podsetSliceRequiredTopologyConstraints = [{ topology: "rack", size: 4 }, {}];
    expect(request(layers)).toEqual({ ...countedPodSet, podsetSliceRequiredTopologyConstraints });
    expect(request(layers, { TASMultiLayerTopology: false })).toEqual(countedPodSet);
  });

  it.each([
    ["null", 0],
    ["[]", 0],
    ["[{},{},{},{}]", 4],
  ])("topologyRequest rejects the layers %s", (text, count) => {
    expect(request({ [keys.SLICE_CONSTRAINTS_KEY]: text })).toBe(
      `topology constraints must contain between 1 and 3 entries: got ${count}`,
    );
  });
});
