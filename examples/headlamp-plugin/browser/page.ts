import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { type Browser, chromium, type Page } from "playwright-core";
import type { Listing, StandIn } from "./stand-in.ts";

declare global {
  interface Window {
    readonly headlamp: StandIn;
  }
}

const folder = join(import.meta.dirname, "..");
export const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** What a browser complains about, besides what a test looks at. */
export interface OpenPage {
  readonly page: Page;
  readonly complaints: string[];
}

export function startBrowser(): Promise<Browser> {
  const executablePath = process.env.JOBSET_CHROMIUM;
  if (executablePath === undefined || !existsSync(executablePath)) {
    throw new Error("JOBSET_CHROMIUM does not name a Chromium; `npm run headlamp` finds one");
  }
  // As root, as in a container, Chromium does not start with its sandbox.
  return chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
}

/** A page with the stand-in for Headlamp in it, and no plugin yet. */
export async function openPage(browser: Browser): Promise<OpenPage> {
  const page = await browser.newPage({ viewport: { width: 1100, height: 700 } });
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.setContent("<!doctype html><html lang=en><title>Headlamp</title><body></body></html>");
  await page.addScriptTag({ content: await standIn() });
  return { page, complaints };
}

async function standIn(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "stand-in.ts")],
    bundle: true,
    write: false,
    define: { "process.env.NODE_ENV": '"development"' }, // React complains of more
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}

/** Runs the plugin as it was built, with what Headlamp reads of its manifest. */
export function runPlugin({ page }: OpenPage) {
  const source = readFileSync(join(folder, "dist", "main.js"), "utf8");
  const { name, version } = manifest as { name: string; version: string };
  return page.evaluate(([text, info]) => window.headlamp.run(text, info), [
    source,
    { name, version },
  ] as const);
}

/** Opens the list of JobSets in a cluster. */
export async function openList({ page }: OpenPage, listings: Readonly<Record<string, Listing>>) {
  await page.evaluate((answers) => {
    window.headlamp.answer(answers);
    window.headlamp.openRoute("/jobset-diagnosis");
  }, listings);
}
