import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { describe, expect, it } from "vitest";
import { findForbiddenImports, folders, packages } from "./dependencies.mjs";
import { root } from "./root.mjs";

const names = readdirSync(join(root, "packages"));

/** For each row of the table, an import that reverses the direction or bypasses the public entries. */
const wrong: [string, string][] = [
  ["api", "@jobset-ts/core"],
  ["crd", "@jobset-ts/core"],
  ["go-regexp", "@jobset-ts/api"],
  ["core", "@jobset-ts/checks"],
  ["checks", "@jobset-ts/admission"],
  ["checks", "@jobset-ts/core/status"],
  ["admission", "@jobset-ts/kueue"],
  ["releases", "@jobset-ts/admission"],
  ["kueue", "@jobset-ts/admission"],
  ["diagnose", "@jobset-ts/sim"],
  ["sim", "@jobset-ts/testing"],
  ["controller-runtime", "@jobset-ts/admission"],
  ["testing", "@jobset-ts/diagnose"],
  ["cli", "@jobset-ts/testing"],
  ["bench", "@jobset-ts/testing"],
  ["packages/core/src/snapshot", "../plan/file.ts"],
  ["packages/core/src/plan", "../snapshot/file.ts"],
  ["packages/core/src/desired", "../child-jobs/file.ts"],
  ["packages/core/src/agent", "../snapshot/file.ts"],
  ["packages/core/src/child-jobs", "../status/file.ts"],
  ["packages/core/src/status", "../policies/file.ts"],
  ["packages/core/src/policies", "../reconcile/file.ts"],
  ["packages/core/src/placement", "../reconcile/file.ts"],
  ["packages/core/src/reconcile", "../placement/file.ts"],
  ["packages/core/src/run", "../reconcile/file.ts"],
  ["packages/core/src/requests", "../run/file.ts"],
  ["packages/diagnose/src/diagnosis/view", "../checks/file.ts"],
  ["packages/diagnose/src/diagnosis/checks", "../engine/file.ts"],
  ["packages/diagnose/src/diagnosis/extensions", "../engine/file.ts"],
  ["packages/diagnose/src/diagnosis/engine", "../report/file.ts"],
  ["packages/diagnose/src/diagnosis/report", "../invariants/file.ts"],
  ["packages/diagnose/src/diagnosis/invariants", "../engine/file.ts"],
  ["packages/cli/src/output", "../input/file.ts"],
  ["packages/cli/src/input", "../live/file.ts"],
  ["packages/cli/src/live", "../commands/file.ts"],
  ["packages/cli/src/jobset-version", "../admission/file.ts"],
  ["packages/cli/src/admission", "../commands/file.ts"],
  ["packages/cli/src/commands", "../command-line/file.ts"],
  ["packages/cli/src/command-line", "../file.ts"],
  ["packages/cli/src/.", "./admission/file.ts"],
];

describe("the dependency table", () => {
  it("the rules allow every import in the sources", () => {
    const files = names.flatMap((name) =>
      readdirSync(join(root, "packages", name, "src"), { encoding: "utf8", recursive: true })
        .filter((path) => path.endsWith(".ts"))
        .map((path) => ["packages", name, "src", ...path.split(sep)].join("/")),
    );
    expect(files.length).toBeGreaterThan(1000);
    const forbidden = files.flatMap((file) =>
      findForbiddenImports(file, readFileSync(join(root, file), "utf8")),
    );
    expect(forbidden).toEqual([]);
  });

  it("each rule has a test with a forbidden import", () => {
    const rows = [
      ...Object.keys(packages),
      ...Object.entries<object>(folders).flatMap(([parent, of]) =>
        Object.keys(of).map((name) => `${parent}/${name}`),
      ),
    ];
    expect(rows.sort()).toEqual([...new Set(wrong.map(([row]) => row))].sort());
  });

  it.each(wrong)("the rules forbid %s to import %s", (row, specifier) => {
    const folder = row.includes("/") ? row : `packages/${row}/src`;
    expect(isForbidden(`${folder}/file.ts`, specifier)).toBe(true);
  });

  it.each([
    'import "@jobset-ts/core";',
    'import type { A } from "@jobset-ts/core/plan";',
    'import {\n  a,\n  type B,\n} from "@jobset-ts/core";',
    'export * from "@jobset-ts/core";',
    'const a = await import("@jobset-ts/core");',
    'import { a } from "../../core/src/index.ts";',
    'import { a } from "./testing/file.ts";',
  ])("findForbiddenImports finds %j", (source) => {
    expect(findForbiddenImports("packages/api/src/file.ts", source)).toHaveLength(1);
    expect(findForbiddenImports("packages/api/src/file.test.ts", source)).toEqual([]);
  });
});

function isForbidden(file: string, specifier: string) {
  return findForbiddenImports(file, `import "${specifier}";`).length > 0;
}
