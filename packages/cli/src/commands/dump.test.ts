import { describe, expect, it } from "vitest";
import { runLive } from "../live/testing/fake-kubectl.ts";
import {
  createResponses,
  forbidden,
  list,
  now,
  pool,
  readObjects,
  SECRET,
  type Stored,
} from "../live/testing/recorded-clusters.ts";
import { runCommand } from "../testing.ts";

describe("jobset dump", () => {
  const formats = [["-o", "json"], []];

  it.each([["s01-pool-slice"], ["s05-label-gone"], ["s12-new"], ["s17-two-causes"]])(
    "explain prints the same for the live cluster and its dump, which contains no secret: %s",
    async (name) => {
      const answers = createResponses(readObjects(name));
      const dumped = await runLive(["dump", "-A"], answers, { now });
      expect(dumped).toMatchObject({ exitCode: 0, error: "" });
      expect(dumped.out).not.toContain(SECRET);
      expect(dumped.out).not.toContain("managedFields");
      for (const format of formats) {
        const live = await runLive(["explain", "-A", ...format], answers, { now });
        const read = await runCommand(["explain", "-f", "-", ...format], { stdin: dumped.out });
        expect({ ...live, calls: 0 }).toEqual({ ...read, calls: 0 });
        expect(live.out).not.toBe("");
      }
    },
  );

  it("a dump keeps which kinds could not be read", async () => {
    const answers = { ...createResponses(pool), nodes: forbidden("nodes") };
    const dumped = await runLive(["dump", "-A"], answers, { now });
    expect(dumped.error).toContain("missing: Node (");
    const live = await runLive(["explain", "-A", "-o", "json"], answers, { now });
    const read = await runCommand(["explain", "-f", "-", "-o", "json"], { stdin: dumped.out });
    expect({ ...live, calls: 0 }).toEqual({ ...read, calls: 0 });
    expect(live.out).toContain("domain-occupied:nodes");
  });

  it("a dump of one JobSet omits the objects of the others and has the same diagnosis", async () => {
    const other = pool.flatMap((object) => {
      const text = JSON.stringify(object);
      if (!["JobSet", "Job", "Pod"].includes(object.kind) || object.metadata.namespace !== "ml")
        return [];
      const copy = text.replaceAll("js", "other").replaceAll('"uid":"', '"uid":"o-');
      return [JSON.parse(copy) as Stored];
    });
    const answers = createResponses([...pool, ...other]);
    const one = await runLive(["dump", "ml/js"], answers, { now });
    const { items } = JSON.parse(one.out) as { readonly items: readonly Stored[] };
    const names = items
      .filter(({ kind }) => kind === "JobSet")
      .map(({ metadata }) => metadata.name);
    expect(names).toEqual(["js"]);
    const pods = items.filter(({ kind }) => kind === "Pod");
    expect(pods.map(({ metadata }) => metadata.name)).toEqual(["js-w-0-0-86l79"]);
    const live = await runLive(["explain", "ml/js"], answers, { now });
    const read = await runCommand(["explain", "-f", "-"], { stdin: one.out });
    expect(read.out).toBe(live.out);
  });

  it("a dump of one JobSet omits Events about Pods that are not read", async () => {
    const objects = readObjects("s08-pull");
    const copy = JSON.stringify(objects.filter(({ kind }) => kind !== "Node"))
      .replaceAll("hello", "other")
      .replaceAll('"uid":"', '"uid":"o-');
    const answers = createResponses([...objects, ...(JSON.parse(copy) as readonly Stored[])]);
    const { out } = await runLive(["dump", "demo/hello"], answers, { now });
    expect(out).toMatch(/"kind":"Pod".*"name":"hello-w-0-0-wlfqm"/);
    expect(out).toContain("Back-off pulling image");
    expect(out).not.toContain("other-w-0");
  });

  it("a dump of one JobSet omits other JobSets, even if one of their Jobs changes its diagnosis", async () => {
    const objects = readObjects("s16-jobname");
    const jobSet = objects.find(({ kind }) => kind === "JobSet");
    const copy = JSON.stringify(jobSet).replace('"name":"js"', '"name":"other"');
    const other = JSON.parse(copy) as Stored;
    // The Job that has the name of a child Job belongs to the other JobSet.
    const labels = { "jobset.sigs.k8s.io/jobset-name": "other" };
    const owned = objects.map((object) =>
      object.metadata.name === "js-w-1" && object.kind === "Job"
        ? { ...object, metadata: { ...object.metadata, labels } }
        : object,
    );
    const answers = createResponses([...owned, other]);
    const one = await runLive(["dump", "js", "-n", "ml"], answers, { now });
    const live = await runLive(["explain", "js", "-n", "ml"], answers, { now });
    const read = await runCommand(["explain", "-f", "-"], { stdin: one.out });
    expect(live.out).toContain("job js-w-1 has no owner");
    expect(read.out).toBe(live.out);
  });

  it("a dump of files is redacted, too", async () => {
    const { exitCode, out } = await runCommand(["dump", "-f", "-"], { stdin: list(pool) });
    expect(exitCode).toBe(0);
    expect(out).toContain('"kind":"JobSet"');
    expect(out).not.toContain(SECRET);
  });

  it("a misshapen header of a dump counts as none", async () => {
    const { out: expected } = await runCommand(["explain", "-f", "-"], { stdin: list(pool) });
    for (const header of [
      1,
      {},
      { time: 7, kinds: [] },
      { time: "2026-11-22T00:00:00Z", kinds: {} },
    ]) {
      const stdin = JSON.stringify({
        apiVersion: "v1",
        kind: "List",
        jobsetDump: header,
        items: pool,
      });
      const { exitCode, out } = await runCommand(["explain", "-f", "-"], { stdin });
      expect({ exitCode, out }).toEqual({ exitCode: 0, out: expected });
    }
    const hostile = {
      time: "2026-11-22T00:00:00Z",
      kinds: [{}, "Pod"],
      readErrors: { Node: 1, Job: { message: "m" } },
    };
    const stdin = JSON.stringify({
      apiVersion: "v1",
      kind: "List",
      jobsetDump: hostile,
      items: pool,
    });
    const { exitCode, error } = await runCommand(["explain", "-f", "-"], { stdin });
    expect(exitCode).toBe(0);
    expect(error).toContain("missing: Job (the state of child Jobs); the first error: m");
  });
});
