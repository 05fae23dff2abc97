import { podAdmissionLaws } from "@jobset-ts/testing/admission";
import fc from "fast-check";
import { test } from "vitest";
import { mutatePod, validatePod } from "./webhook.ts";

for (const [name, law] of podAdmissionLaws) {
  test(name, () => fc.assert(law({ mutate: mutatePod, validate: validatePod }), { seed: 1 }));
}
