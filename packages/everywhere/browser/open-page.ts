import { existsSync } from "node:fs";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";

/** A page with the messages in its browser console. */
export interface OpenPage {
  readonly page: Page;
  /** Errors and warnings, including unhandled ones. */
  readonly complaints: string[];
  /** The requests of the page, except for its own file. */
  readonly requests: string[];
}

export function startBrowser(): Promise<Browser> {
  const executablePath = process.env.JOBSET_CHROMIUM;
  if (executablePath === undefined || !existsSync(executablePath)) {
    throw new Error(
      "JOBSET_CHROMIUM is not the path of a Chromium; `npm run everywhere -- chromium` finds one",
    );
  }
  return chromium.launch({ executablePath });
}

/** Opens a file in a new page. */
export async function openPage(browser: Browser, file: string): Promise<OpenPage> {
  const page = await browser.newPage({ viewport: { width: 1200, height: 750 } });
  const complaints: string[] = [];
  const requests: string[] = [];
  const url = pathToFileURL(file).href;
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (request.url() !== url) requests.push(request.url());
  });
  await page.goto(url);
  return { page, complaints, requests };
}
