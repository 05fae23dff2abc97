import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Listing, Listings } from "./api-server.ts";
import {
  dumpText,
  getListings,
  listExpectedDumps,
  objectsIn,
  readDumpAsListings,
} from "./dumps.ts";
import { manifest, type OpenPage, openList, openPage, runPlugin, startBrowser } from "./page.ts";

/** A JobSet whose driver cannot pull its image. Its workers wait for the driver. */
const DRIVER = "s09-driver.json.gz";
/** An older JobSet occupies both racks, so the leader of another JobSet has no node. */
const FULL = "s03-full-house.json.gz";

let browser: Browser;
let opened: OpenPage;
let page: Page;
let registered: Awaited<ReturnType<typeof runPlugin>>;

beforeAll(async () => {
  browser = await startBrowser();
  opened = await openPage(browser);
  page = opened.page;
  await page.clock.setFixedTime(listExpectedDumps()[0]?.takenAt ?? 0);
  registered = await runPlugin(opened);
});

afterAll(async () => {
  await browser?.close();
  await opened?.api.stop();
});

afterEach(() => {
  expect(opened.complaints.splice(0)).toEqual([]);
});

const rows = () => page.locator("tr.jobset");
const text = () => page.locator("main").textContent();

describe("the built plugin", () => {
  it("the plugin registers a page, a sidebar entry and a section", () => {
    expect(registered).toEqual({
      paths: ["/jobset-diagnosis"],
      sidebarEntries: [
        {
          parent: "workloads",
          name: "jobset-diagnosis",
          label: "JobSet diagnosis",
          url: "/jobset-diagnosis",
        },
      ],
      sectionCount: 1,
      classes: { JobSet: "jobset.x-k8s.io/v1alpha2", Event: "v1" },
      errors: [],
    });
  });

  it("the manifest states the version of Headlamp's tools, which Headlamp checks before it loads the plugin", () => {
    expect(manifest.devDependencies["@kinvolk/headlamp-plugin"]).toMatch(/^\d+\.\d+\.\d+$/);
  });
});

describe("kinds that are not listed", () => {
  it("a kind that is still loading is named and not treated as empty", async () => {
    const loading: Listing = { outcome: "Loading" };
    await openList(opened, { ...readDumpAsListings(DRIVER), JobSet: loading, Pod: loading });
    expect(await text()).not.toContain("There are no JobSets here.");
    expect(await rows().count()).toBe(0);
    await openList(opened, { ...readDumpAsListings(DRIVER), Pod: loading });
    expect(await page.locator("tr.jobset td").allTextContents()).toContain("Unknown");
  });

  it("a forbidden kind is named and nothing is concluded from it", async () => {
    const rejected: Listing = { outcome: "Failed", status: 403, message: "pods is forbidden" };
    await openList(opened, { ...readDumpAsListings(DRIVER), Pod: rejected });
    expect(await text()).toContain(
      "Pods could not be listed (403: pods is forbidden), so checks that need them are skipped.",
    );
    await rows().getByRole("button").click();
    expect(await page.locator("tr.jobset td").allTextContents()).toContain("Unknown");
    expect(await page.locator(".box").count()).toBe(0);
    expect(await text()).not.toContain("ImagePullBackOff");
  });

  it("a forbidden kind is named as a possible cause of a root cause", async () => {
    const rejected: Listing = { outcome: "Failed", status: 403, message: "services is forbidden" };
    const files = new Set(listExpectedDumps().map(({ file }) => file));
    const stepsWithText: string[] = [];
    for (const file of files) {
      await openList(opened, { ...readDumpAsListings(file), Service: rejected });
      await rows().getByRole("button").first().click();
      stepsWithText.push(...(await page.locator("article .unread").allTextContents()));
    }
    expect(stepsWithText).toContainEqual(
      expect.stringMatching(/not checked .* behind it: service-missing/),
    );
  });

  it("a cluster without the JobSet CRD is named as such", async () => {
    const missing: Listing = { outcome: "Failed", status: 404, message: "not found" };
    await openList(opened, { ...getListings([]), JobSet: missing });
    expect(await text()).toContain("This cluster does not serve JobSets. Is JobSet installed?");
    expect(await text()).not.toContain("There are no JobSets here.");
  });

  it("a cluster without JobSets does not show a missing kind", async () => {
    await openList(opened, getListings([]));
    expect(await text()).toContain("There are no JobSets here.");
    expect(await text()).not.toContain("listed");
  });
});

describe("the diagram of a causal chain", () => {
  it("the diagram starts at the root cause and dims secondary effects", async () => {
    await openList(opened, readDumpAsListings(DRIVER));
    await rows().getByRole("button").click();
    expect(await page.locator(".box .heading").allTextContents()).toEqual([
      "root cause: pod-waiting",
      "dependency-not-ready",
      "job-absent",
      "pods-not-created",
      "job-absent",
      "pods-not-created",
    ]);
    expect(await page.locator("path.arrow:not(.indirect)").count()).toBe(3);
    expect(await page.locator("path.arrow.indirect").count()).toBe(2);
    const tops = await page
      .locator(".box.root, .box.symptom")
      .evaluateAll((boxes) => boxes.map((box) => box.getBoundingClientRect().top));
    expect(tops).toEqual([...tops].sort((one, other) => one - other));
    const opacities = await page
      .locator(".box")
      .evaluateAll((boxes) => boxes.map((box) => Number(getComputedStyle(box).opacity) < 1));
    expect(opacities).toEqual([false, true, true, true, true, true]);
    expect(await text()).toContain(
      "What would help: push registry.example/driver:nope to its registry",
    );
  });

  it("the text of the diagram fits into its boxes", async () => {
    await openList(opened, readDumpAsListings(DRIVER));
    await rows().getByRole("button").click();
    const spare = await page.locator(".box").evaluateAll((boxes) =>
      boxes.flatMap((box) => {
        const right = box.querySelector("rect")?.getBoundingClientRect().right ?? 0;
        return [...box.querySelectorAll("text")].map(
          (one) => right - one.getBoundingClientRect().right,
        );
      }),
    );
    expect(spare.length).toBeGreaterThan(0);
    expect(Math.min(...spare)).toBeGreaterThan(0);
  });

  it("the keyboard can select a box and show its evidence: Tab, Enter and Space", async () => {
    await openList(opened, readDumpAsListings(DRIVER));
    await rows().getByRole("button", { name: "train" }).focus();
    await page.keyboard.press("Enter");
    const evidence = page.locator(".evidence");
    expect(await evidence.textContent()).toContain("status.containerStatuses[main].state.waiting");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    const focused = page.locator(":focus");
    expect(await focused.getAttribute("aria-label")).toBe(
      "causes: workers waits for driver to be Ready",
    );
    expect(await focused.getAttribute("aria-pressed")).toBe("false");
    await page.keyboard.press("Space");
    expect(await focused.getAttribute("aria-pressed")).toBe("true");
    expect(await evidence.textContent()).toContain("workers waits for driver to be Ready");
    expect(await page.getByRole("button", { pressed: true }).count()).toBe(1);
    await rows().getByRole("button", { name: "train" }).press("Enter");
    expect(await page.locator(".diagnosis").count()).toBe(0);
  });

  it("every box, the diagram and the diagnosis have an accessible name", async () => {
    await openList(opened, readDumpAsListings(DRIVER));
    await rows().getByRole("button").click();
    await page.getByRole("region", { name: "Diagnosis of ml/train: stuck" }).waitFor();
    await page.getByRole("figure", { name: "Chain from the root cause to its effects" }).waitFor();
    expect(
      await page
        .locator("figure")
        .getByRole("button", { name: /^(Root cause|The root cause|causes|which causes)/ })
        .count(),
    ).toBe(6);
  });
});

it("the picture in the README is a screenshot of the page", async () => {
  const fresh = await openPage(browser);
  await fresh.page.clock.setFixedTime(listExpectedDumps()[0]?.takenAt ?? 0);
  await runPlugin(fresh);
  await openList(fresh, readDumpAsListings(FULL));
  await fresh.page.locator("tr.jobset button").first().click();
  const html = await fresh.page.evaluate(() =>
    new XMLSerializer().serializeToString(document.querySelector("main") as Element),
  );
  expect(fresh.complaints).toEqual([]);
  await expect(renderPicture(html)).toMatchFileSnapshot("../picture.svg");
  await fresh.page.close();
  await fresh.api.stop();
});

/** Returns a page as an image that a browser can display. */
function renderPicture(html: string): string {
  const [width, height] = [980, 760];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<rect width="100%" height="100%" fill="#fff"/>
<foreignObject x="16" width="${width - 32}" height="${height}">
<div xmlns="http://www.w3.org/1999/xhtml" style="font: 14px sans-serif; color: #1f2328">
${html.replaceAll(/(?=<(?:article|button|caption|figure|g|li|p|path|rect|svg|table|td|text|th|tr)[ >])/g, "\n")}
</div>
</foreignObject>
</svg>
`;
}

describe("the list of JobSets", () => {
  it("the list shows JobSets with problems first, and applies the filter", async () => {
    await openList(opened, readDumpAsListings(FULL));
    const names = () => rows().getByRole("button").allTextContents();
    expect(await names()).toEqual(["second", "first"]);
    await page.getByRole("searchbox").fill("running a/");
    expect(await names()).toEqual(["first"]);
  });

  it("the list follows changes of the cluster", async () => {
    await openList(opened, readDumpAsListings(DRIVER));
    expect(await rows().allTextContents()).toEqual([expect.stringContaining("Stuck")]);
    const jobSet = objectsIn(dumpText(DRIVER)).find(({ kind }) => kind === "JobSet");
    const object = {
      ...jobSet,
      metadata: { ...jobSet?.metadata, resourceVersion: "2000000" },
      status: { conditions: [{ type: "Completed", status: "True" }] },
    };
    const path = "/apis/jobset.x-k8s.io/v1alpha2/jobsets";
    opened.sendChange(path, { type: "MODIFIED", object });
    await page.locator("td.phase-Completed").waitFor();
  });

  it("the list escapes text from the cluster", async () => {
    const hostile = "<img src=x onerror=alert(1)> \\u202edesrever";
    const change = (dump: string) => dump.replaceAll("ImagePullBackOff", hostile);
    await openList(opened, readDumpAsListings(DRIVER, change));
    await rows().getByRole("button").click();
    expect(await text()).toMatch(/<img src=x onerror=alert\(1\)> +desrever/);
    expect(await page.locator("main img").count()).toBe(0);
    expect(await page.locator("main").innerHTML()).not.toContain("\u202e");
  });
});

describe("Headlamp's page of an object", () => {
  it("the page of a JobSet shows its diagnosis, and pages of other objects do not", async () => {
    const jobSet = objectsIn(dumpText(DRIVER)).find(({ kind }) => kind === "JobSet") ?? {};
    opened.api.setListings(readDumpAsListings(DRIVER));
    await page.evaluate((resource) => window.headlamp.openDetails(resource), jobSet);
    await page.locator(".box.root").waitFor();
    expect(await page.locator(".box.root .heading").allTextContents()).toEqual([
      "root cause: pod-waiting",
    ]);
    await page.evaluate((resource) => window.headlamp.openDetails(resource), {
      kind: "Pod",
      metadata: { name: "a" },
    });
    expect(await page.locator("main").innerHTML()).toBe("");
  });
});

const SECRET = "s3cr3t-of-the-cluster";

/**
 * Adds an environment variable with a value to every container of a dump, and the whole manifest as an annotation to
 * every object.
 */
function withSecrets(dump: string): string {
  const env = JSON.stringify([{ name: "TOKEN", value: SECRET }]);
  const applied = `"kubectl.kubernetes.io/last-applied-configuration": "${SECRET}"`;
  return dump
    .replaceAll(/"containers": \[\s*\{/g, (start) => `${start} "env": ${env},`)
    .replaceAll(/"annotations": \{/g, (start) => `${start} "x": "y", ${applied},`);
}

it("the page never contains the value of an environment variable", async () => {
  for (const file of new Set(listExpectedDumps().map((truth) => truth.file))) {
    const listings = readDumpAsListings(file, withSecrets);
    expect(JSON.stringify(listings.Pod ?? "") + JSON.stringify(listings.JobSet)).toContain(SECRET);
    await openList(opened, listings);
    const { looks, boxes, found } = await page.evaluate(chooseEverything, SECRET);
    expect(looks).toBeGreaterThan(boxes);
    expect(found).toEqual([]);
  }
});

/**
 * Opens every JobSet, selects every box of its chains, and returns the steps after which the page contained the text.
 */
async function chooseEverything(secret: string) {
  const found: string[] = [];
  let [looks, boxes] = [0, 0];
  const choose = async (element: Element) => {
    element.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    await Promise.resolve(); // Wait until React has rendered the result.
    looks += 1;
    if (document.documentElement.outerHTML.includes(secret)) found.push(element.textContent ?? "");
  };
  for (const name of document.querySelectorAll("tr.jobset button")) {
    await choose(name);
    for (const box of document.querySelectorAll(".box")) {
      boxes += 1;
      await choose(box);
    }
  }
  return { looks, boxes, found };
}

/** Returns the run that took less CPU time. */
function pickEarlier<T extends { readonly seconds: number }>(one: T, other: T): T {
  return one.seconds < other.seconds ? one : other;
}

describe("a list of a thousand JobSets", () => {
  it("a thousand JobSets need as many elements and as much CPU time each as a few hundred", async () => {
    const session = await page.context().newCDPSession(page);
    // Measures the CPU time of the page's thread, without waiting time.
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    const measureCpuSeconds = async () => {
      const { metrics } = await session.send("Performance.getMetrics");
      return metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN;
    };
    const open = async (count: number) => {
      const before = await measureCpuSeconds();
      await openList(opened, copies(DRIVER, count));
      const seconds = (await measureCpuSeconds()) - before;
      expect(await rows().count()).toBe(count);
      expect(await page.locator("td.phase-Stuck").count()).toBe(count);
      return { seconds, elements: await page.locator("main *").count() };
    };
    await open(250); // The first run compiles everything.
    let [few, many] = [await open(250), await open(1000)];
    expect((many.elements - few.elements) / 750).toBe(8);
    // The minimum of several runs, because garbage collection and other load can slow a single one.
    for (let run = 0; run < 2; run++) {
      few = pickEarlier(few, await open(250));
      many = pickEarlier(many, await open(1000));
    }
    expect(many.seconds / few.seconds).toBeLessThan(8);
  });
});

/** Returns copies of a dump's JobSet, each with its objects in its own namespace. */
function copies(file: string, count: number): Listings {
  const objects = objectsIn(dumpText(file));
  const own = JSON.stringify(objects.filter(({ kind }) => kind !== "Node"));
  const uid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
  const all = Array.from({ length: count }, (_, at): typeof objects => {
    const text = own.replaceAll(uid, `$&-${at}`);
    return JSON.parse(text.replaceAll('"namespace":"ml"', `"namespace":"ml-${at}"`));
  });
  return getListings([...all.flat(), ...objects.filter(({ kind }) => kind === "Node")]);
}
