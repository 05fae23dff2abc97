import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { folders, packages } from "../.dependency-cruiser.mjs";
import { root } from "./root.mjs";
import { captureTool } from "./tool.mjs";

/** For each row of the tables, an import that reverses the direction or bypasses the public entries. */
const wrongImports: Readonly<Record<string, string>> = {
  api: "@jobset-ts/core",
  crd: "@jobset-ts/core",
  "go-regexp": "@jobset-ts/api",
  core: "@jobset-ts/checks",
  checks: "@jobset-ts/core/status",
  admission: "@jobset-ts/kueue",
  releases: "@jobset-ts/admission",
  kueue: "@jobset-ts/admission",
  diagnose: "@jobset-ts/sim",
  sim: "@jobset-ts/testing",
  "controller-runtime": "@jobset-ts/admission",
  testing: "@jobset-ts/diagnose",
  cli: "@jobset-ts/testing",
  bench: "@jobset-ts/testing",
  "packages/core/src/snapshot": "../plan/index.ts",
  "packages/core/src/plan": "../snapshot/index.ts",
  "packages/core/src/desired": "../child-jobs/index.ts",
  "packages/core/src/agent": "../snapshot/index.ts",
  "packages/core/src/child-jobs": "../status/index.ts",
  "packages/core/src/status": "../policies/index.ts",
  "packages/core/src/policies": "../reconcile/index.ts",
  "packages/core/src/placement": "../reconcile/index.ts",
  "packages/core/src/reconcile": "../placement/index.ts",
  "packages/core/src/run": "../reconcile/index.ts",
  "packages/core/src/requests": "../run/index.ts",
  "packages/crd/src/pod-template": "../job/index.ts",
  "packages/crd/src/job": "../other/index.ts",
  "packages/admission/src/denial": "../jobset/index.ts",
  "packages/admission/src/jobset": "../pod/index.ts",
  "packages/admission/src/pod": "../review/index.ts",
  "packages/admission/src/review": "../other/index.ts",
  "packages/kueue/src/objects": "../pod-sets/index.ts",
  "packages/kueue/src/pod-sets": "../workload/index.ts",
  "packages/kueue/src/status": "../workload/index.ts",
  "packages/kueue/src/admission": "../workload/index.ts",
  "packages/kueue/src/workload": "../webhooks/index.ts",
  "packages/kueue/src/webhooks": "../reconcile/index.ts",
  "packages/kueue/src/reconcile": "../pod-sets/index.ts",
  "packages/diagnose/src/diagnosis/view": "../checks/index.ts",
  "packages/diagnose/src/diagnosis/checks": "../engine/index.ts",
  "packages/diagnose/src/diagnosis/extensions": "../engine/index.ts",
  "packages/diagnose/src/diagnosis/engine": "../report/index.ts",
  "packages/diagnose/src/diagnosis/report": "../invariants/index.ts",
  "packages/diagnose/src/diagnosis/invariants": "../engine/index.ts",
  "packages/sim/src/api-server": "../kernel/index.ts",
  "packages/sim/src/kernel": "../laws/index.ts",
  "packages/sim/src/job-controller": "../scheduler/index.ts",
  "packages/sim/src/scheduler": "../kubelet/index.ts",
  "packages/sim/src/kubelet": "../job-controller/index.ts",
  "packages/sim/src/nodes": "../kubelet/index.ts",
  "packages/sim/src/jobset-controller": "../job-controller/index.ts",
  "packages/sim/src/queueing": "../jobset-controller/index.ts",
  "packages/sim/src/laws": "../scenario/index.ts",
  "packages/sim/src/scenario": "../explore/index.ts",
  "packages/sim/src/explore": "../history/index.ts",
  "packages/sim/src/history": "../explore/index.ts",
  "packages/sim/src/write-cost": "../explore/index.ts",
  "packages/testing/src/builders": "../arbitraries/index.ts",
  "packages/testing/src/faults": "../laws/index.ts",
  "packages/testing/src/arbitraries": "../laws/index.ts",
  "packages/testing/src/laws": "../faults/index.ts",
  "packages/cli/src/output": "../input/index.ts",
  "packages/cli/src/input": "../live/index.ts",
  "packages/cli/src/live": "../commands/index.ts",
  "packages/cli/src/jobset-version": "../admission/index.ts",
  "packages/cli/src/admission": "../commands/index.ts",
  "packages/cli/src/commands": "../command-line/index.ts",
  "packages/cli/src/command-line": "../file.ts",
  "packages/cli/src/.": "./admission/index.ts",
};

const otherFiles = {
  "packages/api/src/reach-around.ts": 'export { a } from "../../core/src/index.ts";',
  "packages/api/src/import-helper.ts": 'import type { A } from "./testing/index.ts";',
  "packages/core/src/allowed.ts": 'import { a } from "@jobset-ts/api"; import "./plan/index.ts";',
  "packages/api/src/file.test.ts": 'import "@jobset-ts/core";',
};

const folder = mkdtempSync(join(tmpdir(), "jobset-ts-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("each row of the table forbids an import, and no rule forbids an allowed one", async () => {
  for (const name of Object.keys(packages)) addPackage(name);
  const files = new Map<string, string>(Object.entries(otherFiles));
  for (const row of [...Object.keys(packages), ...listFolderRows()]) {
    const parent = row.includes("/") ? row : `packages/${row}/src/other`;
    files.set(join(parent, "wrong.ts"), `import "${wrongImports[row]}";`);
  }
  for (const [path, text] of files) addFile(path, text);
  for (const [path, text] of files) {
    const [, imported = ""] = /"([.].*)"/.exec(text) ?? [];
    if (imported !== "") addFile(join(dirname(path), imported), "");
  }

  const config = join(root, ".dependency-cruiser.mjs");
  const { output } = await captureTool(
    "depcruise",
    ["--config", config, "--output-type", "json", "packages"],
    folder,
  );
  const { violations } = JSON.parse(output).summary;
  expect(violations.map(nameViolation).sort()).toEqual(
    [
      ...Object.keys(wrongImports),
      "api: packages/api/src/reach-around.ts",
      "public entries: packages/api/src/reach-around.ts",
      "no test helpers: packages/api/src/import-helper.ts",
    ].sort(),
  );
});

/** Returns the row that a wrong file violates, or the name of the rule and the file. */
function nameViolation({ rule, from }: { rule: { name: string }; from: string }): string {
  return from.endsWith("/wrong.ts") ? rule.name : `${rule.name}: ${from}`;
}

function listFolderRows(): readonly string[] {
  return Object.entries<object>(folders).flatMap(([parent, rows]) =>
    Object.keys(rows).map((name) => `${parent}/${name}`),
  );
}

/** Adds a package that others import by its name. */
function addPackage(name: string): void {
  const exports = { ".": "./src/index.ts", "./*": "./src/*.ts" };
  addFile(`packages/${name}/package.json`, JSON.stringify({ name: `@jobset-ts/${name}`, exports }));
  addFile(`packages/${name}/src/index.ts`, "");
  addFile(`packages/${name}/src/status.ts`, "");
  const scope = join(folder, "node_modules", "@jobset-ts");
  mkdirSync(scope, { recursive: true });
  symlinkSync(join(folder, "packages", name), join(scope, name), "junction");
}

function addFile(path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
