import { describe, expect, it } from "vitest";
import { readObjects } from "./objects.ts";

const jobSet = "apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nmetadata:\n  name: ";

function readText(text: string) {
  return readObjects([{ name: "f.yaml", text }]);
}

/** Returns the errors of a text as `line:column field: message`. */
function findProblems(text: string): string[] {
  return readText(text).diagnostics.map(
    ({ position, field, message }) => `${position?.line}:${position?.column} ${field}: ${message}`,
  );
}

function listNames(text: string): unknown[] {
  return readText(text).jobSets.map(({ value }) => (value.metadata as { name: unknown }).name);
}

describe("readObjects", () => {
  it("readObjects finds the JobSets of all documents and ignores other objects", () => {
    const input = readText(`${jobSet}a\n---\napiVersion: v1\nkind: Service\n---\n${jobSet}b\n`);
    expect(input.jobSets.map(({ value }) => value.metadata)).toEqual([
      { name: "a" },
      { name: "b" },
    ]);
    expect(input.others.map(({ value }) => value.kind)).toEqual(["Service"]);
    expect(input.diagnostics).toEqual([]);
  });

  it("readObjects returns the items of lists, also of nested lists", () => {
    const item = (name: string) => ({
      apiVersion: "jobset.x-k8s.io/v1alpha2",
      kind: "JobSet",
      metadata: { name },
    });
    const inner = {
      apiVersion: "v1",
      kind: "List",
      items: [item("b"), { apiVersion: "v1", kind: "Pod" }],
    };
    const list = { apiVersion: "v1", kind: "List", items: [item("a"), inner] };
    expect(listNames(JSON.stringify(list))).toEqual(["a", "b"]);
  });

  it("readObjects takes apiVersion and kind of a typed list's items from the list", () => {
    const list =
      "apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSetList\nitems:\n- metadata: {name: a}\n";
    expect(listNames(list)).toEqual(["a"]);
  });

  it("readObjects finds the fields of an item in its list", () => {
    const text = `apiVersion: v1\nkind: List\nitems:\n- apiVersion: jobset.x-k8s.io/v1alpha2\n  kind: JobSet\n  spec:\n    suspend: 1\n`;
    const [found] = readText(text).jobSets;
    expect(found?.diagnose("spec.suspend", "wrong")).toEqual({
      severity: "error",
      file: "f.yaml",
      position: { line: 7, column: 5 },
      field: "spec.suspend",
      message: "wrong",
    });
    expect(found?.diagnose("metadata.name", "Required value", "warning")).toMatchObject({
      severity: "warning",
      position: { line: 4, column: 3 },
    });
  });

  it("readObjects reports duplicate fields with their paths in the object", () => {
    const item = (name: string) =>
      `{"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "metadata": ${name}}`;
    const list = (items: string) => `{"apiVersion": "v1", "kind": "List", "items": [${items}]}`;
    const twice = item('{"name": "a", "name": "b", "labels": {"x/y": "1", "x/y": "2"}}');
    const text = list(`${item('{"name": "first"}')}, ${list(twice)}`);
    const fields = [
      { field: "metadata.name", line: 1 },
      { field: "metadata.labels[x/y]", line: 1 },
    ];
    expect(readText(text).jobSets.map(({ duplicates }) => duplicates)).toEqual([[], fields]);
    expect(readText(twice).jobSets.map(({ duplicates }) => duplicates)).toEqual([fields]);
    const [, second] = readText(text).jobSets;
    expect(second?.diagnose("metadata.name", "x").position).toEqual({
      line: 1,
      column: text.indexOf('"name": "b"') + 1,
    });
  });

  it("readObjects rejects a list with a duplicate key, because its content is ambiguous", () => {
    const list = `apiVersion: v1\nkind: List\nitems: []\nitems:\n- ${jobSet.replaceAll("\n", "\n  ")}a\n`;
    expect(findProblems(list)).toEqual([
      "4:1 items: Duplicate value: the key was already set in line 3",
    ]);
  });

  it("readObjects rejects a JobSet of another version or group, and another kind of JobSet's group", () => {
    expect(findProblems("apiVersion: jobset.x-k8s.io/v1alpha1\nkind: JobSet\n")).toEqual([
      '1:1 apiVersion: Unsupported value: "jobset.x-k8s.io/v1alpha1": supported values: "jobset.x-k8s.io/v1alpha2"',
    ]);
    expect(findProblems("kind: JobSet\napiVersion: v1\n")).toEqual([
      '2:1 apiVersion: Unsupported value: "v1": supported values: "jobset.x-k8s.io/v1alpha2"',
    ]);
    expect(findProblems("apiVersion: jobset.x-k8s.io/v1alpha2\nkind: Jobset\n")).toEqual([
      '2:1 kind: Unsupported value: "Jobset": supported values: "JobSet"',
    ]);
  });

  it("readObjects rejects a value that is not an object, or has no apiVersion or kind", () => {
    expect(findProblems("spec: {}\n")).toEqual(["1:1 apiVersion: Required value"]);
    expect(findProblems("apiVersion: v1\n")).toEqual(["1:1 kind: Required value"]);
    expect(findProblems("apiVersion: 1\nkind: JobSet\n")).toEqual([
      "1:1 apiVersion: Invalid value: expected a string, found a number",
    ]);
    const expected = "expected an object with apiVersion and kind, found";
    expect(findProblems("hello\n")).toEqual([`1:1 : ${expected} a string`]);
    expect(findProblems("---\na: 1\n---\n[]\n").at(-1)).toBe(`4:1 : ${expected} a list`);
    expect(findProblems("apiVersion: v1\nkind: List\nitems: [null, 5]\n")).toEqual([
      `3:9 items[0]: ${expected} null`,
      `3:15 items[1]: ${expected} a number`,
    ]);
  });

  it("readObjects reads the other documents of a file with an invalid one", () => {
    const input = readText(`a: [1\n---\n${jobSet}b\n`);
    expect(input.diagnostics).toHaveLength(1);
    expect(input.jobSets).toHaveLength(1);
  });

  it("readObjects returns no diagnostics for files without documents", () => {
    expect(readText("\n# nothing\n")).toEqual({
      objects: [],
      jobSets: [],
      others: [],
      documents: [],
      diagnostics: [],
    });
  });
});
