export type { RequestedObject, TestApiRequest } from "./laws/api-request.ts";
export { TestApiServer } from "./laws/api-server.ts";
export {
  type ControllerSubject,
  createPlanController,
  createRequestController,
  createTestClient,
  listAllObjects,
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
  type ReconcileLawName,
  reconcileLaws,
} from "./laws/reconcile-laws.ts";
export type { ReconcileStage, RequestViolation, ViolationCode } from "./laws/violation.ts";
