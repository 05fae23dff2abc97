// Tests the published packages in a browser page, with the same uses as in the other runtimes.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Outcome } from "../src/smoke.ts";
import { openPage, startBrowser } from "./open-page.ts";

const dist = join(import.meta.dirname, "..", "dist");

const browser = await startBrowser();
const { page, complaints, requests } = await openPage(browser, emptyPage());
await page.addScriptTag({ path: join(dist, "page.mjs"), type: "module" });
await page.waitForFunction("globalThis.smokeOutcomes !== undefined"); // Modules run asynchronously.
const outcomes = (await page.evaluate("globalThis.smokeOutcomes")) as readonly Outcome[];
await browser.close();

it.each(outcomes)("$name", ({ ok, found }) => {
  expect(ok, found).toBe(true);
});

it("the published packages cause no browser warnings and no requests", () => {
  expect(outcomes.length).toBeGreaterThan(50);
  expect([complaints, requests]).toEqual([[], []]);
});

function emptyPage(): string {
  const file = join(dist, "empty.html");
  writeFileSync(file, "<!doctype html><title>smoke</title>");
  return file;
}
