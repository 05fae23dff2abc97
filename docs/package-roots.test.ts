import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type PackageRoot, packageRoots } from "./testing/package-root.ts";

const packages = join(dirname(dirname(fileURLToPath(import.meta.url))), "packages");

const projects = {
  libraries: ["api", "crd", "core", "admission", "kueue", "diagnose", "sim", "testing"],
  programs: ["controller-runtime"],
} as const;

const roots = Object.entries(projects).flatMap(([project, names]) => {
  const indexes = names.map((name) => join(packages, name, "src", "index.ts"));
  const found = packageRoots(indexes, project as keyof typeof projects);
  return names.map((name, at) => [name, found[at] as PackageRoot] as const);
});

describe.each(roots)("the root of packages/%s", (_, { names, mistakes }) => {
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

it("the root of packages/core exports the types of JobSets that its functions take", () => {
  const names = roots.find(([name]) => name === "core")?.[1].names ?? [];
  const reexported = names.flatMap((one) => (one.isReexported ? [one.name] : []));
  const wanted = ["Features", "Instant", "JobSet", "JobSetSpec", "JobSetStatus"];
  expect(reexported.sort()).toEqual([...wanted, "Observed", "ReplicatedJob"]);
});
