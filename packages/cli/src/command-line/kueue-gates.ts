import {
  type KueueFeatureGates,
  kueueFeatureGates,
  resolveKueueFeatureGates,
} from "@jobset-ts/kueue";
import { listGateSettings, parseGates } from "./gate-settings.ts";

/** The settings of Kueue's gates. */
export const names: readonly string[] = listGateSettings(kueueFeatureGates);

/** Returns the gates that are on by default. */
export function defaultIn(): KueueFeatureGates {
  return resolveKueueFeatureGates();
}

/** Parses `MultiKueue=true,PartialAdmission=false`. Omitted gates keep their default. */
export function parse(text: string): KueueFeatureGates {
  return parseGates(text, resolveKueueFeatureGates, kueueFeatureGates);
}
