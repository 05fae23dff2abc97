// Tests the page that `jobset simulate -o html` renders, as a user sees and uses it.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { renderTimelineHtml } from "@jobset-ts/sim/history";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type OpenPage, openPage, startBrowser } from "./open-page.ts";

const jobset = createRequire(import.meta.url).resolve("@jobset-ts/cli/dist/main.js");
const folder = mkdtempSync(join(tmpdir(), "jobset-ts-"));
let browser: Browser;
let opened: OpenPage;
let page: Page;

beforeAll(async () => {
  browser = await startBrowser();
});
beforeEach(async () => {
  opened = await openPage(browser, small);
  page = opened.page;
});
afterEach(async () => {
  expect(opened).toMatchObject({ complaints: [], requests: [] });
  await page.close();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

/** Returns the page of a simulated JobSet in which a Job fails after 40 seconds. */
function simulateHtml(replicas: number, pods: number): string {
  const file = join(folder, `${replicas}.json`);
  const containers = [{ name: "main", image: "busybox" }];
  const spec = {
    completions: pods,
    parallelism: pods,
    backoffLimit: 0,
    template: { spec: { restartPolicy: "Never", containers } },
  };
  const jobSet = {
    apiVersion: "jobset.x-k8s.io/v1alpha2",
    kind: "JobSet",
    metadata: { name: "train", namespace: "ml" },
    spec: {
      failurePolicy: { maxRestarts: 1 },
      replicatedJobs: [{ name: "w", replicas, template: { spec } }],
    },
  };
  writeFileSync(file, JSON.stringify(jobSet));
  const args = ["simulate", "-f", file, "--fail", "w-1@40s", "-o", "html"];
  const html = execFileSync(process.execPath, [jobset, ...args], { maxBuffer: 1e9, stdio: "pipe" });
  const path = join(folder, `${replicas}.html`);
  writeFileSync(path, html);
  return path;
}

const small = simulateHtml(2, 2);

/** The bar of a state. Truncated text may be next to it. */
const bar = (label: RegExp) => getState(label).locator("rect");
const getState = (label: RegExp) => page.getByRole("img", { name: label }).first();
interface BrowserGlobals {
  getComputedStyle(element: unknown): Readonly<Record<string, string>>;
}
/** Moves the pointer there like a user, regardless of the element on top. */
async function movePointerTo(one: Locator): Promise<void> {
  const { x, y, width, height } = (await one.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(x + width / 2, y + height / 2);
}
/** Returns one line for each entry of the detail pane. */
const detail = async () =>
  (await page.locator("#detail > :not(ul), #detail li").allTextContents()).join("\n");
const measureWidth = async (one: Locator) => (await one.boundingBox())?.width ?? Number.NaN;
const getLeft = async (one: Locator) => (await one.boundingBox())?.x ?? Number.NaN;

describe("the timeline", () => {
  it("the timeline has a row with a name for each object, with owners before their dependents", async () => {
    const names = await page.locator(".name").allTextContents();
    expect(names.map((name) => name.replace(/-[a-z0-9]{5}$/, ""))).toEqual([
      ...["JobSet train", "Job train-w-0", ...pods("train-w-0")],
      ...["Job train-w-1", ...pods("train-w-1")],
      ...names.filter((name) => name.startsWith("Node ")),
    ]);
    expect(await page.locator(".row").count()).toBe(names.length);
  });

  /** Two Pods in each of two attempts. */
  function pods(job: string): readonly string[] {
    return [0, 1, 0, 1].map((index) => `Pod ${job}-${index}`);
  }

  it("the timeline has a bar for each state with its duration, next to the name of its object", async () => {
    const restarting = getState(/^JobSet train: restarting/);
    const [from, until] = (await restarting.getAttribute("aria-label"))
      ?.match(/[\d.]+(?=s)/g)
      ?.map(Number) ?? [Number.NaN, Number.NaN];
    const chart = page.locator("#chart");
    const ends = Number(await chart.getAttribute("data-ends")) / 1000;
    const perSecond = (await measureWidth(chart)) / ends;
    const drawn = restarting.locator("rect");
    expect((await getLeft(drawn)) - (await getLeft(chart))).toBeCloseTo(
      (from ?? 0) * perSecond,
      -0.5,
    );
    expect(await measureWidth(drawn)).toBeCloseTo(((until ?? 0) - (from ?? 0)) * perSecond, -0.5);
    const name = page.locator(".name", { hasText: "JobSet train" });
    const [one, other] = [await name.boundingBox(), await drawn.boundingBox()];
    expect(Math.abs((one?.y ?? 0) - (other?.y ?? 99))).toBeLessThan(5);
  });

  it("the timeline shows the whole run, its times and a legend", async () => {
    const [main, chart] = [page.locator("main"), page.locator("#chart")];
    const right = (await getLeft(main)) + (await measureWidth(main));
    expect((await getLeft(chart)) + (await measureWidth(chart))).toBeLessThanOrEqual(right);
    expect(await page.locator("#axis text").allTextContents()).toContain("45s");
    expect(await page.locator("#legend").textContent()).toMatch(/waiting.*failed.*Event.*refused/s);
    expect(await page.locator("#chart .mark.Event").count()).toBeGreaterThan(5);
  });

  it("the header shows the outcome of the JobSet and the request, without overlapping text", async () => {
    const end = page.getByText(/^train: Completed \(AllJobsCompleted\) at [\d.]+s, 1 restart$/);
    expect(await end.isVisible()).toBe(true);
    const mark = page.locator("#chart > .mark.Fault");
    const words = mark.locator("text");
    expect(await words.textContent()).toBe("--fail w-1@40s");
    expect(await words.isVisible()).toBe(true);
    const [at, path] = [await words.boundingBox(), await mark.locator("path").boundingBox()];
    expect(at?.x).toBeGreaterThan((path?.x ?? 0) + 5);
    expect(at?.x).toBeLessThan((path?.x ?? 0) + 30);
    const first = await page.locator("#chart .row rect").first().boundingBox();
    expect((at?.y ?? 0) + (at?.height ?? 99)).toBeLessThanOrEqual(first?.y ?? 0);
    const last = getState(/^JobSet train: Completed/);
    expect(await last.locator("text").isVisible()).toBe(true);
    expect(await measureWidth(last.locator("rect"))).toBeGreaterThan(100);
  });

  it("the timeline uses each color once, so that restarts do not look like failures", async () => {
    const readStyle = (one: Locator, property: string) =>
      one.evaluate((element, name) => {
        const { getComputedStyle } = globalThis as unknown as BrowserGlobals;
        return getComputedStyle(element)[name];
      }, property);
    const restarting = await readStyle(bar(/^JobSet train: restarting/), "fill");
    expect(restarting).not.toBe(await readStyle(bar(/^Job train-w-1: fail/i), "fill"));
    const legend = await page.locator("#legend i").all();
    const colours = await Promise.all(legend.map((one) => readStyle(one, "backgroundColor")));
    expect(new Set(colours).size).toBe(colours.length);
    expect(colours).toContain(restarting);
  });

  it("the timeline shows the labels of overlapping faults one at a time until there is room for both", async () => {
    const fault = {
      actor: "",
      what: "Fault" as const,
      kind: "",
      namespace: "",
      name: "PodFailure",
    };
    const texts = ["one fails", "another fails", "the last fails"];
    const entries = [500, 501, 1000].map((at, index) => ({
      ...fault,
      at,
      text: texts[index] ?? "",
    }));
    const trace = { seed: 1, endsAt: 1000, isIdle: false, entries, rows: [] };
    const file = join(folder, "faults.html");
    writeFileSync(file, renderTimelineHtml(trace, "faults"));
    const { page: other, complaints } = await openPage(browser, file);
    const listDetails = () =>
      other
        .locator("#chart .mark text:visible")
        .evaluateAll((all) => all.map((one) => one.textContent));
    expect(await listDetails()).toEqual(["one fails", "the last fails"]);
    const [words, chart] = [other.locator("#chart .mark text").last(), other.locator("main")];
    const right = (await getLeft(words)) + (await measureWidth(words));
    expect(right).toBeLessThanOrEqual((await getLeft(chart)) + (await measureWidth(chart)));
    for (const _ of [1, 2, 3, 4, 5, 6, 7]) await other.locator("#in").click();
    expect(await listDetails()).toEqual(texts);
    expect(complaints).toEqual([]);
    await other.close();
  });

  it("names and times stay in place when the timeline scrolls", async () => {
    await page.setViewportSize({ width: 700, height: 400 });
    await page.getByRole("button", { name: "Zoom in" }).click();
    const name = page.locator(".name").last();
    const before = [await getLeft(name), await page.locator("#axis").boundingBox()] as const;
    await page.evaluate("document.querySelector('main').scrollBy(300, 80)");
    expect(await page.evaluate("document.querySelector('main').scrollTop")).toBeGreaterThan(0);
    expect(await getLeft(name)).toBe(before[0]);
    expect((await page.locator("#axis").boundingBox())?.y).toBe(before[1]?.y);
  });
});

describe("zoom", () => {
  it("zooming in widens the timeline, and a button restores the whole run", async () => {
    const drawn = bar(/^JobSet train: running/);
    const [width, left] = [await measureWidth(drawn), await getLeft(drawn)];
    const times = await page.locator("#axis text").allTextContents();
    await page.getByRole("button", { name: "Zoom in" }).click();
    await page.getByRole("button", { name: "Zoom in" }).click();
    expect((await measureWidth(drawn)) / width).toBeCloseTo(4, 1);
    expect(await page.locator("#axis text").allTextContents()).not.toEqual(times);
    await page.getByRole("button", { name: "Zoom out" }).click();
    expect((await measureWidth(drawn)) / width).toBeCloseTo(2, 1);
    await page.getByRole("button", { name: "Whole run" }).click();
    expect([await measureWidth(drawn), await getLeft(drawn)]).toEqual([width, left]);
    expect(await page.locator("#axis text").allTextContents()).toEqual(times);
  });

  it("zooming with Ctrl and the wheel keeps the position under the pointer", async () => {
    const mark = page.locator("#chart .mark.Event path").nth(5);
    const box = await mark.boundingBox();
    const [x, y] = [(box?.x ?? 0) + 4, (box?.y ?? 0) + 6];
    await page.mouse.move(x, y);
    await page.keyboard.down("Control");
    for (const _ of [1, 2, 3, 4]) await page.mouse.wheel(0, -100);
    await page.keyboard.up("Control");
    await expect.poll(() => measureWidth(page.locator("#chart"))).toBeGreaterThan(2000);
    expect(Math.abs((await getLeft(mark)) - (box?.x ?? 0))).toBeLessThan(12);
  });

  it("zooming in shows the label of a bar that had no room for it", async () => {
    const failing = getState(/^Job train-w-1: fail/);
    expect(await failing.locator("text").isVisible()).toBe(false);
    for (const _ of [1, 2, 3, 4, 5, 6]) {
      await page.getByRole("button", { name: "Zoom in" }).click();
    }
    expect(await failing.locator("text").isVisible()).toBe(true);
  });
});

describe("the detail pane", () => {
  it("the detail pane of a bar shows its object and its changes", async () => {
    await movePointerTo(bar(/^JobSet train: restarting/));
    expect(await detail()).toMatch(
      /^JobSet train: restarting, restart 1, 4.*\n+Changed JobSet ml\/train at 4.* by manager\n+status\.restarts: 0 → 1\n/,
    );
    expect(await page.locator(".name.now").allTextContents()).toEqual(["JobSet train"]);
  });

  it("the detail pane of a mark shows the Event", async () => {
    await movePointerTo(page.locator("#chart .mark.Event path").first());
    expect(await detail()).toMatch(
      /^Event at .*: RestartJobSetFailurePolicyAction: .*\n+Event JobSet ml\/train at /,
    );
  });

  it("the details of a clicked item stay while the pointer moves towards them", async () => {
    await movePointerTo(bar(/^JobSet train: restarting/));
    await page.mouse.down();
    await page.mouse.up();
    await movePointerTo(bar(/^Job train-w-0: 2 of 2/));
    expect(await detail()).toMatch(/^Job train-w-0/);
    await movePointerTo(page.locator("#detail"));
    expect(await detail()).toMatch(/^JobSet train: restarting/);
  });

  it("the detail pane is accessible with the keyboard", async () => {
    for (const _ of ["in", "out", "all", "the failure"]) await page.keyboard.press("Tab");
    expect(await detail()).toMatch(/^Fault at 40\.000s: .*--fail w-1@40s/);
    await page.keyboard.press("ArrowDown");
    expect(await detail()).toMatch(/^JobSet train: running/);
    await page.keyboard.press("ArrowUp");
    expect(await detail()).toMatch(/^Fault at 40\.000s/);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    expect(await detail()).toMatch(/^JobSet train: restarting/);
    await page.keyboard.press("ArrowDown");
    expect(await detail()).toMatch(/^Job train-w-0: /);
    await page.keyboard.press("ArrowUp");
    expect(await detail()).toMatch(/^JobSet train: /);
  });

  it("the detail pane escapes text", async () => {
    const hostile = '</script><img src="x" onerror="alert(1)">';
    const entry = { at: 0, actor: "user", kind: "JobSet", namespace: "ml", name: hostile };
    const trace = {
      seed: 1,
      endsAt: 1000,
      isIdle: true,
      entries: [{ ...entry, what: "Created" as const, text: hostile }],
      rows: [
        {
          kind: "JobSet",
          namespace: "ml",
          name: hostile,
          depth: 0,
          spans: [{ from: 0, until: 1000, state: hostile, entry: 0 }],
          marks: [],
        },
      ],
    };
    const file = join(folder, "hostile.html");
    writeFileSync(file, renderTimelineHtml(trace, hostile));
    const { page: other, complaints, requests } = await openPage(browser, file);
    await other.locator(".bar").focus();
    expect(await other.locator("#detail").textContent()).toContain(hostile);
    expect(await other.locator("h1").textContent()).toBe(hostile);
    expect([await other.locator("img").count(), complaints, requests]).toEqual([0, [], []]);
    await other.close();
  });
});

describe("a long history", () => {
  it("a long history takes as much CPU time per bar as a short one, to open and to zoom", async () => {
    const [few, many] = [
      await measureThreadCpu(simulateHtml(10, 4)),
      await measureThreadCpu(simulateHtml(80, 4)),
    ];
    expect(many.items).toBeGreaterThan(4_000);
    const times = many.items / few.items;
    expect(many.opening / few.opening).toBeLessThan(2 * times);
    expect(many.zooming / few.zooming).toBeLessThan(2 * times);
    // The details of an item are shown without reading all other items.
    expect(many.telling / few.telling).toBeLessThan(times / 2);
  });

  /** Returns the CPU time of the page's thread in seconds, without waiting time. */
  async function measureThreadCpu(file: string) {
    const long = (await openPage(browser, "/dev/null")).page;
    const session = await long.context().newCDPSession(long);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    const seconds = async () => {
      const { metrics } = await session.send("Performance.getMetrics");
      return metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN;
    };
    const measureCpu = async (act: () => Promise<unknown>) => {
      const before = await seconds();
      await act();
      await long.evaluate("new Promise(requestAnimationFrame)");
      return (await seconds()) - before;
    };
    const opening = await measureCpu(() => long.goto(`file://${file}`));
    const zooming = await measureCpu(() => long.getByRole("button", { name: "Zoom in" }).click());
    const telling = await measureCpu(async () => {
      for (const at of [1, 2, 3, 4, 5]) await long.mouse.move(300 + 100 * at, 300 + 20 * at);
    });
    const items = await long.locator("[role=img]").count();
    await long.close();
    return { opening, zooming, telling, items };
  }
});
