import { expect, it } from "vitest";
import { typicalScenarios } from "../testing/typical-scenarios.ts";
import { formatSummary } from "./summary-text.ts";
import { formatTimeline } from "./timeline-text.ts";
import { recordTrace } from "./trace.ts";

it("formatSummary shows how JobSets ended, the final state of their objects, and what changed a JobSet", () => {
  const { trace } = recordTrace(typicalScenarios.failure as never);
  const [objects = "", turns = ""] = formatSummary(trace).split("\n\n");
  expect(objects).toMatch(/^JobSet train: Failed \(\S+\) at \d+\.\d{3}s/);
  expect(objects).toMatch(/^ {2}Job train-workers-1: Failed/m);
  expect(objects).toMatch(/^ {4}2 Pods train-workers-1-\{0,1\}: Failed on node-0$/m);
  expect(turns).toMatch(/ created JobSet train\n/);
  expect(turns).toMatch(/ changed JobSet train: Failed/);
  expect(turns).not.toMatch(/ (?:Pod|Job) /);
  expect(turns.split("\n").length).toBeLessThan(
    formatTimeline(trace.entries).split("\n").length / 2,
  );
});
