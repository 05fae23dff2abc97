import { parseFeatureGates } from "@jobset-ts/api";
import { suggestName } from "@jobset-ts/api/text";
import { InvalidArgumentError } from "commander";

/** Returns the valid settings of gates, such as `RestartJob=true`. */
export function listGateSettings(gates: object): readonly string[] {
  return Object.keys(gates).flatMap((gate) => [`${gate}=true`, `${gate}=false`]);
}

/**
 * Parses `RestartJob=true,ElasticJobSet=false`.
 *
 * @param getGates - returns the gates that are on; throws a `TypeError` if a setting is invalid
 */
export function parseGates<Gates>(
  text: string,
  gatesOf: (settings: Readonly<Record<string, boolean>>) => Gates,
  known: object,
): Gates {
  try {
    return gatesOf(parseFeatureGates(text));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const names = text.split(",").map((setting) => setting.replace(/=.*/, "").trim());
    const unknown = names.find((name) => !Object.hasOwn(known, name));
    const suggestion = unknown === undefined ? "" : suggestName(unknown, Object.keys(known));
    throw new InvalidArgumentError(`${error.message}.${suggestion}`);
  }
}
