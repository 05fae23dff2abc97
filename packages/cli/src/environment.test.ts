import { describe, expect, it } from "vitest";
import { redaction } from "./environment.ts";

describe("redaction", () => {
  it("replaces equal values by equal text and different ones by different text", () => {
    const redact = redaction();
    const env = [
      { name: "A", value: "x" },
      { name: "B", value: "y" },
      { name: "C", value: "x" },
      { name: "D", valueFrom: { secretKeyRef: { name: "s", key: "k" } } },
      { name: "E", value: "" },
      { name: "F", value: 5 },
      null,
    ];
    expect(redact({ spec: { containers: [{ env }] } })).toEqual({
      spec: {
        containers: [
          {
            env: [
              { name: "A", value: "(redacted 1)" },
              { name: "B", value: "(redacted 2)" },
              { name: "C", value: "(redacted 1)" },
              ...env.slice(3),
            ],
          },
        ],
      },
    });
    expect(redact({ env: [{ value: "y" }] })).toEqual({ env: [{ value: "(redacted 2)" }] });
  });

  it("leaves out the manifest that kubectl apply keeps", () => {
    const name = "kubectl.kubernetes.io/last-applied-configuration";
    const object = { metadata: { annotations: { [name]: '{"env":[{"value":"x"}]}', other: "x" } } };
    expect(redaction()(object)).toEqual({
      metadata: { annotations: { [name]: "(redacted 1)", other: "x" } },
    });
  });

  it("shares what it does not change, and changes nothing that it is given", () => {
    const object = { metadata: { name: "a" }, spec: { env: [{ name: "A", value: "x" }] } };
    const before = structuredClone(object);
    const redacted = redaction()(object);
    expect(object).toEqual(before);
    expect(redacted.metadata).toBe(object.metadata);
    const plain = { list: [1, { a: null }] };
    expect(redaction()(plain)).toBe(plain);
  });

  it("is not led astray by names, nor by depth", () => {
    const odd = JSON.parse(
      '{"__proto__": {"env": [{"value": "x"}]}, "env": {"value": "x"}}',
    ) as object;
    expect(JSON.stringify(redaction()(odd))).toBe(
      '{"__proto__":{"env":[{"value":"(redacted 1)"}]},"env":{"value":"x"}}',
    );
    let deep: unknown = { env: [{ value: "x" }] };
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    const text: string[] = [];
    for (let rest = redaction()(deep); rest !== null; rest = (rest as unknown[])[0]) text.push("[");
    expect(text.length).toBeLessThan(1000);
  });
});
