import { fqdn, podDnsName } from "@jobset-ts/api";
import { asString, getName, getNamespace, type Pod } from "@jobset-ts/api/kubernetes";
import { byteLength } from "@jobset-ts/api/text";

/** The maximum length of a hostname in the Linux kernel. */
const MAX_HOSTNAME_BYTES = 64;

/**
 * Returns why a kubelet cannot start a Pod whose hostname is its full DNS name. Undefined if it can.
 *
 * @see Kubernetes `util.GetNodenameForKernel`
 */
export function findHostnameError(pod: Pod): string | undefined {
  const { setHostnameAsFQDN, hostname, subdomain } = pod.spec;
  if (setHostnameAsFQDN !== true || asString(subdomain) === "") return undefined;
  const dnsName = podDnsName(asString(hostname) || getName(pod), asString(subdomain));
  const name = fqdn(dnsName, { namespace: getNamespace(pod) });
  const bytes = byteLength(name);
  if (bytes <= MAX_HOSTNAME_BYTES) return undefined;
  return `Failed to create pod sandbox: failed to construct FQDN from pod hostname and cluster domain, FQDN ${name} is too long (${MAX_HOSTNAME_BYTES} characters is the max, ${bytes} characters requested)`;
}
