import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dumped, truths } from "./dumps.ts";
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

describe.each([...new Set(truths().map(({ file }) => file))])("of %s a person sees", (file) => {
  const known = truths().filter((truth) => truth.file === file);

  it.each(known.map((truth) => [truth.jobSet, truth] as const))(
    "how %s stands, and why",
    async (jobSet, truth) => {
      const { page } = opened;
      await page.clock.setFixedTime(truth.takenAt);
      await openList(opened, dumped(file));
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

      // The list says it first: the text of the row is that of the first root cause.
      const [first] = await page.locator("figure .evidence > p:first-child").allTextContents();
      if (first !== undefined)
        expect(await row.textContent()).toContain(first.replace(/ … and \d+ more$/, ""));
      // Every box but a root cause has one arrow that leads to it.
      const [arrows, boxes] = [page.locator("path.arrow"), page.locator(".box")];
      expect(await arrows.count()).toBe((await boxes.count()) - shown.length);
    },
  );
});

function getStatus(word: string): string {
  const words: Readonly<Record<string, string>> = {
    running: "progressing",
    restarting: "progressing",
    completed: "finished",
  };
  return words[word] ?? word;
}
