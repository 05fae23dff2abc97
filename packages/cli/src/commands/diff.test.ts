import { manifests } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../testing/src/testing/runs.ts";
import { aJobSetFile, aReplicatedJob, runCommand, type TestEnvironment } from "../testing.ts";

const manifest = aJobSetFile(`suspend: false\nreplicatedJobs:\n${aReplicatedJob("w")}`);
const stored = manifest
  .replace("  name: train", "  name: train\n  namespace: ml\n  uid: 1-2-3")
  .replace("      completions: 2", "      completions: 2\n        completionMode: Indexed");

/** The Job of the stored JobSet. */
const job = `apiVersion: batch/v1
kind: Job
metadata:
  name: train-w-0
  namespace: ml
  uid: 7-8-9
  labels:
    jobset.sigs.k8s.io/jobset-name: train
    jobset.sigs.k8s.io/replicatedjob-name: w
    jobset.sigs.k8s.io/job-index: "0"
    jobset.sigs.k8s.io/restart-attempt: "0"
  ownerReferences:
  - {apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, name: train, uid: 1-2-3, controller: true}
spec: {suspend: false, parallelism: 2, completions: 2, completionMode: Indexed}
`;

async function runDiff(
  old: string,
  next: string,
  args: readonly string[] = [],
  world: TestEnvironment = {},
) {
  const files = { "old.yaml": old, "new.yaml": next, ...world.files };
  return runCommand(["diff", "old.yaml", "new.yaml", ...args], { ...world, files });
}

interface Preview {
  readonly changes: readonly Readonly<Record<string, unknown>>[];
  readonly admission: { readonly allowed: boolean; readonly stage?: string };
  readonly impact?: { readonly counts: Readonly<Record<"before" | "after", object>> };
}

async function runPreview(old: string, next: string, args: readonly string[] = []) {
  const { out } = await runDiff(old, next, [...args, "-o", "json"], { files: { "job.yaml": job } });
  const { items } = JSON.parse(out) as { readonly items: readonly [Preview] };
  return items[0];
}

describe("jobset diff", () => {
  it("diff exits with 0 if nothing changes", async () => {
    const { exitCode, out, error } = await runDiff(stored, stored);
    expect({ exitCode, error }).toEqual({ exitCode: 0, error: "" });
    expect(out).toMatch(/^nothing changes\n/);
  });

  it("diff prints the changes and their effect on the Jobs", async () => {
    const files = { "job.yaml": job };
    const next = stored.replace("suspend: false", "suspend: true");
    expect(await runDiff(stored, next, ["--cluster", "job.yaml"], { files })).toEqual({
      exitCode: 1,
      out: `FIELD          FROM    TO     MUTABILITY   PERMITTED   WHY
spec.suspend   false   true   Free         true        it may change at any time

admitted

JOB         WITHOUT THE EDIT   WITH THE EDIT
train-w-0   Untouched          Patched
`,
      error: "",
    });
  });

  it("diff prints the position of a denied edit, and no effects", async () => {
    const { exitCode, out, error } = await runDiff(stored, stored.replace("w:1", "w:2"));
    expect(exitCode).toBe(1);
    expect(out).toMatch(
      /^FIELD .*\nspec\.replicatedJobs\[0\]\.template\S+containers\[0\]\.image +"example\.com\/w:1" +"example\.com\/w:2" +Immutable +false .*\n\ndenied in validate\n$/,
    );
    expect(out).not.toContain("WITH THE EDIT");
    expect(error).toMatch(/^new\.yaml:9:3: spec\.replicatedJobs: Invalid value: .*\n$/);
  });

  it("diff warns about unknown fields", async () => {
    const bogus = stored.replace("suspend:", "bogus: 1\n  suspend:");
    const { error } = await runDiff(stored, bogus, ["--validate=warn"]);
    expect(error).toBe("new.yaml:8:3: warning: spec.bogus: unknown field, dropped\n");
  });

  it("diff prints the whole preview as JSON", async () => {
    const next = stored.replace("suspend: false", "suspend: true");
    const preview = await runPreview(stored, next, ["--cluster", "job.yaml"]);
    expect(preview.changes).toMatchObject([{ path: "spec.suspend", from: false, to: true }]);
    expect(preview.admission.allowed).toBe(true);
    expect(preview.impact?.counts).toMatchObject({
      before: { Untouched: 1, Patched: 0 },
      after: { Untouched: 0, Patched: 1 },
    });
    const { out } = await runDiff(stored, next, ["-o", "yaml"]);
    expect(out).toMatch(/^items:\n- changes:\n {2}- path: spec\.suspend\n/);
  });

  it("diff compares two manifests as the JobSets that the webhook creates from them", async () => {
    expect((await runDiff(manifest, manifest)).exitCode).toBe(0);
    const preview = await runPreview(manifest, manifest.replace("suspend: false", "suspend: true"));
    expect(preview.changes.map(({ path }) => path)).toEqual(["spec.suspend"]);
    const bad = await runPreview(manifest, `${manifest}  ttlSecondsAfterFinished: -1\n`);
    expect(bad.changes.map(({ path }) => path)).toEqual(["spec.ttlSecondsAfterFinished"]);
    expect(bad.admission).toMatchObject({ allowed: false, stage: "schema" });
  });

  it("diff compares manifests with generateName", async () => {
    const generated = manifest.replace("name: train", "generateName: train-");
    const same = await runDiff(generated, generated);
    expect(same).toMatchObject({ exitCode: 0, out: expect.stringMatching(/^nothing changes\n/) });
    expect(same.error).toMatch(/^old\.yaml:4:3: note: metadata\.generateName: .*"train-xxxxx"\n$/);
    const suspended = generated.replace("suspend: false", "suspend: true");
    expect((await runPreview(generated, suspended)).changes).toMatchObject([
      { path: "spec.suspend", permitted: true },
    ]);
    const named = stored.replace("name: train", "name: train-b2c3d\n  generateName: train-");
    const edit = suspended.replace(
      "completions: 2",
      "completions: 2\n        completionMode: Indexed",
    );
    expect((await runPreview(named, edit)).changes.map(({ path }) => path)).toEqual([
      "spec.suspend",
    ]);
    const other = await runPreview(generated, generated.replace("train-", "serve-"));
    expect(other.admission.allowed).toBe(false);
  });

  it("diff finds no change between a JobSet and itself, named or not", async () => {
    await fc.assert(
      fc.asyncProperty(manifests(), fc.boolean(), async ({ metadata, ...jobSet }, isNamed) => {
        const { name, ...others } = { ...metadata };
        const own = isNamed ? { ...others, name } : { ...others, generateName: `${name}-` };
        const text = JSON.stringify({ ...jobSet, metadata: own });
        const { exitCode, out } = await runDiff(text, text);
        const admitted = await runCommand(["admit", "-f", "-"], { stdin: text });
        expect({ exitCode, out: out.split("\n")[0] }).toEqual({
          exitCode: admitted.exitCode,
          out: admitted.exitCode === 0 ? "nothing changes" : "",
        });
      }),
      { numRuns: runs(30) },
    );
  });

  it("diff treats omitted fields as removed if the old JobSet is stored", async () => {
    const { changes } = await runPreview(stored, manifest);
    expect(changes.map(({ path }) => path)).toEqual([
      "spec.replicatedJobs[0].template.spec.completionMode",
    ]);
  });

  it("diff rejects an old manifest that no cluster would admit", async () => {
    expect(await runDiff(`${manifest}  ttlSecondsAfterFinished: -1\n`, manifest)).toMatchObject({
      exitCode: 1,
      out: "",
      error: expect.stringMatching(
        /^old\.yaml:\d+:3: spec\.ttlSecondsAfterFinished: Invalid value: -1/,
      ),
    });
  });

  it("diff rejects two different JobSets", async () => {
    const { changes, admission } = await runPreview(stored, stored.replace("train", "other"));
    expect(changes).toMatchObject([{ path: "metadata.name", permitted: false }]);
    expect(admission).toMatchObject({ allowed: false, stage: "schema" });
  });

  it("diff requires exactly one JobSet in each file", async () => {
    expect(await runDiff(`${stored}---\n${stored}`, job)).toEqual({
      exitCode: 2,
      out: "",
      error: "old.yaml: expected one JobSet, found 2\nnew.yaml: expected one JobSet, found 0\n",
    });
    expect((await runCommand(["diff", "old.yaml"])).exitCode).toBe(2);
  });

  it("diff reads standard input once", async () => {
    expect(await runCommand(["diff", "-", "-"], { stdin: stored })).toEqual({
      exitCode: 2,
      out: "",
      error: "<stdin>: standard input can be read only once\n",
    });
  });
});
