import type { NotFoundStyle } from "./leader-domain.ts";

/** What the webhooks for Pods may be told besides the Pod. */
export interface PodAdmissionOptions {
  /** What is asked for; default `CREATE`. */
  readonly operation?: string;
  /** How a missing node is reported; default `api`. */
  readonly notFoundStyle?: NotFoundStyle;
}
