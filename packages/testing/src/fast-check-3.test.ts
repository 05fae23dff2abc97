// The peer dependency range includes fast-check 3.23. This test runs a copy of the package with that version.
import { mkdtempSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";

const packageFolder = join(dirname(fileURLToPath(import.meta.url)), "..");
const folder = mkdtempSync(join(packageFolder, "../../node_modules/.cache/fast-check-3-"));

/** The script that runs in the copy, with its subjects. */
const entry = `
  export { default as fc } from "fast-check";
  export * as admission from "@jobset-ts/admission";
  export * as core from "@jobset-ts/core";
  export * as placement from "@jobset-ts/core/placement";
  export * as laws from "./src/admission.ts";
  export * as arbitraries from "./src/arbitraries.ts";
  export { clusterObjects } from "./src/arbitraries/arbitrary-objects.ts";
  export { placements } from "./src/arbitraries/arbitrary-placements.ts";
  export { corrupted, hostileValues } from "./src/arbitraries/hostile-values.ts";
  export { createPlacementController, placementLaws } from "./src/placement.ts";
  export { createPlanController, reconcileLaws } from "./src/reconcile.ts";
  export * as diagnoses from "./src/diagnose.ts";
`;

interface Copy {
  readonly fc: typeof import("fast-check-3")["default"];
  readonly admission: typeof import("@jobset-ts/admission");
  readonly core: typeof import("@jobset-ts/core");
  readonly placement: typeof import("@jobset-ts/core/placement");
  readonly laws: typeof import("./admission.ts");
  readonly arbitraries: typeof import("./arbitraries.ts");
  readonly clusterObjects: typeof import("./arbitraries/arbitrary-objects.ts")["clusterObjects"];
  readonly placements: typeof import("./arbitraries/arbitrary-placements.ts")["placements"];
  readonly corrupted: typeof import("./arbitraries/hostile-values.ts")["corrupted"];
  readonly hostileValues: typeof import("./arbitraries/hostile-values.ts")["hostileValues"];
  readonly createPlacementController: typeof import("./placement.ts")["createPlacementController"];
  readonly placementLaws: typeof import("./placement.ts")["placementLaws"];
  readonly createPlanController: typeof import("./reconcile.ts")["createPlanController"];
  readonly reconcileLaws: typeof import("./reconcile.ts")["reconcileLaws"];
  readonly diagnoses: typeof import("./diagnose.ts");
}

let copy: Copy;

beforeAll(async () => {
  const outfile = join(folder, "testing.mjs");
  await build({
    stdin: { contents: entry, resolveDir: packageFolder },
    absWorkingDir: packageFolder,
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    alias: { "fast-check": "fast-check-3" },
    conditions: ["@jobset-ts/source"],
    logLevel: "error",
  });
  copy = await import(pathToFileURL(outfile).href);
});

afterAll(() => rmSync(folder, { recursive: true }));

it("the copy of the package runs with fast-check 3", () => {
  expect(copy.fc.__version).toMatch(/^3\.23\./);
});

it("our own subjects satisfy every law with fast-check 3", async () => {
  const { core, admission, placement, laws } = copy;
  const { mutatePod, validatePod, mutateJobSet, validateJobSet } = admission;
  const controller = copy.createPlanController(core.reconcile);
  const repairer = copy.createPlacementController(placement.reconcilePlacement);
  const ofPods = laws.webhooksFromFunctions({ mutate: mutatePod, validate: validatePod });
  const ofJobSets = laws.webhooksFromFunctions({ mutate: mutateJobSet, validate: validateJobSet });
  const properties = [
    ...[...copy.reconcileLaws].map(([name, law]) => [name, law(controller)] as const),
    ...[...copy.placementLaws].map(([name, law]) => [name, law(repairer)] as const),
    ...[...laws.podAdmissionLaws].map(([name, law]) => [name, law(ofPods)] as const),
    ...[...laws.jobSetAdmissionLaws].map(([name, law]) => [name, law(ofJobSets)] as const),
  ];
  const broken: string[] = [];
  for (const [name, property] of properties) {
    const { failed } = await copy.fc.check(property as never, { numRuns: 1, seed: 1 });
    if (failed) broken.push(name);
  }
  expect(properties.length).toBeGreaterThan(80);
  expect(broken).toEqual([]);
});

it("a violated law reports its counterexample with fast-check 3", async () => {
  const law = copy.reconcileLaws.get("servicesAreCreatedWhenDue");
  const details = await copy.fc.check(law?.(() => {}) as never, { seed: 1, endOnFailure: true });
  expect(await copy.fc.asyncDefaultReportMessage(details)).toContain(
    "violations\n  it does not create Service train",
  );
});

it("properties of denials and diagnoses report violations with fast-check 3", async () => {
  const { fc, laws, diagnoses } = copy;
  const states = fc.record({ leader: fc.boolean(), selector: fc.boolean() });
  type Follower = { readonly leader: boolean; readonly selector: boolean };
  const checks = [
    { id: "leader", causes: [], holds: ({ leader }: Follower) => leader, messages: ["leader"] },
    {
      id: "selector",
      causes: ["leader"],
      holds: ({ selector }: Follower) => selector,
      messages: ["selector"],
    },
  ];
  const denials = (admit: (follower: Follower) => string | undefined) =>
    laws.denialsNameRootCauses(admit, { states: states as never, checks });
  const leaderFirst = denials(({ leader, selector }) =>
    leader ? (selector ? undefined : "selector") : "leader",
  );
  const selectorFirst = denials(({ leader, selector }) =>
    selector ? (leader ? undefined : "leader") : "selector",
  );
  expect(await fc.check(leaderFirst as never, { seed: 1 })).toMatchObject({ failed: false });
  expect(await fc.check(selectorFirst as never, { seed: 1 })).toMatchObject({ failed: true });
  const silent = diagnoses.diagnosisLaws.rootCauseComesFirst(() => ({
    status: "Stuck",
    roots: [],
    notChecked: [],
  }));
  expect(await fc.check(silent as never, { seed: 1 })).toMatchObject({ failed: true });
});

it("every arbitrary generates values with fast-check 3", () => {
  const { fc, arbitraries, clusterObjects, placements, corrupted, hostileValues } = copy;
  const { situations, ...makers } = arbitraries;
  const generated = [
    ...situations.map((situation) => makers.clusters({ situation })),
    ...Object.values(makers).map((make) => make()),
    clusterObjects(),
    placements(),
    hostileValues(),
    corrupted(fc.constant({ kind: "JobSet" }) as never),
  ];
  for (const arbitrary of generated) {
    expect(fc.sample(arbitrary as never, { numRuns: 3, seed: 1 })).toHaveLength(3);
  }
});
