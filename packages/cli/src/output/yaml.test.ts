import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { runs } from "../../../testing/src/testing/runs.ts";
import { readYamlDocuments } from "../input/yaml-documents.ts";
import { formatYaml } from "./yaml.ts";

describe("formatYaml", () => {
  it("formatYaml formats objects and lists as kubectl does", () => {
    const job = {
      kind: "Job",
      metadata: { name: "train", labels: {}, finalizers: [] },
      spec: { containers: [{ name: "a", args: ["-c", "echo"] }, { name: "b" }], suspend: false },
      nested: [[1, 2], [[3]]],
      absent: undefined,
      nothing: null,
    };
    expect(formatYaml(job)).toBe(`kind: Job
metadata:
  name: train
  labels: {}
  finalizers: []
spec:
  containers:
  - name: a
    args:
    - -c
    - echo
  - name: b
  suspend: false
nested:
- - 1
  - 2
- - - 3
nothing: null
`);
  });

  it("formatYaml escapes control characters of terminals and keeps the value", () => {
    const value = { "a\u009b": "\t", b: ["\u202e", "x\n\u007f\u2028\u001b"] };
    const text = formatYaml(value);
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}\u2028]/u);
    expect(parse(text)).toEqual(value);
  });

  it("formatYaml writes multi-line text as a literal block", () => {
    expect(formatYaml({ script: "set -e\n\npython train.py\n" })).toBe(
      "script: |\n  set -e\n\n  python train.py\n",
    );
    expect(formatYaml(["a\nb"])).toBe("- |-\n  a\n  b\n");
    expect(formatYaml(["a\n\n"])).toBe("- |+\n  a\n\n");
  });

  it.each([
    ["yes"],
    ["off"],
    ["NULL"],
    ["~"],
    ["y"],
    ["12e03"],
    ["1e3"],
    ["0x1F"],
    ["012"],
    ["1_000"],
    ["12:30:45"],
    ["2026-02-07"],
    ["1.5"],
    [".5"],
    [".inf"],
    [""],
    [" a"],
    ["a "],
    ["a: b"],
    ["a #b"],
    ["a:"],
    ["- a"],
    ["*a"],
    ["&a"],
    ["!a"],
    ["%a"],
    ["@a"],
    ["`a"],
    ["{a"],
    ["[a"],
    ["<<"],
    ["e2"],
    ["="],
    ["?"],
    ["a\u0000"],
    ["\ud800"],
    ["0o17"],
  ])("formatYaml quotes %j", (text) => {
    expect(formatYaml(text)).toMatch(/^".*"\n$/s);
  });

  it.each([
    ["train-workers-3"],
    ["500m"],
    ["1Gi"],
    ["registry.example.com/train:v2"],
    ["/data"],
    ["--epochs=3"],
    ["-c"],
    ["$(HOSTNAME)"],
    ["a, b [c]"],
    ["ünïcode"],
    ["nvidia.com/gpu"],
    ["it's"],
  ])("formatYaml does not quote %j", (text) => {
    expect(formatYaml(text)).toBe(`${text}\n`);
  });

  it("formatYaml output has the same value in YAML 1.2, YAML 1.1 and kubectl", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: fc.constantFrom(..." \n\t:#-0123eE.x_aA<\"'\\[]{}|>&*!%?,=~yn") }),
    );
    const values = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.double({ noNaN: true, noDefaultInfinity: true }).filter((x) => !Object.is(x, -0)),
        fc.maxSafeInteger(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(
          text.filter((key) => key !== "__proto__"),
          tie("value"),
          { maxKeys: 3 },
        ),
      ),
    })).value;
    fc.assert(
      fc.property(values, (value) => {
        const written = formatYaml({ value });
        const plain = JSON.parse(JSON.stringify({ value })) as unknown;
        const noFolding = { prettyErrors: false, logLevel: "silent" } as const;
        expect(parse(written, noFolding)).toEqual(plain);
        expect(parse(written, { ...noFolding, version: "1.1" })).toEqual(plain);
        const [read] = readYamlDocuments(written);
        const messages = read?.errors.map(({ message }) => message) ?? [];
        // Values that no Kubernetes object can contain are written, but cannot be read.
        if (!messages.some((message) => /NUL|surrogate|integer beyond/.test(message))) {
          expect(messages).toEqual([]);
          expect(read?.value).toEqual(plain);
        }
      }),
      { numRuns: runs(150) },
    );
  });
});
