// How the members of a JobSet and of a Job are read when they are absent or, in an object that no server
// has checked, of the wrong type: the same as absent.
export { isSuspended, replicasOf, replicatedJobsOf, restartsOf } from "@jobset-ts/api";
export {
  annotationOf,
  integerOf,
  isObject,
  labelOf,
  listOf,
  membersOf,
  nameOf,
  namespaceOf,
  textOf,
  uidOf,
} from "@jobset-ts/api/kubernetes";
