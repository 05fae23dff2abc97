// The entry `@jobset-ts/sim/schema`: parsers for untrusted scenarios. It has its own entry because it imports zod.
import type { Parsed } from "@jobset-ts/api/schema";
import { parse } from "@jobset-ts/api/schema";
import type * as z from "zod";
import type { Scenario } from "./scenario/scenario.ts";
import { makeFindingSchema, makeScenarioSchema } from "./scenario/scenario-schema.ts";

let scenario: z.ZodType<Scenario> | undefined;

/**
 * Parses a value as a scenario. Of its objects, only the kind and the name are validated. The API server of the
 * simulation reports everything else.
 *
 * @param value - any JSON value, as from a file
 * @returns the same value, not a copy; or all errors. Never throws
 * @example parseScenario({ seed: 1 }).errors.map((error) => error.field) // => ["objects", "workload", "actions", "faults", "endsAt"]
 */
export function parseScenario(value: unknown): Parsed<Scenario> {
  scenario ??= makeScenarioSchema();
  return parse(scenario, value);
}

/** A scenario and the law that it violates. */
export interface ScenarioFinding {
  readonly scenario: Scenario;
  /** Whether the controller reproduces upstream's defects. */
  readonly quirks: "upstream" | "none";
  /** The version of JobSet that violates the law, such as `v0.8.2`. Default: main. */
  readonly jobsetVersion?: string;
  /** The name of the violated law. */
  readonly law: string;
  readonly message: string;
}

let finding: z.ZodType<ScenarioFinding> | undefined;

/** Parses a value as a finding. See {@link parseScenario}. */
export function parseScenarioFinding(value: unknown): Parsed<ScenarioFinding> {
  finding ??= makeFindingSchema();
  return parse(finding, value);
}
