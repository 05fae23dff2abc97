// A stand-in for Headlamp in a page. It provides Headlamp's modules to the plugin, runs the plugin, lists objects with
// Headlamp's own code and shows the registered components.
import {
  makeListRequests,
  useKubeObjectList,
} from "@kinvolk/headlamp-plugin/lib/lib/k8s/api/v2/useKubeObjectList.js";
import { queryClient } from "@kinvolk/headlamp-plugin/lib/lib/queryClient.js";
import {
  getInfoForRunningPlugins,
  runPlugin,
} from "@kinvolk/headlamp-plugin/lib/plugin/runPlugin.js";
import { QueryClientProvider } from "@tanstack/react-query";
import * as React from "react";
import * as ReactJSX from "react/jsx-runtime";
import * as ReactDOM from "react-dom";
import { createRoot, type Root } from "react-dom/client";

interface RegisteredViews {
  readonly routes: { readonly path: string; readonly component: () => React.ReactNode }[];
  readonly sidebarEntries: { readonly name: string; readonly url: string }[];
  readonly sections: ((props: { readonly resource: object }) => React.ReactNode)[];
  /** The kinds for which the plugin created a class, by API version. */
  readonly classes: Record<string, string>;
  readonly errors: string[];
}

const registered: RegisteredViews = {
  routes: [],
  sidebarEntries: [],
  sections: [],
  classes: {},
  errors: [],
};

// Headlamp retries four times before it reports an error. The tests do not wait for that.
queryClient.setDefaultOptions({
  queries: { ...queryClient.getDefaultOptions().queries, retry: false },
});

interface ApiInfo {
  readonly group: string;
  readonly version: string;
}

/** Creates the part of a Headlamp resource class that lists need. */
function createClass(kind: string, pluralName: string, apiInfo: readonly ApiInfo[]) {
  return class KubeObject {
    static readonly kind = kind;
    static readonly apiName = pluralName;
    static readonly apiVersion = apiInfo.map(getVersion);
    static readonly apiEndpoint = {
      apiInfo: apiInfo.map((info) => ({ ...info, resource: pluralName })),
    };

    readonly jsonData: { readonly metadata: object };
    cluster: string;

    static useList({ cluster = "" }: { readonly cluster?: string }) {
      const requests = React.useMemo(() => makeListRequests([cluster], () => [], true), [cluster]);
      return useKubeObjectList({ requests, kubeObjectClass: KubeObject as never });
    }

    constructor(jsonData: { readonly metadata: object }, cluster: string) {
      this.jsonData = jsonData;
      this.cluster = cluster;
    }

    get metadata() {
      return this.jsonData.metadata;
    }
  };
}

function getVersion({ group, version }: ApiInfo): string {
  return group === "" ? version : `${group}/${version}`;
}

const core = [{ group: "", version: "v1" }];
const pluginLib = {
  React,
  ReactJSX,
  ReactDOM,
  K8s: {
    ResourceClasses: {
      Job: createClass("Job", "jobs", [{ group: "batch", version: "v1" }]),
      Pod: createClass("Pod", "pods", core),
      Node: createClass("Node", "nodes", core),
      Service: createClass("Service", "services", core),
      PersistentVolumeClaim: createClass("PersistentVolumeClaim", "persistentvolumeclaims", core),
    },
    useCluster: () => "a-cluster",
  },
  Crd: {
    makeCustomResourceClass({
      kind,
      pluralName,
      apiInfo,
    }: {
      readonly kind: string;
      readonly pluralName: string;
      readonly apiInfo: readonly ApiInfo[];
    }) {
      registered.classes[kind] = apiInfo.map(getVersion).join();
      return createClass(kind, pluralName, apiInfo);
    },
  },
  CommonComponents: {
    SectionBox: ({ title, children }: { title: string; children: React.ReactNode }) =>
      React.createElement("section", null, React.createElement("h1", null, title), children),
  },
  registerRoute: (route: RegisteredViews["routes"][number]) => registered.routes.push(route),
  registerSidebarEntry: (entry: RegisteredViews["sidebarEntries"][number]) =>
    registered.sidebarEntries.push(entry),
  registerDetailsViewSection: (section: RegisteredViews["sections"][number]) =>
    registered.sections.push(section),
};

let shown: Root | undefined;

/** Renders new content in a Headlamp that has not sent any request yet. */
function show(...content: readonly React.ReactNode[]): void {
  close();
  document.body.replaceChildren(document.createElement("main"));
  shown = createRoot(document.body.firstElementChild as Element);
  const provided = React.createElement(QueryClientProvider, { client: queryClient }, ...content);
  ReactDOM.flushSync(() => shown?.render(provided));
}

function close(): void {
  shown?.unmount();
  shown = undefined;
  queryClient.clear();
}

const headlamp = {
  close,
  /** Runs a plugin as Headlamp does, and returns what it registered. */
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
  /** Opens the page of a route. */
  openRoute(path: string) {
    const route = registered.routes.find((one) => one.path === path);
    show(route && React.createElement(route.component));
  },
  /** Opens the sections that plugins add to the page of an object. */
  openDetails(resource: object) {
    show(...registered.sections.map((section) => section({ resource })));
  },
};

/** The type of the global object that a test finds in the page. */
export type StandIn = typeof headlamp;

Object.assign(window, { pluginLib, headlamp });
