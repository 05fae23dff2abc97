// JobSets for the tests of the creation rules, and the texts of their errors.
import type { ReplicatedJob } from "@jobset-ts/api";
import { aJobSet, aReplicatedJob } from "@jobset-ts/testing";

export const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

export const LABEL =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

export const JOB_NAME =
  "JobSet name is too long, job names generated for this JobSet will exceed 63 characters";

// biome-ignore lint/suspicious/noExplicitAny: the test needs members of the wrong type
export type AnyObject = any;

export function jobSet(spec: AnyObject = {}, name = "js") {
  return aJobSet(name).withSpec(spec);
}

/** A JobSet with one ReplicatedJob. */
export function jobSetWithOne(rest: Partial<ReplicatedJob> = {}, name = "js") {
  return aJobSet(name).withReplicatedJob("w", rest);
}

/** A ReplicatedJob with other members in the spec of its Job. */
export function replicatedJob(
  name: string,
  jobSpec: AnyObject = {},
  rest: AnyObject = {},
): ReplicatedJob {
  const { template } = aReplicatedJob(name);
  return aReplicatedJob(name, {
    template: { ...template, spec: { ...template.spec, ...jobSpec } },
    ...rest,
  });
}

export function invalid(field: string, shown: string, detail: string) {
  return `${field}: Invalid value: ${shown}: ${detail}`;
}

export function plain(detail: string) {
  return `<nil>: Internal error: ${detail}`;
}
