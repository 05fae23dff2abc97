import type { JobSet } from "./jobset.ts";
import { asString } from "./members.ts";
import type { Unvalidated } from "./unvalidated.ts";

/**
 * Returns the name of a child Job: `<JobSet>-<ReplicatedJob>-<job index>`.
 *
 * @param jobIndex - from 0
 * @example jobName("train", "workers", 3) // => "train-workers-3"
 */
export function jobName(jobSetName: string, replicatedJobName: string, jobIndex: number): string {
  return `${jobSetName}-${replicatedJobName}-${jobIndex}`;
}

/**
 * Returns the hostname of a Pod of an Indexed Job: `<Job>-<completion index>`. It equals the Pod's name without the
 * random suffix. Unlike the Pod's name, it is never truncated.
 *
 * @param completionIndex - from 0
 * @example podHostname("train-workers-3", 0) // => "train-workers-3-0"
 */
export function podHostname(jobName: string, completionIndex: number): string {
  return `${jobName}-${completionIndex}`;
}

/**
 * Returns the name of a JobSet's headless Service, which is also the `subdomain` of its Pods: `spec.network.subdomain`,
 * or the JobSet's name if that is absent or empty. The result does not depend on whether DNS hostnames are enabled.
 *
 * @returns empty text if the JobSet has neither
 * @example getSubdomain({ metadata: { name: "train" }, spec: { network: { subdomain: "net" } } }) // => "net"
 */
export function getSubdomain(jobSet: Unvalidated<JobSet>): string {
  return asString(jobSet?.spec?.network?.subdomain) || asString(jobSet?.metadata?.name);
}

/**
 * Returns the DNS name of a Pod within its namespace: `<hostname>.<subdomain>`.
 *
 * @example podDnsName("train-workers-3-0", "train") // => "train-workers-3-0.train"
 */
export function podDnsName(hostname: string, subdomain: string): string {
  return `${hostname}.${subdomain}`;
}

/**
 * Returns the DNS name that resolves in the whole cluster, of a Pod or a Service.
 *
 * @param dnsName - the DNS name within the namespace
 * @param at.clusterDomain - default `cluster.local`
 * @example fqdn(podDnsName("w-0-0", "train"), { namespace: "ml" }) // => "w-0-0.train.ml.svc.cluster.local"
 */
export function fqdn(
  dnsName: string,
  at: { readonly namespace: string; readonly clusterDomain?: string },
): string {
  const { namespace, clusterDomain = "cluster.local" } = at;
  return `${dnsName}.${namespace}.svc.${clusterDomain}`;
}

/**
 * Returns the name of a PersistentVolumeClaim: `<template>-<JobSet>`.
 *
 * @example volumeClaimName("data", "train") // => "data-train"
 */
export function volumeClaimName(templateName: string, jobSetName: string): string {
  return `${templateName}-${jobSetName}`;
}

/**
 * Returns the name of a Job in the node selector strategy: `<namespace>_<Job>`, because label values contain no slash.
 *
 * @example namespacedJobValue("ml", "train-workers-3") // => "ml_train-workers-3"
 */
export function namespacedJobValue(namespace: string, jobName: string): string {
  return `${namespace}_${jobName}`;
}

/**
 * Returns the default name of a failure policy rule.
 *
 * @example failurePolicyRuleName(2) // => "failurePolicyRule2"
 */
export function failurePolicyRuleName(ruleIndex: number): string {
  return `failurePolicyRule${ruleIndex}`;
}
