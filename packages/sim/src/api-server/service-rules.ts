import { fieldErrorText, invalid } from "@jobset-ts/api/errors";
import {
  dns1035LabelMessages,
  labelValueMessages,
  membersOf,
  nameOf,
  type Service,
} from "@jobset-ts/api/kubernetes";
import type { KindRules } from "./kind-rules.ts";

/** What the API server asks of a Service: that DNS can have its name, and labels what it selects. */
export const serviceRules: Partial<KindRules> = {
  creationErrors: (stored) => {
    const { spec } = stored as unknown as Service;
    const name = nameOf(stored);
    const errors = dns1035LabelMessages(name).map((text) => invalid("metadata.name", name, text));
    for (const [key, value] of Object.entries(membersOf(spec?.selector))) {
      for (const text of labelValueMessages(value)) {
        errors.push(invalid(`spec.selector[${key}]`, value, text));
      }
    }
    return errors.map(fieldErrorText);
  },
};
