import { reconcile } from "@jobset-ts/core";
import fc from "fast-check";
import { describe, it } from "vitest";
import { controllerOfPlans } from "./controller.ts";
import { reconcileLaws } from "./reconcile-laws.ts";

describe("our own controller", () => {
  it.each([...reconcileLaws])("keeps the law %s", async (_, law) => {
    await fc.assert(law(controllerOfPlans(reconcile)));
  });
});
