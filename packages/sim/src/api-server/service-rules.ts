import { fieldErrorText, invalid } from "@jobset-ts/api/errors";
import { dns1035LabelMessages, nameOf, type Service } from "@jobset-ts/api/kubernetes";
import type { KindRules } from "./kind-rules.ts";
import { labelErrors } from "./label-errors.ts";

/** What the API server asks of a Service: that DNS can have its name, and labels what it selects. */
export const serviceRules: Partial<KindRules> = {
  creationErrors: (stored) => {
    const { spec } = stored as unknown as Service;
    const name = nameOf(stored);
    const errors = dns1035LabelMessages(name).map((text) => invalid("metadata.name", name, text));
    errors.push(...labelErrors(spec?.selector, "spec.selector"));
    return errors.map(fieldErrorText);
  },
};
