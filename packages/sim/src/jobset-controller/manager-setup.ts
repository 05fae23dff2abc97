import type { EpochMillis } from "@jobset-ts/api";
import type { Context } from "@jobset-ts/core";
import type { NetworkFaults } from "./network-faults.ts";
import type { SimController } from "./pass-run.ts";

/** The configuration of a manager. It does not change during a run. */
export interface ManagerSetup {
  readonly name: string;
  /** Feature gates and quirks. */
  readonly context: Omit<Context, "now">;
  readonly controller: SimController;
  readonly faults: NetworkFaults;
}

/** Returns the context of a manager's decisions at an instant, with the time of its clock. */
export function createContextAt({ context, faults }: ManagerSetup, now: EpochMillis): Context {
  const { features, quirks } = context;
  return { features, quirks, now: now + faults.getClockOffset(now) };
}
