export type { RequestedObject, TestApiRequest } from "./laws/api-request.ts";
export {
  type ControllerSubject,
  createPlanController,
  createRequestController,
  type ReconcileRequest,
  type ReconcileResponse,
  type TestApiClient,
  TestApiError,
} from "./laws/controller.ts";
export { findViolations } from "./laws/find-violations.ts";
export type { Law, Laws } from "./laws/law.ts";
export {
  createReconcileLaws,
  lawForViolation,
  reconcileLaws,
} from "./laws/reconcile-laws.ts";
export type { RequestViolation } from "./laws/violation.ts";
