export type { PodFaultId, ToldPodCheckId } from "./pod/pod-check-ids.ts";
export { podChecks } from "./pod/pod-checks.ts";
export { PR_1188_POD_ORDER, ROOT_CAUSE_POD_ORDER, UPSTREAM_POD_ORDER } from "./pod/pod-orders.ts";
export { type PodRole, podRole } from "./pod/pod-role.ts";
export { type PodView, podView } from "./pod/pod-view.ts";
