import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../testing/src/testing/runs.ts";
import { goQuote } from "./quote.ts";
import { createRedactor, redactPath } from "./redaction.ts";

const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
const EXCLUSIVE_TOPOLOGY = "alpha.jobset.sigs.k8s.io/exclusive-topology";

describe("redactObject", () => {
  it("redactObject replaces equal values by equal text and different values by different text", () => {
    const redactor = createRedactor();
    const env = [
      { name: "A", value: "x" },
      { name: "B", value: "y" },
      { name: "C", value: "x" },
      { name: "D", value: "" },
    ];
    expect(redactor.redactObject({ spec: { containers: [{ env }] } })).toEqual({
      spec: {
        containers: [
          {
            env: [
              { name: "A", value: "(redacted 1)" },
              { name: "B", value: "(redacted 2)" },
              { name: "C", value: "(redacted 1)" },
              { name: "D", value: "" },
            ],
          },
        ],
      },
    });
    expect(redactor.redactObject({ args: ["y"] })).toEqual({ args: ["(redacted 2)"] });
  });

  it("redactObject keeps names of variables, references to Secrets, booleans and null", () => {
    const env = [
      { name: "A", valueFrom: { secretKeyRef: { name: "s", key: "k.pem", optional: true } } },
      { name: "B", valueFrom: { fieldRef: { fieldPath: "metadata.labels['a.b/c']" } } },
      { name: "C", value: true },
      { name: "D", value: null },
      null,
    ];
    const object = { env, httpHeaders: [{ name: "Accept" }], args: [], replicas: 2 };
    expect(createRedactor().redactObject(object)).toBe(object);
  });

  it("redactObject replaces values of any type and shape, and keys that may be values", () => {
    const { redactObject } = createRedactor();
    expect(
      redactObject({
        env: [
          { name: "A", value: 5 },
          { name: "B", value: 0.5 },
        ],
      }),
    ).toEqual({
      env: [
        { name: "A", value: 1 },
        { name: "B", value: 2.5 },
      ],
    });
    expect(redactObject({ env: ["A=b"] })).toEqual({ env: ["(redacted 3)"] });
    expect(redactObject({ env: "A=b" })).toEqual({ env: "(redacted 3)" });
    expect(redactObject({ env: { A: "c" } })).toEqual({ env: { "(redacted 4)": "(redacted 5)" } });
    expect(redactObject({ env: [{ name: "A=b", value: { k: ["v"] } }] })).toEqual({
      env: [{ name: "(redacted 3)", value: { "(redacted 6)": ["(redacted 7)"] } }],
    });
    expect(redactObject({ env: [{ name: "A", valueFrom: { secretKeyRef: "v" } }] })).toEqual({
      env: [{ name: "A", valueFrom: { secretKeyRef: "(redacted 7)" } }],
    });
    expect(redactObject({ command: "run v", Args: [["v"]] })).toEqual({
      command: "(redacted 8)",
      Args: [["(redacted 7)"]],
    });
  });

  it("redactObject replaces headers, the data of Secrets, and annotations that no decision reads", () => {
    const annotations = {
      [LAST_APPLIED]: '{"env":[{"value":"x"}]}',
      [EXCLUSIVE_TOPOLOGY]: "rack",
      "example.com/note": "x",
      "not a key": "y",
    };
    const object = {
      metadata: { labels: { env: "production" }, annotations },
      data: { token: "eA==" },
      httpGet: { httpHeaders: [{ name: "Authorization", value: "Bearer x" }] },
    };
    expect(createRedactor().redactObject(object)).toEqual({
      metadata: {
        labels: { env: "production" },
        annotations: {
          [LAST_APPLIED]: "(redacted 1)",
          [EXCLUSIVE_TOPOLOGY]: "rack",
          "example.com/note": "(redacted 2)",
          "(redacted 3)": "(redacted 4)",
        },
      },
      data: { "(redacted 5)": "(redacted 6)" },
      httpGet: { httpHeaders: [{ name: "Authorization", value: "(redacted 7)" }] },
    });
  });

  it("redactObject shares the parts that it does not change, and does not change its argument", () => {
    const object = { metadata: { name: "a" }, spec: { env: [{ name: "A", value: "x" }] } };
    const before = structuredClone(object);
    const redacted = createRedactor().redactObject(object);
    expect(object).toEqual(before);
    expect(redacted.metadata).toBe(object.metadata);
  });

  it("redactObject handles members named __proto__, and objects that are nested too deeply", () => {
    const protoObject = JSON.parse('{"__proto__": {"env": [{"value": "x"}]}}') as object;
    const text = '{"__proto__":{"env":[{"value":"(redacted 1)"}]}}';
    expect(JSON.stringify(createRedactor().redactObject(protoObject))).toBe(text);
    let deep: unknown = { env: [{ value: "x" }] };
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    let depth = 0;
    for (let rest = createRedactor().redactObject(deep); rest !== null; depth += 1) {
      rest = (rest as unknown[])[0];
    }
    expect(depth).toBeLessThan(1000);
  });
});

describe("redactPath", () => {
  it("redactPath ends a path before the first key that may be part of a value", () => {
    const formatRedactedPath = (...steps: (string | number)[]) => redactPath(steps).join(".");
    expect(formatRedactedPath("env", 0, "value", "hunter2", "x")).toBe("env.0.value");
    expect(formatRedactedPath("env", 0, "hunter2")).toBe("env.0");
    expect(formatRedactedPath("env", "hunter2")).toBe("env");
    expect(formatRedactedPath("args", 1, 0)).toBe("args.1.0");
    expect(formatRedactedPath("metadata", "annotations", "a b")).toBe("metadata.annotations");
    expect(formatRedactedPath("metadata", "annotations", "a/b", "c")).toBe(
      "metadata.annotations.a/b",
    );
    expect(formatRedactedPath("env", 0, "valueFrom", "secretKeyRef", "name")).toBe(
      "env.0.valueFrom.secretKeyRef.name",
    );
  });
});

describe("redactText", () => {
  const createRedactorFor = (...values: unknown[]) => {
    const redactor = createRedactor();
    redactor.redactObject({ args: values });
    return redactor;
  };

  it("redactText replaces a value that text quotes unchanged, escaped or truncated", () => {
    const { redactText } = createRedactorFor('pass "word"\n1', "hunter2-in-env", 86753091);
    const escaped = JSON.stringify('pass "word"\n1');
    expect(redactText("is hunter2-in-env.")).toBe("is (redacted 2).");
    expect(redactText(`is ${escaped} in ${JSON.stringify(escaped)}`)).toBe(
      'is "(redacted 1)" in "\\"(redacted 1)\\""',
    );
    expect(redactText("is hunter2...")).toBe("is (redacted 2)...");
    const start = "x".repeat(1_000);
    expect(redactText(`${start} hunter2-i`)).toBe(`${start} (redacted 2)`);
    expect(redactText("Invalid value: 86753091: no")).toBe("Invalid value: (redacted 3): no");
  });

  it("redactText replaces the words of a command line that may be secrets", () => {
    const { redactText } = createRedactorFor("run --password hunter2-in-args --verbose");
    expect(redactText('exec: "hunter2-in-args": not found')).toBe(
      'exec: "(redacted 1)": not found',
    );
    expect(redactText("run --verbose")).toBe("run --verbose");
  });

  it("redactText prefers the longest value", () => {
    const { redactText } = createRedactorFor("secret", "secret-1", "secret-1-and-more");
    expect(redactText("secret-1-and-more secret-1 x-secret-2")).toBe(
      "(redacted 3) (redacted 2) x-secret-2",
    );
  });

  it("redactText replaces short values and common words only inside quotes", () => {
    const { redactText } = createRedactorFor("abc", "worker", "2", "true");
    expect(redactText("worker abc failed: replicas: Invalid value: 2")).toBe(
      "worker abc failed: replicas: Invalid value: 2",
    );
    expect(redactText('A=abc, Invalid value: "worker", value: abc')).toBe(
      'A=(redacted 1), Invalid value: "(redacted 2)", value: (redacted 1)',
    );
  });

  it("redactText keeps names of objects, although a variable may hold one of them", () => {
    const redactor = createRedactor();
    const env = [{ name: "JOB", value: "train-2026" }];
    redactor.redactObject({
      metadata: { name: "train-2026" },
      spec: { env, args: ["train-2027"] },
    });
    expect(redactor.redactText("train-2026 and train-2027")).toBe("train-2026 and (redacted 2)");
  });

  it("redactText keeps the program of a container, but no other element of a command", () => {
    const redactor = createRedactor();
    redactor.redactObject({ containers: [{ command: ["/opt/run.sh", "/opt/other.sh"] }] });
    redactor.redactObject({ containers: [{ command: ["hunter2-as-program"] }] });
    redactor.redactObject({ containers: [{ command: ["/bin/tool --key=hunter3"] }] });
    redactor.redactObject({
      containers: [{ args: ["/opt/args.sh"] }, { command: "/opt/text.sh" }],
    });
    redactor.redactObject({ containers: [{ command: ["torchrun", "train.py"] }] });
    const { redactText } = redactor;
    expect(redactText('exec: "torchrun": executable file not found in $PATH')).toBe(
      'exec: "torchrun": executable file not found in $PATH',
    );
    expect(redactText('exec: "/opt/run.sh": permission denied')).toBe(
      'exec: "/opt/run.sh": permission denied',
    );
    for (const value of ["/opt/other.sh", "hunter2-as-program", "/bin/tool --key=hunter3"]) {
      expect(redactText(`exec: "${value}": not found`)).toMatch(
        /^exec: "\(redacted \d\)": not found$/,
      );
    }
    expect(redactText("/opt/args.sh /opt/text.sh")).toMatch(/^\(redacted \d\) \(redacted \d\)$/);
  });

  it("redactText finds each value in any text, in Go and JSON quotes", () => {
    const values = fc.array(fc.string({ minLength: 6, unit: "binary-ascii" }), { minLength: 1 });
    fc.assert(
      fc.property(values, fc.nat(), (all, index) => {
        const value = `Z9${all[index % all.length]}`;
        const { redactText } = createRedactorFor(...all, value);
        for (const form of [value, JSON.stringify(value), goQuote(value)]) {
          expect(redactText(`before ${form} after`)).not.toContain(form);
        }
      }),
      { numRuns: runs(50) },
    );
  });

  it("redactText takes time in proportion to the text for any values", () => {
    const seconds = (size: number) => {
      const { redactText } = createRedactorFor(
        "a".repeat(size),
        `${"a".repeat(size)}b`,
        "aaaaaaab",
      );
      const text = `${"a".repeat(7)}c`.repeat(size / 8);
      const start = process.cpuUsage();
      for (let round = 0; round < 3; round += 1) redactText(text);
      const { user } = process.cpuUsage(start);
      return user / 1e6;
    };
    seconds(1 << 14);
    expect(seconds(1 << 17)).toBeLessThan(32 * Math.max(seconds(1 << 14), 0.002));
  });
});

describe("redactMessages", () => {
  it("redactMessages replaces values in the messages of Events, conditions and containers", () => {
    const redactor = createRedactor();
    redactor.redactObject({ env: [{ name: "A", value: "hunter2" }] });
    const message = "hunter2 is wrong";
    const object = { note: message, status: { conditions: [{ reason: "hunter2", message }] } };
    expect(redactor.redactMessages(object)).toEqual({
      note: "(redacted 1) is wrong",
      status: { conditions: [{ reason: "hunter2", message: "(redacted 1) is wrong" }] },
    });
    const other = { message: "fine", status: { conditions: [] } };
    expect(redactor.redactMessages(other)).toBe(other);
  });
});
