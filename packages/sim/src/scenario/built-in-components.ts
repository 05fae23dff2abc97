import type { AdmissionStep } from "../api-server/admission-step.ts";
import type { Component } from "../kernel/component.ts";
import type { Scenario } from "./scenario.ts";

/** What every cluster has beside JobSet's manager. */
export function builtInComponents(_scenario: Scenario): readonly Component[] {
  return [];
}

/** What the API server itself does to what it admits. */
export const builtInAdmission: readonly AdmissionStep[] = [];
