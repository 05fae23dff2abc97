import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { ControlPlane } from "./control-plane.ts";
import { generateJobCases, type JobCase } from "./job-cases/generate-cases.ts";
import { type ServerVerdict, tryCreateJob } from "./try-create-job.ts";

/** The number of requests in flight. */
const CONCURRENT = 8;

/**
 * Sends all generated Jobs to an API server, which validates and does not store them, and writes its verdicts to the
 * recorded decisions of the conformance package. Jobs that crash the server are omitted.
 *
 * @returns the number of Jobs, and of those that the server accepts
 */
export async function recordJobCases(
  binary: string,
  root: string,
): Promise<{ readonly count: number; readonly accepted: number }> {
  const cases = [...generateJobCases()];
  const verdicts = new Array<ServerVerdict | undefined>(cases.length);
  const plane = await ControlPlane.start(binary, { runsJobs: false });
  try {
    let next = 0;
    const work = async () => {
      for (let at = next++; at < cases.length; at = next++) {
        verdicts[at] = await tryCreateJob(plane, (cases[at] as JobCase).job);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT }, work));
  } finally {
    await plane.stop();
  }
  const lines = cases.flatMap(({ name, job }, at) => {
    const output = verdicts[at];
    if (output === undefined) return [];
    return [JSON.stringify({ id: `job.create/${name}`, input: { job }, output })];
  });
  const file = join(root, "packages", "conformance", "vectors", "job.create.jsonl.gz");
  writeFileSync(file, gzipSync(`${lines.join("\n")}\n`, { level: 9 }));
  const accepted = verdicts.filter((verdict) => verdict?.code === 201).length;
  return { count: lines.length, accepted };
}
