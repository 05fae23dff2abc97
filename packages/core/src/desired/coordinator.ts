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
 * Returns the DNS name, within the namespace, of the coordinator Pod of a JobSet.
 *
 * The name is computed from names only. It is also returned for a ReplicatedJob that does not exist, and when DNS
 * hostnames are disabled, in which case it does not resolve.
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
