export type { ApiRequest, RequestedObject } from "./laws/api-request.ts";
export { ApiServer } from "./laws/api-server.ts";
export {
  type ApiClient,
  ApiRefusal,
  type Controller,
  clientOf,
  controllerOfPlans,
  controllerOfRequests,
  listEverything,
  type Pass,
  type PassResult,
} from "./laws/controller.ts";
export type { Violation } from "./laws/judge.ts";
export type { Law, Laws } from "./laws/law.ts";
export { violationsOf } from "./laws/reconcile-judge.ts";
export {
  lawOfViolation,
  lawsOfPasses,
  type ReconcileLawName,
  reconcileLaws,
} from "./laws/reconcile-laws.ts";
