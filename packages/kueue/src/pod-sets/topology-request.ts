import { JOB_COMPLETION_INDEX_KEY, JOB_INDEX_KEY } from "@jobset-ts/api/keys";
import { asInteger } from "@jobset-ts/api/kubernetes";
import type { KueueFeatureGates } from "../features.ts";
import {
  POD_SET_GROUP_KEY,
  PREFERRED_TOPOLOGY_KEY,
  REQUIRED_TOPOLOGY_KEY,
  SLICE_CONSTRAINTS_KEY,
  SLICE_REQUIRED_TOPOLOGY_KEY,
  SLICE_SIZE_KEY,
  UNCONSTRAINED_TOPOLOGY_KEY,
} from "../keys.ts";
import { failResult, type KueueResult } from "../objects/kueue-error.ts";
import { getString } from "../objects/members.ts";
import type { PodSetTopologyRequest } from "../objects/workload.ts";
import { type GoParseResult, parseBool, parseInt32 } from "./go-numbers.ts";
import { parseSliceConstraints } from "./slice-constraints.ts";

/** The maximum number of slice layers. */
const MAX_LAYERS = 3;

type Annotations = Readonly<Record<string, string | undefined>> | null | undefined;

/**
 * Returns the topology request in the annotations of a Pod template.
 *
 * Only the first of required, preferred and unconstrained counts. The others are not parsed. Without annotations the
 * request still describes how the Pods are counted.
 *
 * @param replicas - the number of child Jobs
 * @example
 * const annotations = { "kueue.x-k8s.io/podset-unconstrained-topology": "maybe" };
 * const request = topologyRequest(annotations, 2, resolveKueueFeatureGates());
 * request.ok ? "" : request.refusal.message // => 'strconv.ParseBool: parsing "maybe": invalid syntax'
 */
export function topologyRequest(
  annotations: Annotations,
  replicas: number,
  features: KueueFeatureGates,
): KueueResult<PodSetTopologyRequest> {
  const primary = primaryLevel(annotations);
  if (!primary.ok) return failResult("InvalidTopology", primary.message);
  const slices = sliceRequest(annotations, features);
  if (!slices.ok) return failResult("InvalidTopology", slices.message);
  const group = getString(annotations, POD_SET_GROUP_KEY);
  const { required, preferred } = primary.value;
  const isGrouped = required !== undefined || preferred !== undefined;
  return {
    ok: true,
    value: {
      ...primary.value,
      podIndexLabel: JOB_COMPLETION_INDEX_KEY,
      subGroupIndexLabel: JOB_INDEX_KEY,
      subGroupCount: asInteger(replicas, 1),
      ...(isGrouped && group !== undefined && { podSetGroupName: group }),
      ...slices.value,
    },
  };
}

function primaryLevel(annotations: Annotations): GoParseResult<PodSetTopologyRequest> {
  const required = getString(annotations, REQUIRED_TOPOLOGY_KEY);
  if (required !== undefined) return { ok: true, value: { required } };
  const preferred = getString(annotations, PREFERRED_TOPOLOGY_KEY);
  if (preferred !== undefined) return { ok: true, value: { preferred } };
  const unconstrained = getString(annotations, UNCONSTRAINED_TOPOLOGY_KEY);
  if (unconstrained === undefined) return { ok: true, value: {} };
  const parsed = parseBool(unconstrained);
  return parsed.ok ? { ok: true, value: { unconstrained: parsed.value } } : parsed;
}

function sliceRequest(
  annotations: Annotations,
  features: KueueFeatureGates,
): GoParseResult<PodSetTopologyRequest> {
  const layers = getString(annotations, SLICE_CONSTRAINTS_KEY);
  if (layers !== undefined && features.has("TASMultiLayerTopology")) return layeredSlices(layers);
  const level = getString(annotations, SLICE_REQUIRED_TOPOLOGY_KEY);
  const sizeText = getString(annotations, SLICE_SIZE_KEY);
  if (level === undefined || sizeText === undefined) return { ok: true, value: {} };
  const size = parseInt32(sizeText);
  if (!size.ok) return size;
  return {
    ok: true,
    value: { podSetSliceRequiredTopology: level, podSetSliceSize: size.value },
  };
}

function layeredSlices(text: string): GoParseResult<PodSetTopologyRequest> {
  const parsed = parseSliceConstraints(text);
  if (!parsed.ok) {
    const message = `failed to parse multi-layer topology constraints annotation: ${parsed.message}`;
    return { ok: false, message };
  }
  const count = parsed.value.length;
  if (count < 1 || count > MAX_LAYERS) {
    const message = `topology constraints must contain between 1 and ${MAX_LAYERS} entries: got ${count}`;
    return { ok: false, message };
  }
  return { ok: true, value: { podsetSliceRequiredTopologyConstraints: [...parsed.value] } };
}
