import { describe, expect, it } from "vitest";
import { readJsonDocuments } from "./json-document.ts";
import { findNearestValue, findStepsAt, type LocatedValue } from "./located-value.ts";
import { readYamlDocuments } from "./yaml-documents.ts";

const yaml = `metadata:
  labels:
    app: x
    a.b/c[d]: y
    a: z
spec:
  replicatedJobs:
  - name: leader
    replicas: 2
  - {name: workers, "on": [1, 2]}
`;

function getRoot(text: string): LocatedValue {
  const document = (readJsonDocuments(text) ?? readYamlDocuments(text))[0];
  if (document === undefined) throw new Error("no document");
  return document.root;
}

/** Returns the rest of the line at the position of a field. */
function getTextAt(text: string, field: string): string | undefined {
  return text.slice(findNearestValue(getRoot(text), field).offset).split("\n")[0];
}

describe("findNearestValue", () => {
  it("findNearestValue finds the key of a member and the start of an element", () => {
    expect(getTextAt(yaml, "spec.replicatedJobs[0].replicas")).toBe("replicas: 2");
    expect(getTextAt(yaml, "spec.replicatedJobs[1]")).toBe('{name: workers, "on": [1, 2]}');
    expect(getTextAt(yaml, "spec.replicatedJobs[1].on[1]")).toBe("2]}");
  });

  it("findNearestValue finds keys with dots and brackets in any path notation", () => {
    for (const field of ["[a.b/c[d]]", '["a.b/c[d]"]', ".a.b/c[d]"]) {
      expect(getTextAt(yaml, `metadata.labels${field}`)).toBe("a.b/c[d]: y");
    }
    expect(getTextAt(yaml, "metadata.labels.a")).toBe("a: z");
  });

  it("findNearestValue returns the nearest ancestor of a field that is not written", () => {
    expect(getTextAt(yaml, "spec.replicatedJobs[0].template.spec")).toBe("- name: leader".slice(2));
    expect(getTextAt(yaml, "spec.replicatedJobs[7].name")).toBe("replicatedJobs:");
    expect(getTextAt(yaml, "status.restarts")).toBe("metadata:");
    expect(getTextAt(yaml, "<nil>")).toBe("metadata:");
  });

  it("findNearestValue finds the same positions in JSON", () => {
    const json = '{"a": {"b\\u0063": [1, {"d": "}]"}, 3]},\n "e": true}';
    expect(getTextAt(json, "a.bc[1].d")).toBe('"d": "}]"}, 3]},');
    expect(getTextAt(json, "a.bc[2]")).toBe("3]},");
    expect(getTextAt(json, "e")).toBe('"e": true}');
    expect(getTextAt(json, "a.x")).toBe('"a": {"b\\u0063": [1, {"d": "}]"}, 3]},');
  });

  it("findNearestValue follows aliases and merge keys to the original text", () => {
    const shared = "base: &base\n  replicas: 2\nspec:\n  <<: *base\n  name: a\ncopy: *base\n";
    expect(getTextAt(shared, "spec.replicas")).toBe("replicas: 2");
    expect(getTextAt(shared, "spec.name")).toBe("name: a");
    expect(getTextAt(shared, "copy.replicas")).toBe("replicas: 2");
    expect(getTextAt(shared, "copy")).toBe("copy: *base");
  });
});

describe("findStepsAt", () => {
  it("findStepsAt returns the path of the innermost value at an offset", () => {
    expect(findStepsAt(getRoot(yaml), yaml.indexOf("2"))).toEqual([
      "spec",
      "replicatedJobs",
      0,
      "replicas",
    ]);
    expect(findStepsAt(getRoot(yaml), yaml.indexOf("y\n"))).toEqual([
      "metadata",
      "labels",
      "a.b/c[d]",
    ]);
    expect(findStepsAt(getRoot(yaml), 0)).toEqual(["metadata"]);
  });
});
