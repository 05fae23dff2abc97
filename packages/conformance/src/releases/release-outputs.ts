import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isPlainObject } from "../normalise.ts";
import { readLines } from "../read-lines.ts";

/** The families whose decisions were also recorded with the releases. */
export const familiesOfReleases: ReadonlySet<string> = new Set([
  "jobs.construct",
  "jobset.default",
  "jobset.validateCreate",
  "jobset.validateDelete",
  "jobset.validateUpdate",
  "pod.mutate",
  "pod.validate",
  "podPlacement.reconcile",
  "reconcile",
  "reconcile.faults",
]);

/** The result of a release for the input of a case. */
export interface ReleaseOutput {
  /** Undefined if the output equals main's. */
  readonly output?: unknown;
  readonly tags: readonly string[];
}

/** The recorded outputs of one release for the cases of one file. */
export interface ReleaseOutputs {
  /** Whether cases that are not listed return the same as main. Otherwise, they were not recorded. */
  readonly isComplete: boolean;
  readonly byId: ReadonlyMap<string, ReleaseOutput>;
}

/**
 * Reads the outputs of releases that belong to a file of main's decisions.
 *
 * They are in `releases/<release>/<file>` next to the file. That file lists only cases that differ. Or they are in
 * `releases/<file>`, a sample of all releases. Each of its lines has `releases`, and no `output` if the releases return
 * the same as main.
 *
 * @returns by release; empty if there are none. A release without differences has no file
 * @throws if a line is not valid
 */
export async function readReleaseOutputs(
  file: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, ReleaseOutputs>> {
  const folder = join(dirname(file), "releases");
  const outputs = new Map<string, ReleaseOutputs>();
  const sample = join(folder, basename(file));
  if (existsSync(sample)) {
    for (const name of names) outputs.set(name, { isComplete: false, byId: new Map() });
    await readInto(sample, outputs);
    return outputs;
  }
  for (const name of names.filter((one) => existsSync(join(folder, one)))) {
    outputs.set(name, { isComplete: true, byId: new Map() });
    const differing = join(folder, name, basename(file));
    if (existsSync(differing)) await readInto(differing, outputs, name);
  }
  return outputs;
}

async function readInto(
  file: string,
  outputs: ReadonlyMap<string, ReleaseOutputs>,
  only?: string,
): Promise<void> {
  for await (const { number, bytes } of readLines(file)) {
    if (bytes.length === 0) continue;
    const line: unknown = JSON.parse(bytes.toString("utf8"));
    if (!isPlainObject(line) || typeof line.id !== "string") {
      throw new Error(`${file}:${number}: is not an output of a release`);
    }
    const { id, output, tags = [], releases = [only] } = line;
    for (const name of releases as readonly string[]) {
      const byId = outputs.get(name)?.byId as Map<string, ReleaseOutput> | undefined;
      byId?.set(id, { output, tags: tags as readonly string[] });
    }
  }
}
