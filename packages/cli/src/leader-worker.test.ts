import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runCommand } from "./testing.ts";

const example = new URL("../../../examples/leader-worker/", import.meta.url);
const files = {
  "jobset.yaml": readFileSync(new URL("jobset.yaml", example)),
  "edited.yaml": readFileSync(new URL("edited.yaml", example), "utf8"),
};

describe("the leader-worker example", () => {
  it("the example renders the objects that its comments describe", async () => {
    const { exitCode, out, error } = await runCommand(["render", "-f", "jobset.yaml"], { files });
    expect({ exitCode, error }).toEqual({ exitCode: 0, error: "" });
    await expect(out).toMatchFileSnapshot(new URL("rendered.yaml", example).pathname);
  });

  it("each worker group gets its own rack", async () => {
    const { out } = await runCommand(["render", "-f", "jobset.yaml", "-o", "json"], { files });
    const { items } = JSON.parse(out) as {
      items: { metadata: { annotations?: Record<string, string> } }[];
    };
    const racks = items.map(
      ({ metadata }) => metadata.annotations?.["alpha.jobset.sigs.k8s.io/exclusive-topology"],
    );
    const rack = "topology.example.com/rack";
    expect(racks).toEqual([undefined, undefined, undefined, rack, rack, rack, rack]);
  });

  it("every Pod gets the address of the leader", async () => {
    const { out } = await runCommand(["names", "-f", "jobset.yaml", "-o", "name"], { files });
    expect(out.split("\n")[0]).toBe("pretrain-leader-0-0.mesh");
  });

  it("an edit can move the workers only if it suspends the JobSet", async () => {
    const args = ["diff", "jobset.yaml", "edited.yaml", "-o", "json"];
    const suspended = await runCommand(args, { files });
    expect(JSON.parse(suspended.out)).toMatchObject({ items: [{ admission: { allowed: true } }] });
    const edited = files["edited.yaml"].replace("  suspend: true\n", "");
    const running = await runCommand(args, { files: { ...files, "edited.yaml": edited } });
    expect(running.exitCode).toBe(1);
    const [preview] = (JSON.parse(running.out) as { items: unknown[] }).items;
    expect(preview).toMatchObject({
      changes: [{ permitted: false }, { permitted: true }],
      admission: { allowed: false, stage: "validate" },
    });
  });
});
