import type { JobSet } from "@jobset-ts/api";
import { describe, expect, it } from "vitest";
import { play } from "../scenario/play.ts";
import { randomScenario } from "./random-scenario.ts";

describe("randomScenario", () => {
  it("has an end also where a policy restarts a JobSet as often as it fails", () => {
    const { end, isQuiet } = play(randomScenario(373));
    const [jobSet] = end.objects.ofKind<JobSet>("JobSet");
    expect(jobSet?.spec.failurePolicy?.rules?.[0]?.action).toBe(
      "RestartJobSetAndIgnoreMaxRestarts",
    );
    expect([isQuiet, jobSet?.status?.restarts]).toEqual([true, 12]);
  });
});
