import { formatFieldError } from "@jobset-ts/api/errors";
import { describe, expect, it } from "vitest";
import { randomScenario } from "./explore/random-scenario.ts";
import { faultNames } from "./scenario/fault.ts";
import { parseScenario } from "./schema.ts";

function listErrors(value: unknown) {
  const parsed = parseScenario(value);
  return parsed.ok ? [] : parsed.errors.map(({ field, type }) => [field, type]);
}

const scenario = randomScenario(1);

describe("parseScenario", () => {
  it("parseScenario accepts every random scenario after a JSON round trip", () => {
    const drawn = new Set<string>();
    // In the last scenario, an action removes the Job that the faults name.
    for (const seed of [...Array.from({ length: 300 }, (_, at) => at + 1), 2_696]) {
      const generated = randomScenario(seed);
      for (const { fault } of generated.faults) drawn.add(fault);
      const written = JSON.parse(JSON.stringify(generated)) as unknown;
      expect(listErrors(written)).toEqual([]);
    }
    expect(faultNames.filter((name) => !drawn.has(name))).toEqual([]);
  });

  it("parseScenario returns the same value, not a copy", () => {
    expect(parseScenario(scenario)).toEqual({ ok: true, value: scenario });
  });

  it("parseScenario reports fields that are missing, of the wrong type or out of range", () => {
    const faults = [
      { fault: "Crash", request: 0, when: "During", downMs: -1 },
      { fault: "HoldBack", kind: "Job", from: "1s", until: 2.5 },
      { fault: "Meteor" },
    ];
    expect(listErrors({ ...scenario, seed: undefined, faults })).toEqual([
      ["seed", "FieldValueRequired"],
      ["faults[0].request", "FieldValueInvalid"],
      ["faults[0].when", "FieldValueNotSupported"],
      ["faults[0].downMs", "FieldValueInvalid"],
      ["faults[1].from", "FieldValueTypeInvalid"],
      ["faults[1].until", "FieldValueTypeInvalid"],
      ["faults[2].fault", "FieldValueNotSupported"],
    ]);
  });

  it("parseScenario requires the name of a user's object, or a selector", () => {
    const request = { verb: "delete", object: { kind: "Pod", metadata: { namespace: "ml" } } };
    const selected = { at: 1, request, selector: { app: "train" } };
    expect(listErrors({ ...scenario, actions: [selected] })).toEqual([]);
    expect(listErrors({ ...scenario, actions: [{ at: 1, request }] })).toEqual([
      ["actions[0].request.object.metadata.name", "FieldValueRequired"],
    ]);
  });

  it("parseScenario rejects a time span that ends before it starts", () => {
    const span = { from: 1_526, until: 1_525 };
    const faults = [
      { fault: "Drain", node: "node-0", ...span },
      { fault: "Freeze", ...span, until: 1_526 },
    ];
    const queueing = { flavors: [], evictions: [{ flavor: "a", ...span }] };
    const parsed = parseScenario({ ...scenario, faults, queueing });
    expect(parsed.ok ? [] : parsed.errors.map(formatFieldError)).toEqual([
      "faults[0].until: Invalid value: 1525: must be no less than from, 1526",
      "queueing.evictions[0].until: Invalid value: 1525: must be no less than from, 1526",
    ]);
  });

  it("a scenario with an unwatched kind, a clock that is off by years or an unknown gate is rejected", () => {
    const faults = [
      { fault: "HoldBack", kind: "Jobb", from: 0, until: 1 },
      { fault: "ClockOffset", ms: -Number.MAX_SAFE_INTEGER },
      { fault: "ClockJump", ms: 366 * 86_400_000, from: 0, until: 1 },
      { fault: "ClockOffset", clock: "kubelet", ms: 1 },
      { fault: "ClockOffset", clock: "manager", ms: 1 },
    ];
    const features = { Foo: true, TLSOptions: false };
    expect(listErrors({ ...scenario, faults, features })).toEqual([
      ["faults[0].kind", "FieldValueNotSupported"],
      ["faults[1].ms", "FieldValueInvalid"],
      ["faults[4].clock", "FieldValueNotSupported"],
      ["features.Foo", "FieldValueInvalid"],
      ["features.TLSOptions", "FieldValueInvalid"],
    ]);
  });

  it("parseScenario rejects faults that name an unknown node, node label or JobSet", () => {
    const span = { from: 0, until: 1 };
    const create = (kind: string, name: string) => ({
      at: 0,
      request: { verb: "create", object: { kind, metadata: { name, namespace: "ml" } } },
    });
    const faults = [
      { fault: "Drain", node: "node-99", ...span },
      { fault: "LoseDomain", label: "rack", value: "r99", ...span },
      { fault: "Spurious", at: 1, jobSet: "train" },
      { fault: "Drain", node: "node-0", ...span },
      { fault: "LoseDomain", label: "rack", value: "r0", ...span },
      { fault: "Spurious", at: 1, jobSet: "ml/train" },
      { fault: "Drain", node: "node-100", ...span },
      { fault: "Spurious", at: 1, jobSet: "ml/another" },
    ];
    const actions = [create("Node", "node-100"), create("JobSet", "another")];
    const parsed = parseScenario({ ...scenario, faults, actions });
    expect(parsed.ok ? [] : parsed.errors.map(formatFieldError)).toEqual([
      'faults[0].node: Invalid value: "node-99": must name a Node of the scenario',
      'faults[1].value: Invalid value: "r99": must be the value of label rack on an initial Node',
      'faults[2].jobSet: Invalid value: "train": must name a JobSet of the scenario with its namespace',
    ]);
  });

  it("parseScenario rejects faults that name an unknown Job", () => {
    const fault = { fault: "RefuseObject", kind: "Job", from: 0, until: 1 };
    const faults = [
      ...["train-leader-0", "train-workers-9", "train-leader-00", "other-leader-0", "own"].map(
        (job) => ({ fault: "KillContainers", job, at: 1 }),
      ),
      { ...fault, name: "train-leader-0" },
      { ...fault, name: "train-other-0" },
      { ...fault, kind: "Service", name: "train-other-0" },
      { ...fault, name: "eval-one-0" },
    ];
    const create = (object: object) => ({ at: 0, request: { verb: "create", object } });
    const own = { kind: "Job", metadata: { name: "own", namespace: "ml" } };
    const another = {
      kind: "JobSet",
      metadata: { name: "eval", namespace: "ml" },
      spec: { replicatedJobs: [{ name: "one" }] },
    };
    const actions = [create(own), create(another)];
    const parsed = parseScenario({ ...scenario, faults, actions });
    const expected = "must name a Job of the scenario or of one of its JobSets";
    expect(parsed.ok ? [] : parsed.errors.map(formatFieldError)).toEqual([
      `faults[1].job: Invalid value: "train-workers-9": ${expected}`,
      `faults[2].job: Invalid value: "train-leader-00": ${expected}`,
      `faults[3].job: Invalid value: "other-leader-0": ${expected}`,
      `faults[6].name: Invalid value: "train-other-0": ${expected}`,
    ]);
  });

  it("parseScenario rejects objects that no API server can decode", () => {
    const node = { kind: "Node", metadata: { name: "node-9" } };
    const objects = [
      { ...node, status: "x" },
      { ...node, status: [] },
      { ...node, spec: 0 },
      { ...node, metadata: { ...node.metadata, ownerReferences: [true] } },
      { ...node, spec: null, status: null },
    ];
    expect(listErrors({ ...scenario, objects })).toEqual([
      ["objects[0].status", "FieldValueTypeInvalid"],
      ["objects[1].status", "FieldValueTypeInvalid"],
      ["objects[2].spec", "FieldValueTypeInvalid"],
      ["objects[3].metadata.ownerReferences[0]", "FieldValueTypeInvalid"],
    ]);
  });

  it("parseScenario rejects unknown members, because they have no effect", () => {
    const faults = [{ fault: "LoseReply", request: 1, until: 3 }];
    expect(listErrors({ ...scenario, faults, sed: 1 })).toEqual([
      ["faults[0].until", "FieldValueForbidden"],
      ["sed", "FieldValueForbidden"],
    ]);
  });

  it("a value that is not an object is rejected", () => {
    expect(listErrors([1])).toEqual([["<nil>", "FieldValueTypeInvalid"]]);
    expect(listErrors(null)).toEqual([["<nil>", "FieldValueTypeInvalid"]]);
  });
});
