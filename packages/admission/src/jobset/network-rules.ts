import { invalid } from "@jobset-ts/api/errors";
import { JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import {
  validateDNS1035Label,
  validateDNS1123Label,
  validateDNS1123Subdomain,
  validateLabelValue,
} from "@jobset-ts/api/kubernetes";
import { hasDnsHostnames } from "@jobset-ts/core/desired";
import { type JobSetView, namesText } from "./jobset-view.ts";
import type { Violations } from "./violations.ts";

const FIELD = "spec.network.subdomain";

// The limit is 63 bytes; 63 itself is accepted, although the text suggests otherwise.
const TOO_LONG = ".spec.network.subdomain is too long, must be less than 63 characters";

/** Checks the subdomain, which becomes the name of a Service. An empty one means the JobSet's name. */
export function networkRules({ spec }: JobSetView, found: Violations): void {
  const subdomain = namesText(spec.network?.subdomain);
  if (subdomain === "") return;
  const messages = [
    ...validateDNS1123Subdomain(subdomain),
    ...validateDNS1035Label(subdomain, TOO_LONG),
  ];
  for (const message of messages) {
    found.add("subdomain-valid", invalid(FIELD, subdomain, message));
  }
}

/**
 * Checks the name of the headless Service. A JobSet without ReplicatedJobs has only a Service, so that no Job name
 * restricts the JobSet's name. Upstream admits any name, and tries to create the Service on every pass without effect.
 *
 * Some API servers require a Service name to start with a letter. A name that some of them accept is not denied here.
 */
export function serviceNameRules(view: JobSetView, found: Violations): void {
  const { name, spec, replicatedJobs, quirks } = view;
  if (quirks.has("ServiceNameUnchecked")) return;
  if (replicatedJobs.length > 0 || name === "" || !hasDnsHostnames(view.jobSet)) return;
  const isOfService = namesText(spec.network?.subdomain) === "";
  const messages = isOfService ? validateDNS1123Label(name) : validateLabelValue(name);
  const use = isOfService ? "the name of its Service" : `the label ${JOBSET_NAME_KEY}`;
  for (const message of messages) {
    const error = invalid("metadata.name", name, `cannot be ${use}: ${message}`);
    found.add("service-name-valid", error);
  }
}
