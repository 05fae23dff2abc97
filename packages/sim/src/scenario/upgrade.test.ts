import type { JobSetSpec } from "@jobset-ts/api";
import { UPSTREAM_QUIRKS } from "@jobset-ts/core";
import { openAPIV3Schema, type StructuralSchema } from "@jobset-ts/crd";
import { describe, expect, it } from "vitest";
import { formatTimeline } from "../history/timeline-text.ts";
import { recordTrace } from "../history/trace.ts";
import { createSimController, type SimController } from "../jobset-controller/pass-run.ts";
import { START_TIME } from "../kernel/cluster.ts";
import type { SafetyLaw } from "../laws/law.ts";
import type { Scenario } from "./scenario.ts";
import { simulate } from "./simulate.ts";

const replicatedJob = {
  name: "w",
  template: {
    spec: { template: { spec: { containers: [{ name: "main", image: "busybox" }] } } },
  },
};

const aJobSet = (name: string) => ({
  apiVersion: "jobset.x-k8s.io/v1alpha2",
  kind: "JobSet",
  metadata: { namespace: "ml", name },
  spec: { ttlSecondsAfterFinished: 600, replicatedJobs: [replicatedJob] },
});

/** A user creates one JobSet at the start and another one after 20 seconds. */
const scenario: Scenario = {
  seed: 1,
  objects: [aJobSet("early")],
  workload: [],
  actions: [{ at: 20_000, request: { verb: "create", object: aJobSet("late") } }],
  faults: [],
  endsAt: 40_000,
};

/** The schema of a version without `ttlSecondsAfterFinished`. */
function withoutTtl(): StructuralSchema {
  // biome-ignore lint/suspicious/noExplicitAny: a copy of main's schema without a member
  const schema: any = structuredClone(openAPIV3Schema());
  delete schema.properties.spec.properties.ttlSecondsAfterFinished;
  return schema;
}

const upgrade = { at: 10_000, version: "v0.12.0" };

describe("an upgrade during a run", () => {
  it("the API server prunes fields of the new version until the upgrade", () => {
    const { end } = simulate(scenario, { schema: withoutTtl(), upgrade });
    const fields = end.objects.ofKind("JobSet").map(({ metadata, spec }) => {
      return [metadata.name, (spec as JobSetSpec).ttlSecondsAfterFinished];
    });
    expect(Object.fromEntries(fields)).toEqual({ early: undefined, late: 600 });
  });

  it("the controller restarts at the upgrade and decides with the quirks of the new version", () => {
    const decisions: [at: number, jobSet: string, quirks: number][] = [];
    const production = createSimController();
    const controller: SimController = (key, snapshot, context) => {
      decisions.push([context.now - START_TIME, key.name, context.quirks.size]);
      return production(key, snapshot, context);
    };
    const { violations } = simulate(scenario, { controller, quirks: UPSTREAM_QUIRKS, upgrade });
    expect(violations).toEqual([]);
    const isOld = ([at]: (typeof decisions)[number]) => at < upgrade.at;
    expect(new Set(decisions.filter(isOld).map(([, , quirks]) => quirks))).toEqual(
      new Set([UPSTREAM_QUIRKS.size]),
    );
    expect(decisions.find((one) => !isOld(one))).toEqual([upgrade.at, "early", 0]);
    expect(decisions.at(-1)).toEqual([expect.any(Number), "late", 0]);
  });

  it("the timeline shows the upgrade", () => {
    const { trace } = recordTrace(scenario, { upgrade });
    expect(formatTimeline(trace.entries)).toMatch(
      /^ +10\.000s +UPGRADE: upgrade of JobSet to v0\.12\.0$/m,
    );
  });
});

describe("a run that continues after violations", () => {
  it("the record has the first violation of each law, and the timeline shows it at its time", () => {
    const law: SafetyLaw = {
      name: "nothingChanges",
      sentence: "",
      validUnder: "Always",
      memory: undefined,
      onChange: ({ verb }) => (verb === "Modified" ? "a change" : undefined),
    };
    const settings = { safetyLaws: [law], continueAfterViolation: true };
    expect(simulate(scenario, settings).violations.length).toBeGreaterThan(1);
    const { trace, result } = recordTrace(scenario, settings);
    expect(result.violations).toHaveLength(1);
    const lines = formatTimeline(trace.entries).trimEnd().split("\n");
    const place = lines.findIndex((line) => line.includes("VIOLATION nothingChanges: a change"));
    expect(place).toBeGreaterThan(0);
    expect(place).toBeLessThan(lines.length - 1);
  });
});
