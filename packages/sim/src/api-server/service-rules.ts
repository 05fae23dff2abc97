import { formatFieldError, invalid } from "@jobset-ts/api/errors";
import { getName, type Service, validateDNS1035Label } from "@jobset-ts/api/kubernetes";
import { validateLabels } from "@jobset-ts/crd/job";
import type { KindRules } from "./kind-rules.ts";

/** The API server's rules for Services: the name must be a DNS label, and the selector must hold valid labels. */
export const serviceRules: Partial<KindRules> = {
  validateCreate: (stored) => {
    const { spec } = stored as unknown as Service;
    const name = getName(stored);
    const errors = validateDNS1035Label(name).map((text) => invalid("metadata.name", name, text));
    errors.push(...validateLabels(spec?.selector, "spec.selector").errors);
    return errors.map(formatFieldError);
  },
};
