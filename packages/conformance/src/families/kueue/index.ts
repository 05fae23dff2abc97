import type { Family } from "../family.ts";
import { admissionFamilies } from "./admission.ts";
import { multiKueueFamilies } from "./multikueue.ts";
import { podSetFamilies } from "./pod-sets.ts";
import { reconcileFamilies } from "./reconcile.ts";
import { statusFamilies } from "./status.ts";
import { webhookFamilies } from "./webhooks.ts";
import { workloadFamilies } from "./workload.ts";

/** The families of Kueue's JobSet integration. */
export const kueueFamilies: readonly Family[] = [
  ...admissionFamilies,
  ...multiKueueFamilies,
  ...podSetFamilies,
  ...reconcileFamilies,
  ...statusFamilies,
  ...webhookFamilies,
  ...workloadFamilies,
];
