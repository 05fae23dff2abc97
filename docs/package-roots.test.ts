import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const surface = join(import.meta.dirname, "surface");

/**
 * The exports of an entry according to its report, which `npm run pack-check` compares with the
 * package.
 */
function createReport(name: string): string {
  return readFileSync(join(surface, `${name}.api.md`), "utf8");
}

const roots = readdirSync(surface).flatMap((file) => /^([\w-]+)\.api\.md$/.exec(file)?.[1] ?? []);

it.each(roots)("the root of packages/%s exports few names", (name) => {
  const names = createReport(name).match(/^export /gm) ?? [];
  expect(names.length).toBeGreaterThan(0);
  expect(names.length).toBeLessThanOrEqual(40);
});

it("the packages export at most 650 different names", () => {
  const names = readdirSync(surface).flatMap((file) => {
    const report = readFileSync(join(surface, file), "utf8");
    const statements = report.match(/^export .*/gm) ?? [];
    const matches = [...report.matchAll(/^export (?:(?:abstract )?\w+ |\{ (?:\w+ as )?)(\w+)/gm)];
    expect(matches, file).toHaveLength(statements.length);
    return matches.map(([, name]) => name);
  });
  expect(new Set(names).size).toBeLessThanOrEqual(650);
});

it("the root of packages/core exports the types of JobSets that its functions take", () => {
  const reexported = [...createReport("core").matchAll(/^export \{ (\w+) \}$/gm)];
  const wanted = ["FeatureGates", "JobSet", "JobSetStatus", "ReplicatedJob", "Unvalidated"];
  expect(reexported.map(([, name]) => name)).toEqual(wanted);
});
