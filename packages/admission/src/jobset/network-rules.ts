import { dns1035LabelMessages, invalid, subdomainMessages } from "@jobset-ts/api";
import type { Breaches } from "./jobset-rule.ts";
import { type JobSetView, namesText } from "./jobset-view.ts";

const FIELD = "spec.network.subdomain";

// The limit is 63 bytes; 63 itself is accepted, whatever the text says.
const TOO_LONG = ".spec.network.subdomain is too long, must be less than 63 characters";

/** The subdomain, which becomes the name of a Service; an empty one is the JobSet's name. */
export function* networkRules({ spec }: JobSetView): Breaches {
  const subdomain = namesText(spec.network?.subdomain);
  if (subdomain === "") return;
  const messages = [...subdomainMessages(subdomain), ...dns1035LabelMessages(subdomain, TOO_LONG)];
  for (const message of messages) {
    yield { rule: "subdomain-valid", error: invalid(FIELD, subdomain, message) };
  }
}
