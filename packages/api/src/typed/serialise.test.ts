import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { semanticEqual } from "./equality.ts";
import { reserializeAndCheck } from "./serialise.ts";
import { deepFrozen, typedValues, untypedJobSets } from "./testdata/typed-values.ts";

function reserialize(...[value, type]: Parameters<typeof reserializeAndCheck>): unknown {
  return reserializeAndCheck(value, type).value;
}

describe("reserializeAndCheck", () => {
  it("roundTrip adds the members that Go always prints", () => {
    expect(reserialize({ spec: { replicatedJobs: [{}] } }, "JobSet")).toEqual({
      metadata: {},
      spec: {
        replicatedJobs: [
          {
            name: "",
            template: {
              metadata: {},
              spec: { template: { metadata: {}, spec: { containers: null } } },
            },
          },
        ],
      },
      status: { restarts: 0 },
    });
  });

  it("roundTrip adds the members that Go always prints in a claim template", () => {
    const template = { spec: { dataSource: { kind: "PVC", name: "old" } } };
    expect(reserialize({ templates: [template] }, "VolumeClaimPolicy")).toEqual({
      templates: [
        {
          metadata: {},
          spec: { dataSource: { apiGroup: null, kind: "PVC", name: "old" }, resources: {} },
          status: {},
        },
      ],
    });
  });

  it("roundTrip adds the zeros of required scalars, and no zero that Go omits", () => {
    expect(reserialize({ ports: [{}], env: [{}] }, "Container")).toEqual({
      name: "",
      ports: [{ containerPort: 0 }],
      env: [{ name: "" }],
      resources: {},
    });
    expect(reserialize({ resource: "cpu" }, "ResourceFieldSelector")).toEqual({
      resource: "cpu",
      divisor: "0",
    });
    expect(reserialize({}, "HTTPGetAction")).toEqual({ port: 0 });
  });

  it("roundTrip writes quantities and times in canonical form", () => {
    const limits = { cpu: 1, memory: "1024Mi", disk: "1.500", gpu: "1k" };
    expect(reserialize({ limits }, "ResourceRequirements")).toEqual({
      limits: { cpu: "1", memory: "1Gi", disk: "1.500", gpu: "1k" },
    });
    const metadata = {
      creationTimestamp: "2026-02-07T07:56:19.5+01:00",
      deletionTimestamp: "2026-02-07T06:56:19Z",
    };
    expect(reserialize(metadata, "ObjectMeta")).toEqual({
      creationTimestamp: "2026-02-07T06:56:19Z",
      deletionTimestamp: "2026-02-07T06:56:19Z",
    });
  });

  it("roundTrip prints Go's zero time as null, unless Go omits it", () => {
    const zero = "0001-01-01T00:00:00Z";
    expect(reserialize({ creationTimestamp: zero, deletionTimestamp: zero }, "ObjectMeta")).toEqual(
      { creationTimestamp: zero, deletionTimestamp: null },
    );
    expect(reserialize({ startedAt: zero }, "ContainerStateRunning")).toEqual({ startedAt: null });
  });

  it("roundTrip replaces null in lists, maps and always-printed members by the zero value", () => {
    const value = {
      name: null,
      command: ["sh", null],
      env: [null],
      resources: { limits: { cpu: null } },
      image: null,
      args: null,
    };
    expect(reserialize(value, "Container")).toEqual({
      name: "",
      command: ["sh", ""],
      env: [{ name: "" }],
      resources: { limits: { cpu: "0" } },
      image: null,
      args: null,
    });
  });

  it("roundTrip keeps unknown members, explicit zeros, empty lists and nulls", () => {
    const value = {
      name: "",
      groupName: "",
      replicas: 0,
      dependsOn: [],
      template: {
        metadata: { labels: {}, annotations: null, unknown: [null] },
        spec: {
          suspend: false,
          parallelism: null,
          template: { metadata: {}, spec: { containers: [], priority: 0, unknown: { a: null } } },
        },
      },
    };
    expect(reserialize(value, "ReplicatedJob")).toBe(value);
  });

  it("roundTrip shares unchanged parts with its input", () => {
    const env = [{ name: "A" }];
    const value = { name: "c", env, resources: { limits: { cpu: "1000m" } } };
    const second = reserialize(value, "Container") as typeof value;
    expect(second.env).toBe(env);
    expect(value.resources.limits.cpu).toBe("1000m");
    expect(second.resources.limits.cpu).toBe("1");
  });

  it("roundTrip treats __proto__ as an ordinary key", () => {
    const labels = JSON.parse('{"__proto__":null,"constructor":null}');
    const second = reserialize({ labels }, "ObjectMeta") as { labels: object };
    expect(JSON.stringify(second)).toBe('{"labels":{"__proto__":"","constructor":""}}');
  });

  it("roundTrip keeps values of the wrong type", () => {
    for (const value of [undefined, null, 1, "x", [{}]]) {
      expect(reserialize(value, "Container")).toBe(value);
    }
    const value = { name: 1, command: "sh", resources: { limits: { cpu: "?" }, requests: [1] } };
    expect(reserialize(value, "Container")).toBe(value);
  });

  it("roundTrip changes nothing the second time, and never its input", () => {
    fc.assert(
      fc.property(typedValues("JobSet"), (value) => {
        const text = JSON.stringify(value);
        const second = reserialize(deepFrozen(value), "JobSet");
        expect(reserialize(second, "JobSet")).toBe(second);
        expect(JSON.stringify(value)).toBe(text);
      }),
    );
  });

  it("roundTrip does not change the meaning of a value", () => {
    fc.assert(
      fc.property(typedValues("JobSetSpec"), (value) => {
        expect(semanticEqual(reserialize(value, "JobSetSpec"), value, "JobSetSpec")).toBe(true);
      }),
    );
  });

  it("roundTrip returns a result for every JSON value", () => {
    fc.assert(
      fc.property(untypedJobSets(), (value) => {
        const second = reserialize(deepFrozen(value), "JobSet");
        expect(reserialize(second, "JobSet")).toBe(second);
      }),
    );
  });
});
