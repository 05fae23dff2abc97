// Stands in for Headlamp in a page: gives a plugin what Headlamp gives it, runs it by Headlamp's own code, and shows what it
// has registered. Its hooks hand out the lists that a test has set.
import {
  getInfoForRunningPlugins,
  runPlugin,
} from "@kinvolk/headlamp-plugin/lib/plugin/runPlugin.js";
import * as React from "react";
import * as ReactJSX from "react/jsx-runtime";
import * as ReactDOM from "react-dom";
import { createRoot, type Root } from "react-dom/client";

/** What an API server answers for a kind: its objects, a refusal, or nothing yet. */
export type Listing =
  | { readonly outcome: "Read"; readonly objects: readonly object[] }
  | { readonly outcome: "Failed"; readonly status: number; readonly message: string }
  | { readonly outcome: "Loading" }
  /** Headlamp does not know yet by which version the kind is served. */
  | { readonly outcome: "Probing" };

interface Registered {
  readonly routes: { readonly path: string; readonly component: () => React.ReactNode }[];
  readonly sidebarEntries: { readonly name: string; readonly url: string }[];
  readonly sections: ((props: { readonly resource: object }) => React.ReactNode)[];
  /** The kinds for which the plugin made a class of its own, by API group. */
  readonly classes: Record<string, string>;
  readonly errors: string[];
}

const registered: Registered = {
  routes: [],
  sidebarEntries: [],
  sections: [],
  classes: {},
  errors: [],
};
let answers: ReadonlyMap<string, object> = new Map();
const listeners = new Set<() => void>();

/** Hands out the very same answer until another is set, as Headlamp does. */
function classOf(kind: string) {
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    useList: () => React.useSyncExternalStore(subscribe, () => answers.get(kind) ?? LOADING),
  };
}

const LOADING = answerOf({ outcome: "Loading" });

/** In all that is not read, Headlamp's list is empty, too. */
function answerOf(listing: Listing): object {
  const nothing = { items: [], errors: null, error: null, isLoading: false, isSuccess: false };
  switch (listing.outcome) {
    case "Read": {
      const items = listing.objects.map((jsonData) => ({ jsonData }));
      return { ...nothing, items, isSuccess: true, data: [{ list: { items } }] };
    }
    case "Failed": {
      const error = Object.assign(new Error(listing.message), { status: listing.status });
      return { ...nothing, errors: [error], error, data: [undefined] };
    }
    case "Loading":
      return { ...nothing, isLoading: true, data: [undefined] };
    case "Probing":
      return { ...nothing, isSuccess: true, data: [] };
  }
}

const kinds = ["Job", "Pod", "Node", "Service", "PersistentVolumeClaim"];
const pluginLib = {
  React,
  ReactJSX,
  ReactDOM,
  K8s: {
    ResourceClasses: Object.fromEntries(kinds.map((kind) => [kind, classOf(kind)])),
    useCluster: () => "a-cluster",
  },
  Crd: {
    makeCustomResourceClass({
      kind,
      apiInfo,
    }: {
      kind: string;
      apiInfo: { group: string; version: string }[];
    }) {
      registered.classes[kind] = apiInfo.map(({ group, version }) => `${group}/${version}`).join();
      return classOf(kind);
    },
  },
  CommonComponents: {
    SectionBox: ({ title, children }: { title: string; children: React.ReactNode }) =>
      React.createElement("section", null, React.createElement("h1", null, title), children),
  },
  registerRoute: (route: Registered["routes"][number]) => registered.routes.push(route),
  registerSidebarEntry: (entry: Registered["sidebarEntries"][number]) =>
    registered.sidebarEntries.push(entry),
  registerDetailsViewSection: (section: Registered["sections"][number]) =>
    registered.sections.push(section),
};

let shown: Root | undefined;

function show(content: React.ReactNode): void {
  shown?.unmount();
  document.body.replaceChildren(document.createElement("main"));
  shown = createRoot(document.body.firstElementChild as Element);
  ReactDOM.flushSync(() => shown?.render(content));
}

const headlamp = {
  /** Runs a plugin as Headlamp does, and tells what it has registered. */
  run(source: string, { name, version }: { readonly name: string; readonly version: string }) {
    const info = getInfoForRunningPlugins({
      source,
      pluginPath: `plugins/${name}`,
      packageName: name,
      packageVersion: version,
      permissionSecrets: {},
      handleError: (error: unknown) => registered.errors.push(String(error)),
      getAllowedPermissions: () => ({}),
      getArgValues: () => [[], []],
      PrivateFunction: Function as never,
      internalRunPlugin: runPlugin,
      consoleError: (text: string) => registered.errors.push(text),
    });
    if (info !== undefined)
      runPlugin(info[0], info[1], info[2], info[3], info[4], info[5], info[6]);
    const { routes, sidebarEntries, sections, classes, errors } = registered;
    const paths = routes.map(({ path }) => path);
    return { paths, sidebarEntries, sectionCount: sections.length, classes, errors };
  },
  /** Sets what the API server answers; what is shown follows. */
  answer(listings: Readonly<Record<string, Listing>>) {
    answers = new Map(Object.entries(listings).map(([kind, listing]) => [kind, answerOf(listing)]));
    ReactDOM.flushSync(() => {
      for (const listener of listeners) listener();
    });
  },
  /** Opens the page of a route, as it is when nothing of it was shown before. */
  openRoute(path: string) {
    const route = registered.routes.find((one) => one.path === path);
    show(route && React.createElement(route.component));
  },
  /** Opens what plugins add to the page of an object. */
  openDetails(resource: object) {
    const sections = registered.sections.map((section) => section({ resource }));
    show(React.createElement(React.Fragment, null, ...sections));
  },
};

/** As a test finds it in the page. */
export type StandIn = typeof headlamp;

Object.assign(window, { pluginLib, headlamp });
