// How the members of a JobSet and of a Job are read when they are absent or, in an object that no server
// has checked, of the wrong type: the same as absent.
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
  isObject,
} from "@jobset-ts/api/kubernetes";
