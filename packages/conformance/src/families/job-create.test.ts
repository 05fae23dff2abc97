import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { runs } from "../../../testing/src/testing/runs.ts";
import { readCases } from "../read-cases.ts";
import { jobCreate } from "./job-create.ts";

const recorded = new URL("../../vectors/job.create.jsonl.gz", import.meta.url);

it("validateJob rejects the recorded Jobs that an API server rejects, with the same errors in the same order", async () => {
  const step = runs(40, 1);
  let index = 0;
  for await (const one of readCases(fileURLToPath(recorded))) {
    index += 1;
    if (!one.ok) throw new Error(one.error.reason);
    if (index % step !== 1 % step) continue;
    const { id, input, output } = one.value;
    const replayed = jobCreate.replay(input, { quirks: "none", tags: [] });
    expect(jobCreate.compare?.(output, replayed.output, one.value), id).toEqual([]);
  }
  expect(index).toBeGreaterThan(5000);
});
