// The entry `@jobset-ts/sim/schema`: parsers for untrusted scenarios. It has its own entry because it imports zod.
import type { Parsed } from "@jobset-ts/api/schema";
import { parse } from "@jobset-ts/api/schema";
import type * as z from "zod";
import type { Scenario } from "./scenario/scenario.ts";
import { makeFindingSchema, makeScenarioSchema } from "./scenario/scenario-schema.ts";

let scenario: z.ZodType<Scenario> | undefined;

/**
 * Reads a value as a scenario. Of its objects it is seen only that they have a kind and a name: what else is wrong with
 * them is for the API server of the run to say.
 *
 * @param value - any JSON value, as from a file
 * @returns the very value, not a copy; or everything that is wrong with it. Never throws
 * @example parseScenario({ seed: 1 }).errors.map((error) => error.field) // => ["objects", "workload", "actions", "faults", "endsAt"]
 */
export function parseScenario(value: unknown): Parsed<Scenario> {
  scenario ??= makeScenarioSchema();
  return parse(scenario, value);
}

/** A scenario in which something was found, and what. */
export interface ScenarioFinding {
  readonly scenario: Scenario;
  /** Whether upstream's defects were reproduced. */
  readonly quirks: "upstream" | "none";
  /** The name of the broken law. */
  readonly oracle: string;
  readonly message: string;
}

let finding: z.ZodType<ScenarioFinding> | undefined;

/** Reads a value as a finding, in the way of {@link parseScenario}. */
export function parseScenarioFinding(value: unknown): Parsed<ScenarioFinding> {
  finding ??= makeFindingSchema();
  return parse(finding, value);
}
