import { type FeatureGates, featureGates, resolveFeatureGates } from "@jobset-ts/api";
import { listGateSettings, parseGates } from "./gate-settings.ts";

/** The settings of the controller's gates. */
export const names: readonly string[] = listGateSettings(featureGates);

/** Returns the gates that are on by default. */
export function defaultIn(): FeatureGates {
  return resolveFeatureGates({});
}

/** Parses `RestartJob=true,ElasticJobSet=false`. Omitted gates keep their default. */
export function parse(text: string): FeatureGates {
  return parseGates(text, resolveFeatureGates, featureGates);
}

/** Returns the feature gates for the help, each with its default. */
export function formatGateHelp(): string {
  const lines = Object.entries(featureGates).map(([name, { stage, default: on }]) => {
    const locked = stage === "GA" ? ", locked" : "";
    return `  ${name}=${on} (${stage}${locked})`;
  });
  return `\nFeature gates and their defaults:\n${lines.join("\n")}`;
}
