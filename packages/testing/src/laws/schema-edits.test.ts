import { admitJobSet } from "@jobset-ts/admission";
import type { ShapeName } from "@jobset-ts/api/typed";
import { getShape } from "@jobset-ts/api/typed";
import { createContext, createSnapshot } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import { asJson } from "./as-json.ts";
import { memberEdits } from "./schema-edits.ts";

const edits = memberEdits().map((make) => make());
const podSpec = "template.spec.template.spec";

/** Returns the path below the ReplicatedJob, without indexes. */
function pathIn(says: string): string {
  const [path = ""] = says.replace(/^spec\.replicatedJobs\[\d\]\./, "").split(" ");
  return path.replaceAll(/\[\d\]/g, "");
}

describe("memberEdits", () => {
  it.each<[ShapeName, path: string]>([
    ["JobTemplateSpec", "template"],
    ["ObjectMeta", "template.metadata"],
    ["JobSpec", "template.spec"],
    ["ObjectMeta", "template.spec.template.metadata"],
    ["PodSpec", podSpec],
    ["Affinity", `${podSpec}.affinity`],
    ["Container", `${podSpec}.containers`],
    ["Container", `${podSpec}.initContainers`],
    ["EphemeralContainer", `${podSpec}.ephemeralContainers`],
  ])("memberEdits contains a change of every field of %s at %s", (type, path) => {
    const changed = edits
      .filter(({ says }) => says.includes(" changes "))
      .map(({ says }) => `${pathIn(says)}.`);
    const paths = getShape(type).members.map(({ name }) => `${path}.${name}.`);
    const missed = paths.filter((one) => !changed.some((other) => other.startsWith(one)));
    expect(missed).toEqual([]);
  });

  it("memberEdits changes the affinity in every ReplicatedJob and in every state", () => {
    const says = edits.map((edit) => edit.says).filter((one) => pathIn(one).endsWith(".affinity"));
    const affinity = `${podSpec}.affinity`;
    const expected = [
      ...[0, 1, 2].map((at) => [at, "while the JobSet runs"]),
      ...[
        "while the JobSet is suspended",
        "as the JobSet is suspended",
        "as the JobSet is resumed",
      ].map((state) => [expect.any(Number), state]),
    ];
    for (const [at, state] of expected) {
      const one = new RegExp(
        `^spec.replicatedJobs.${typeof at === "number" ? at : "\\d"}..${affinity} changes ${state}$`,
      );
      expect(says).toContainEqual(expect.stringMatching(one));
    }
  });

  it("every edit of memberEdits changes the JobSet", () => {
    for (const { says, before, after } of edits)
      expect(asJson(after), says).not.toEqual(asJson(before));
  });

  it("the schema of the API server admits an edit of each path", () => {
    const context = createContext({ now: 0 });
    const byPath = new Map(edits.map((edit) => [pathIn(edit.says), edit]));
    for (const { says, before, after } of byPath.values()) {
      const request = {
        operation: "UPDATE",
        oldObject: asJson(before),
        object: asJson(after),
      } as const;
      const admitted = admitJobSet(request, createSnapshot([]), context);
      if (!admitted.allowed) expect([says, admitted.stage]).toEqual([says, "validate"]);
    }
  });
});
