export { applyChanges, type FieldChange } from "./plan/field-changes.ts";
export {
  type ApiRequest,
  createApiRequest,
  type Permission,
  permissionsFor,
} from "./requests/api-request.ts";
export { BodySerializer } from "./requests/body-serializer.ts";
export { EventCorrelator, type EventReport } from "./requests/event-correlator.ts";
export { createObjectRequest, type RequestedObject } from "./requests/object-request.ts";
export {
  clusterPath,
  collectionPath,
  objectPath,
  type RequestPath,
  resourceForKind,
} from "./requests/request-path.ts";
