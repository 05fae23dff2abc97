export type { ApiStatus, ApiStatusDetails, StatusCause } from "./api-status.ts";
export type {
  AdmissionDecision,
  Denial,
  Evidence,
  Finding,
  Mutated,
  Validated,
} from "./verdict.ts";
