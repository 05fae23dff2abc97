export {
  type ApiOutcome,
  type ApiRequest,
  type RequestedObject,
  requestText,
} from "./laws/api-request.ts";
export { ApiServer, type Exchange } from "./laws/api-server.ts";
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
  type TypedRequest,
} from "./laws/controller.ts";
export type { Judged, JudgeOptions, Violation } from "./laws/judge.ts";
export type { Law, LawCase, Laws, LawText } from "./laws/law.ts";
export { violationsOf } from "./laws/reconcile-judge.ts";
export {
  lawOfViolation,
  lawsOfPasses,
  type ReconcileLawName,
  type ReconcileLawOptions,
  reconcileLaws,
} from "./laws/reconcile-laws.ts";
