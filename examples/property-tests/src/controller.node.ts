import { test } from "node:test";
import { reconcileLaws } from "@jobset-ts/testing/reconcile";
import fc from "fast-check";
import { reconcile } from "./controller.ts";

for (const [name, law] of reconcileLaws) {
  test(name, () => fc.assert(law(reconcile), { seed: 1 }));
}
