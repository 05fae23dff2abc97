import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { packageRoot } from "./testing/package-root.ts";

const packages = join(dirname(dirname(fileURLToPath(import.meta.url))), "packages");

describe.each([
  ["api", "libraries"],
  ["crd", "libraries"],
  ["core", "libraries"],
  ["admission", "libraries"],
  ["kueue", "libraries"],
  ["diagnose", "libraries"],
  ["sim", "libraries"],
  ["testing", "libraries"],
  ["controller-runtime", "programs"],
] as const)("the root of packages/%s", (name, project) => {
  const { names, mistakes } = packageRoot(join(packages, name, "src", "index.ts"), project);

  it("has no more names than a person can hold in the head", () => {
    expect(names.length).toBeLessThanOrEqual(60);
  });

  it("shows by an example what each name is", () => {
    expect(names.filter(({ examples }) => examples.length === 0)).toEqual([]);
  });

  it("has examples that are of the types they claim", () => {
    expect(mistakes).toEqual([]);
  });
});
