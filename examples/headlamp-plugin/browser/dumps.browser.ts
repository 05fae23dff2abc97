import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listExpectedDumps, readDumpAsListings } from "./dumps.ts";
import { type OpenPage, openList, openPage, runPlugin, startBrowser } from "./page.ts";

let browser: Browser;
let opened: OpenPage;

beforeAll(async () => {
  browser = await startBrowser();
  opened = await openPage(browser);
  await runPlugin(opened);
});

afterAll(async () => {
  await browser?.close();
  await opened?.api.stop();
});

describe.each([...new Set(listExpectedDumps().map(({ file }) => file))])(
  "the page of the cluster %s",
  (file) => {
    const known = listExpectedDumps().filter((truth) => truth.file === file);

    it.each(known.map((truth) => [truth.jobSet, truth] as const))(
      "the page shows the phase and root cause of %s",
      async (jobSet, truth) => {
        const { page } = opened;
        await page.clock.setFixedTime(truth.takenAt);
        await openList(opened, readDumpAsListings(file));
        const name = jobSet.slice(jobSet.indexOf("/") + 1);
        const row = page
          .locator("tr.jobset")
          .filter({ has: page.getByRole("button", { name, exact: true }) });
        await row.getByRole("button").click();
        const expected = truth.rootCauses ?? (truth.rootCause ? [truth.rootCause] : []);
        const shown = (await page.locator(".box.root .heading").allTextContents()).map((text) =>
          text.replace("root cause: ", ""),
        );
        const required = truth.strict === undefined ? expected : [truth.strict];
        expect(shown).toEqual(expect.arrayContaining([...required]));
        expect([...expected, ...(truth.alternatives ?? [])]).toEqual(expect.arrayContaining(shown));

        const standsAs = getStatus(truth.status);
        const statuses = [standsAs, ...(truth.statusAlternatives ?? []).map(getStatus)];
        const label = await page.locator("section.diagnosis").getAttribute("aria-label");
        expect(statuses.map((status) => `Diagnosis of ${jobSet}: ${status}`)).toContain(label);

        // The text of the table row is that of the first root cause.
        const [first] = await page.locator("figure .evidence > p:first-child").allTextContents();
        if (first !== undefined)
          expect(await row.textContent()).toContain(first.replace(/ … and \d+ more$/, ""));
        // Exactly one arrow leads to every box except the root cause.
        const [arrows, boxes] = [page.locator("path.arrow"), page.locator(".box")];
        expect(await arrows.count()).toBe((await boxes.count()) - shown.length);
      },
    );
  },
);

function getStatus(word: string): string {
  const words: Readonly<Record<string, string>> = {
    running: "progressing",
    restarting: "progressing",
    completed: "finished",
  };
  return words[word] ?? word;
}
