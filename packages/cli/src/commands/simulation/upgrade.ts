import type { SimulationOptions } from "@jobset-ts/sim";
import {
  type Behavior,
  type BehaviorOptions,
  resolveBehavior,
} from "../../jobset-version/behavior.ts";
import type { JobSetVersion } from "../../jobset-version/jobset-version.ts";

/** An upgrade of JobSet during a simulated run. */
export interface TimedUpgrade {
  readonly from: JobSetVersion;
  readonly to: JobSetVersion;
  /** In milliseconds since the start of the run. */
  readonly at: number;
}

/** Returns the settings of a simulation in which JobSet has this behavior. */
export function toSimulationOptions({
  quirks,
  schema,
}: Behavior): Pick<SimulationOptions, "quirks" | "schema"> {
  return { quirks, ...(schema !== undefined && { schema }) };
}

/** Returns the settings of a simulation for an upgrade. */
export function createSimulatedUpgrade(
  { at, to }: TimedUpgrade,
  options: BehaviorOptions,
): Pick<SimulationOptions, "upgrade"> {
  const behavior = resolveBehavior({ ...options, jobsetVersion: to });
  return { upgrade: { at, version: to.name, ...toSimulationOptions(behavior) } };
}
