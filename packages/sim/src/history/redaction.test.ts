import { resolveFeatureGates } from "@jobset-ts/api";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import fc from "fast-check";
import { expect, it } from "vitest";
import { markedJobSets, SECRET_MARKS } from "../../../testing/src/testing/marked-jobsets.ts";
import { runs } from "../../../testing/src/testing/runs.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { scenarioForJobSets } from "../scenario/scenario-for-jobsets.ts";
import { simulate } from "../scenario/simulate.ts";
import { toChromeTrace } from "./chrome-trace.ts";
import { formatDiff } from "./difference.ts";
import { renderTimelineHtml } from "./timeline-page.ts";
import { formatTimeline } from "./timeline-text.ts";
import { recordTrace } from "./trace.ts";

const marksIn = (text: string) => SECRET_MARKS.filter((mark) => text.includes(mark));

/** Returns a scenario in which a user edits a running JobSet. The webhook denies it and quotes the Pod template. */
function createScenario(
  jobSet: KubernetesObject,
  edited: KubernetesObject,
  created: KubernetesObject,
): Scenario {
  const { metadata } = created;
  const other = { ...created, metadata: { ...metadata, name: "other" } };
  const life = scenarioForJobSets([jobSet as never], {
    seed: 1,
    features: resolveFeatureGates({}),
    failures: [],
  });
  const { spec } = edited as KubernetesObject & { readonly spec: object };
  const patch = { kind: "JobSet", metadata: { namespace: "ml", name: "train" }, spec };
  const annotated = {
    ...patch,
    spec: undefined,
    metadata: { ...patch.metadata, annotations: edited.metadata.annotations },
  };
  const actions = [
    { at: 1_000, request: { verb: "patch", object: patch } },
    { at: 2_000, request: { verb: "patch", object: annotated } },
    { at: 3_000, request: { verb: "create", object: other } },
  ];
  return { ...life, actions: [...life.actions, ...(actions as never[])] };
}

it("traces, timelines and pages of a run show no values of its objects", () => {
  const shaped = markedJobSets({ misshapen: false });
  let refusals = 0;
  fc.assert(
    fc.property(shaped, shaped, markedJobSets(), (jobSet, edited, created) => {
      const scenario = createScenario(jobSet, edited, created);
      const { trace, result } = recordTrace(scenario);
      refusals += trace.entries.filter(({ what }) => what === "Refused").length;
      const lines = trace.entries.flatMap(({ patches }) => (patches ? formatDiff(patches()) : []));
      expect(lines.join()).toContain("(redacted ");
      const shown = [
        JSON.stringify(trace),
        JSON.stringify(toChromeTrace(trace)),
        renderTimelineHtml(trace, "run"),
        formatTimeline(trace.entries),
        lines.join(),
      ];
      for (const text of shown) expect(marksIn(text), text).toEqual([]);
      // The run itself uses the real values.
      expect(result.end.revision).toBe(simulate(scenario).end.revision);
      expect(marksIn(JSON.stringify(result.end.objects.ofKind("JobSet")))).not.toEqual([]);
    }),
    { numRuns: runs(4) },
  );
  expect(refusals).toBeGreaterThan(3);
});
