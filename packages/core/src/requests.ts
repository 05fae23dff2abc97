export type { ReportedEvent } from "./plan/effects.ts";
export { applyChanges, type MemberChange } from "./plan/member-changes.ts";
export {
  type ApiRequest,
  apiRequestOf,
  type Permission,
  permissionsFor,
} from "./requests/api-request.ts";
export { BodyTexts } from "./requests/body-texts.ts";
export { EventCorrelator, type EventReport } from "./requests/event-correlator.ts";
export { objectRequestOf, type RequestedObject } from "./requests/object-request.ts";
export {
  clusterPath,
  collectionPath,
  objectPath,
  type RequestPath,
  resourceOf,
} from "./requests/request-path.ts";
