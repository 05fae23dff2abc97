import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { semanticEqual } from "./equality.ts";
import { renderJson, renderJsonList } from "./render.ts";
import { deepFrozen, typedValues, untypedJobSets } from "./testdata/typed-values.ts";

describe("renderJson", () => {
  it("renderJson prints members in the order of the type and leaves out zeros and unknown members", () => {
    const replicatedJob = {
      unknown: 1,
      dependsOn: [],
      replicas: 2,
      template: {
        spec: {
          completionMode: "Indexed",
          template: {
            spec: {
              nodeSelector: { pool: "a" },
              restartPolicy: "OnFailure",
              containers: [{ image: "busybox", name: "c", args: [], tty: false }],
            },
          },
        },
      },
      groupName: "default",
      name: "workers",
    };
    expect(renderJsonList([replicatedJob], "ReplicatedJob")).toBe(
      '[{"name":"workers","groupName":"default","template":{"metadata":{},"spec":{"template":{"metadata":{},"spec":{"containers":[{"name":"c","image":"busybox","resources":{}}],"restartPolicy":"OnFailure","nodeSelector":{"pool":"a"}}},"completionMode":"Indexed"}},"replicas":2}]',
    );
  });

  it("renderJson prints the zero value of a member without omitempty", () => {
    expect(renderJson({}, "ReplicatedJob")).toBe(
      '{"name":"","template":{"metadata":{},"spec":{"template":{"metadata":{},"spec":{"containers":null}}}}}',
    );
    expect(renderJson({ values: [] }, "PodFailurePolicyOnExitCodesRequirement")).toBe(
      '{"operator":"","values":[]}',
    );
    expect(renderJson({ resource: "cpu" }, "ResourceFieldSelector")).toBe(
      '{"resource":"cpu","divisor":"0"}',
    );
    expect(renderJson({ kind: "a" }, "TypedLocalObjectReference")).toBe(
      '{"apiGroup":null,"kind":"a","name":""}',
    );
    expect(renderJson({ conditions: [{ type: "a" }] }, "PersistentVolumeClaimStatus")).toBe(
      '{"conditions":[{"type":"a","status":"","lastProbeTime":null,"lastTransitionTime":null}]}',
    );
  });

  it("renderJson distinguishes absent from zero for pointer types", () => {
    expect(renderJson({ parallelism: 0, suspend: false, managedBy: "" }, "JobSpec")).toBe(
      '{"parallelism":0,"template":{"metadata":{},"spec":{"containers":null}},"suspend":false,"managedBy":""}',
    );
    expect(renderJson({ emptyDir: {}, name: "v" }, "Volume")).toBe('{"name":"v","emptyDir":{}}');
  });

  it("renderJson prints a scalar alone as a pointer", () => {
    expect(renderJson(6, "int32")).toBe("6");
    expect(renderJson("TerminatingOrFailed", "string")).toBe('"TerminatingOrFailed"');
    expect(renderJson("", "string")).toBe('""');
    expect(renderJson(false, "boolean")).toBe("false");
    expect(renderJson(undefined, "int32")).toBe("null");
    expect(renderJson(null, "string")).toBe("null");
  });

  it("renderJson prints an object alone as a value", () => {
    expect(renderJson(undefined, "PersistentVolumeClaimSpec")).toBe('{"resources":{}}');
  });

  it("renderJson prints an absent list as null and an empty one as []", () => {
    expect(renderJsonList(undefined, "ReplicatedJob")).toBe("null");
    expect(renderJsonList(null, "ReplicatedJob")).toBe("null");
    expect(renderJsonList([], "ReplicatedJob")).toBe("[]");
    expect(renderJsonList([null], "string")).toBe('[""]');
  });

  it("renderJson sorts the keys of a map by their bytes", () => {
    const labels = { "\u{1f600}": "4", b: "2", "\uff5e": "3", B: "1", 10: "0" };
    expect(renderJson({ labels }, "ObjectMeta")).toBe(
      '{"labels":{"10":"0","B":"1","b":"2","\uff5e":"3","\u{1f600}":"4"}}',
    );
  });

  it("renderJson escapes as Go does", () => {
    expect(renderJson('"\\/ <a> & \b\f\n\r\t\u0001\u007f \u2028\u2029 é', "string")).toBe(
      '"\\"\\\\/ \\u003ca\\u003e \\u0026 \\b\\f\\n\\r\\t\\u0001\u007f \\u2028\\u2029 é"',
    );
  });

  it("renderJson prints a lone surrogate as the replacement character, also in keys", () => {
    expect(renderJson("a\ud800", "string")).toBe('"a\ufffd"');
    const labels = { "\ud800": "first", "\udbff": "last" };
    expect(renderJson({ labels }, "ObjectMeta")).toBe('{"labels":{"\ufffd":"last"}}');
  });

  it("renderJson prints quantities, ports and times in their canonical form", () => {
    const requests = { storage: "1024Mi", a: 1000, b: null };
    expect(renderJson({ requests }, "VolumeResourceRequirements")).toBe(
      '{"requests":{"a":"1k","b":"0","storage":"1Gi"}}',
    );
    expect(renderJson({ port: "80" }, "TCPSocketAction")).toBe('{"port":"80"}');
    expect(renderJson({ port: 80 }, "TCPSocketAction")).toBe('{"port":80}');
    expect(
      renderJson(
        {
          deletionTimestamp: "0001-01-01T00:00:00Z",
          creationTimestamp: "2026-02-07T07:56:19.5+01:00",
        },
        "ObjectMeta",
      ),
    ).toBe('{"creationTimestamp":"2026-02-07T06:56:19Z","deletionTimestamp":null}');
  });

  it("renderJson prints integers in full", () => {
    expect(renderJson(-0, "int64")).toBe("0");
    expect(renderJson(-(2 ** 62), "int64")).toBe("-4611686018427387904");
    expect(renderJson(2 ** 63, "int64")).toBe("9223372036854775807");
  });

  it("renderJson prints a value of the wrong type as absent", () => {
    expect(renderJson({ name: 1, ports: "x", tty: "x", stdin: 1 }, "Container")).toBe(
      '{"name":"","resources":{}}',
    );
    expect(renderJson(1.5, "int32")).toBe("null");
    expect(renderJson("soon", "Time")).toBe("null");
  });

  it("renderJson prints JSON with the same value, and prints it the same again", () => {
    fc.assert(
      fc.property(typedValues("JobSetSpec"), (value) => {
        const text = renderJson(deepFrozen(value), "JobSetSpec");
        const parsed: unknown = JSON.parse(text);
        expect(renderJson(parsed, "JobSetSpec")).toBe(text);
        expect(semanticEqual(parsed, value, "JobSetSpec")).toBe(true);
      }),
    );
  });

  it("renderJson returns a result for every JSON value", () => {
    fc.assert(
      fc.property(untypedJobSets(), (value) => {
        expect(() => JSON.parse(renderJson(value, "JobSet"))).not.toThrow();
      }),
    );
  });
});
