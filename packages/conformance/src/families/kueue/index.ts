import type { Family } from "../family.ts";
import { admissionFamilies } from "./admission.ts";
import { multiKueueFamilies } from "./multikueue.ts";
import { podSetFamilies } from "./pod-sets.ts";
import { statusFamilies } from "./status.ts";
import { workloadFamilies } from "./workload.ts";

/** The families of Kueue's JobSet integration. */
export const kueueFamilies: readonly Family[] = [
  ...admissionFamilies,
  ...multiKueueFamilies,
  ...podSetFamilies,
  ...statusFamilies,
  ...workloadFamilies,
];
