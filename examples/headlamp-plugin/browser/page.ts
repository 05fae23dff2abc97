import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { type Browser, chromium, type Page } from "playwright-core";
import { ApiServer, type Listings } from "./api-server.ts";
import type { StandIn } from "./stand-in.ts";

declare global {
  interface Window {
    readonly headlamp: StandIn;
  }
}

const folder = join(import.meta.dirname, "..");
export const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** A page with a stand-in for Headlamp, and the cluster behind it. */
export interface OpenPage {
  readonly page: Page;
  readonly api: ApiServer;
  /** The errors and warnings in the browser's console. */
  readonly complaints: string[];
  /** Sends a change of the cluster to the page, as Headlamp's watch does. */
  sendChange(path: string, change: object): void;
}

export function startBrowser(): Promise<Browser> {
  const executablePath = process.env.JOBSET_CHROMIUM;
  if (executablePath === undefined || !existsSync(executablePath)) {
    throw new Error("JOBSET_CHROMIUM is not the path of a Chromium; `npm run headlamp` finds one");
  }
  return chromium.launch({ executablePath });
}

/** Opens a page without a plugin. */
export async function openPage(browser: Browser): Promise<OpenPage> {
  const page = await browser.newPage({ viewport: { width: 1100, height: 700 } });
  const complaints: string[] = [];
  page.on("console", (message) => {
    // The browser itself logs each failed request.
    if (message.text().startsWith("Failed to load resource")) return;
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  const queries = new Map<string, string>();
  let send: (text: string) => void = () => {};
  await page.routeWebSocket(/wsMultiplexer/, (socket) => {
    send = (text) => socket.send(text);
    socket.onMessage((text) => {
      const { path, query } = JSON.parse(String(text)) as { path: string; query: string };
      queries.set(path, query);
    });
  });
  const api = new ApiServer();
  await page.goto(await api.start());
  await page.addScriptTag({ content: await bundleStandIn() });
  const sendChange = (path: string, change: object) =>
    send(
      JSON.stringify({
        clusterId: "a-cluster",
        path,
        query: queries.get(path),
        data: JSON.stringify(change),
      }),
    );
  return { page, api, complaints, sendChange };
}

async function bundleStandIn(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "stand-in.ts")],
    bundle: true,
    write: false,
    define: {
      "process.env.NODE_ENV": '"development"', // The development build of React reports more problems.
      "import.meta.env": '{ "REACT_APP_ENABLE_WEBSOCKET_MULTIPLEXER": "true" }',
    },
    alias: Object.fromEntries(
      ["react", "@tanstack/react-query"].map((name) => [name, join(folder, "node_modules", name)]),
    ),
    plugins: [withoutSettings],
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}

/** The tests do not need Headlamp's user and cluster settings. */
const withoutSettings: Plugin = {
  name: "without-settings",
  setup({ onLoad }) {
    const nothing = `
      export const findKubeconfigByClusterName = async () => null;
      export const getUserIdFromLocalStorage = () => "";
      export const getCluster = () => "a-cluster";
    `;
    const settings = /lib[\\/](stateless[\\/]\w+|lib[\\/]cluster)\.js$/;
    onLoad({ filter: settings }, () => ({ contents: nothing }));
  },
};

/** Runs the plugin build with the fields of its manifest that Headlamp reads. */
export function runPlugin({ page }: OpenPage) {
  const source = readFileSync(join(folder, "dist", "main.js"), "utf8");
  const { name, version } = manifest as { name: string; version: string };
  return page.evaluate(([text, info]) => window.headlamp.run(text, info), [
    source,
    { name, version },
  ] as const);
}

/** Opens the list of JobSets in a cluster, and waits until everything available is displayed. */
export async function openList({ page, api }: OpenPage, listings: Listings): Promise<void> {
  await page.evaluate(() => window.headlamp.close());
  api.setListings(listings);
  await page.evaluate(() => window.headlamp.openRoute("/jobset-diagnosis"));
  const loading = Object.keys(listings).filter((kind) => listings[kind]?.outcome === "Loading");
  await page.waitForFunction(
    (line) => {
      const lines = [...document.querySelectorAll(".unread")].map((one) => one.textContent);
      const waiting = lines.find((one) => one?.startsWith("Not listed yet"));
      return waiting === line;
    },
    loading.length === 0 ? undefined : `Not listed yet: ${loading.join(", ")}.`,
  );
}
