import {
  getSubdomain,
  type JobSet,
  jobName,
  podDnsName,
  podHostname,
  type Unvalidated,
} from "@jobset-ts/api";
import { asInteger, asString, getName, isObject } from "../jobset-members.ts";

/**
 * The DNS name, within the namespace, of the Pod that all Pods of a JobSet are told to contact.
 *
 * It is computed from the names alone, also for a ReplicatedJob that does not exist and when DNS host names
 * are off, in which case it does not resolve.
 *
 * @returns `undefined` for a JobSet without a coordinator
 */
export function coordinatorEndpoint(jobSet: Unvalidated<JobSet>): string | undefined {
  const coordinator = jobSet?.spec?.coordinator;
  if (!isObject(coordinator)) return undefined;
  const job = jobName(
    getName(jobSet),
    asString(coordinator.replicatedJob),
    asInteger(coordinator.jobIndex, 0),
  );
  return podDnsName(podHostname(job, asInteger(coordinator.podIndex, 0)), getSubdomain(jobSet));
}
