import { expect, it } from "vitest";
import { missedByTheirLaw, wrongControllers } from "./wrong-controllers.ts";

it.each(Object.keys(wrongControllers))("a law catches a controller %s", async (name) => {
  expect(await missedByTheirLaw(1, [name])).toEqual([]);
});
