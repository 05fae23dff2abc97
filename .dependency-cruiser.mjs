// The direction of imports, for dependency-cruiser. `npm run lint` checks all sources, including type imports. Tests may import anything.

/** The packages that each package may import. `core` means any entry of core, `core/index` only the main entry. */
export const packages = {
  api: [],
  crd: ["api"],
  "go-regexp": [],
  core: ["api", "go-regexp"],
  checks: ["api", "core/index"],
  admission: ["api", "crd", "core", "checks"],
  releases: ["api", "crd", "core"],
  kueue: ["api", "core"],
  diagnose: ["api", "core", "checks"],
  sim: ["api", "crd", "core", "admission", "kueue"],
  "controller-runtime": ["api", "core"],
  testing: ["api", "core", "admission", "kueue", "sim"],
  cli: ["api", "crd", "core", "releases", "admission", "kueue", "diagnose", "sim"],
  bench: ["api", "core", "admission", "diagnose", "sim"],
};

/** The folders of sim that describe scenarios and what happens in them. */
const aboutRuns = [
  "api-server",
  "jobset-controller",
  "kernel",
  "kubelet",
  "laws",
  "queueing",
  "scenario",
];

/**
 * The sibling folders that each folder may import. The row `.` is for the files next to the folders. If there is such a row, a
 * folder may import these files only if its own row lists `.`.
 */
export const folders = {
  "packages/core/src": {
    snapshot: [],
    plan: [],
    desired: [],
    agent: ["plan"],
    "child-jobs": ["desired", "plan", "snapshot"],
    status: ["child-jobs", "snapshot"],
    policies: ["child-jobs", "desired", "status"],
    placement: ["desired", "plan", "snapshot"],
    reconcile: ["child-jobs", "desired", "plan", "policies", "snapshot", "status"],
    run: ["plan"],
    requests: ["plan", "snapshot"],
  },
  "packages/crd/src": { "pod-template": [], job: ["pod-template"] },
  "packages/admission/src": {
    denial: [],
    jobset: ["denial"],
    pod: ["denial"],
    review: ["denial", "jobset", "pod"],
  },
  "packages/kueue/src": {
    objects: [],
    "pod-sets": ["objects"],
    status: ["objects", "pod-sets"],
    admission: ["objects", "pod-sets"],
    workload: ["admission", "objects", "pod-sets"],
    webhooks: ["objects", "pod-sets", "workload"],
    reconcile: ["admission", "objects", "status", "webhooks", "workload"],
  },
  "packages/diagnose/src/diagnosis": {
    view: [],
    checks: ["view"],
    extensions: ["view", "checks"],
    engine: ["view", "checks"],
    report: ["view", "checks", "engine"],
    invariants: ["view", "checks"],
  },
  "packages/sim/src": {
    "api-server": [],
    kernel: ["api-server"],
    "job-controller": ["api-server", "kernel"],
    scheduler: ["api-server", "kernel"],
    kubelet: ["api-server", "kernel"],
    nodes: ["api-server", "kernel"],
    "jobset-controller": ["api-server", "kernel"],
    queueing: ["api-server", "kernel", "scheduler"],
    laws: ["api-server", "jobset-controller", "kernel", "scheduler"],
    scenario: [
      "api-server",
      "job-controller",
      "jobset-controller",
      "kernel",
      "kubelet",
      "laws",
      "nodes",
      "queueing",
      "scheduler",
    ],
    explore: [...aboutRuns, "job-controller"],
    history: aboutRuns,
    "write-cost": ["api-server", "jobset-controller", "kernel", "scenario"],
  },
  "packages/testing/src": {
    builders: [],
    faults: ["builders"],
    arbitraries: ["builders", "faults"],
    laws: ["arbitraries", "builders"],
  },
  "packages/cli/src": {
    output: [],
    input: ["output"],
    live: ["input", "output"],
    "jobset-version": ["input", "live", "output"],
    admission: ["input", "jobset-version", "output"],
    commands: ["admission", "input", "jobset-version", "live", "output"],
    "command-line": ["admission", "commands", "input", "jobset-version", "live", "output"],
    ".": ["command-line", "commands", "input", "live", "output"],
  },
};

/** Tests and test helpers may import anything. No other code may import them. */
const ofTests = [
  "[.]test[.]ts$",
  "[.]test-d[.]ts$",
  "/testdata/",
  "/src/testing/",
  "/src/.*/testing/",
  "/testing[.]ts$",
  "^packages/(conformance|mutants|e2e)/",
];

const packageRules = Object.entries(packages).map(([name, allowed]) => {
  const entries = allowed.map((entry) =>
    entry.includes("/") ? `^packages/${entry.replace("/", "/src/")}[.]ts$` : `^packages/${entry}/`,
  );
  return forbid(name, `^packages/${name}/src/`, "^packages/", [`^packages/${name}/`, ...entries]);
});

const folderRules = Object.entries(folders).flatMap(([parent, rows]) =>
  Object.entries(rows).map(([name, allowed]) => {
    const isRestricted = Object.hasOwn(rows, ".") && !allowed.includes(".");
    const siblings = [name, ...allowed, ...(isRestricted ? [] : ["."])];
    return forbid(
      `${parent}/${name}`,
      pathOf(parent, name),
      `^${parent}/`,
      siblings.map((sibling) => pathOf(parent, sibling)),
    );
  }),
);

/** Returns the pattern of a folder's files, or of the files next to the folders. */
function pathOf(parent, name) {
  return name === "." ? `^${parent}/[^/]+$` : `^${parent}/${name}/`;
}

function forbid(name, from, to, allowed) {
  return {
    name,
    severity: "error",
    from: { path: from, pathNot: ofTests },
    to: { path: to, pathNot: allowed },
  };
}

export default {
  forbidden: [
    ...packageRules,
    ...folderRules,
    {
      name: "public entries",
      severity: "error",
      from: { path: "^packages/([^/]+)/src/", pathNot: ofTests },
      to: { path: "^packages/", pathNot: "^packages/$1/", dependencyTypes: ["local"] },
    },
    {
      name: "no test helpers",
      severity: "error",
      from: { path: "^packages/[^/]+/src/", pathNot: ofTests },
      to: { path: ofTests },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    includeOnly: "^packages/[^/]+/src/",
    exclude: "[.]test[.]ts$",
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["@jobset-ts/source"],
      extensions: [".ts"],
    },
  },
};
