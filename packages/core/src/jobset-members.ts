// Accessors for members of JobSets and Jobs. An absent member, and one of the wrong type in an unvalidated object, read
// as the default.
export { getReplicas, getReplicatedJobs, getRestarts, isSuspended } from "@jobset-ts/api";
export {
  asArray,
  asInteger,
  asRecord,
  asString,
  getAnnotation,
  getLabel,
  getName,
  getNamespace,
  getUid,
  isBeingDeleted,
  isObject,
} from "@jobset-ts/api/kubernetes";
