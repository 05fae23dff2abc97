import fc from "fast-check";
import { type ElementType, isShapeName, type Member, getTypedShape } from "../shape.ts";
import type { ShapeName } from "../shapes.ts";

const texts = fc.constantFrom("", "a", "<&>", "\u2028", "é", "\uff5e", "😀", '"\\\n', "\ud800");
const keys = fc.constantFrom("a", "b", "", "\uff5e", "😀", "__proto__", "constructor");

const scalars: Record<Exclude<ElementType, ShapeName>, fc.Arbitrary<unknown>> = {
  string: texts,
  boolean: fc.boolean(),
  int32: fc.constantFrom(0, 1, -1, 2_147_483_647, -2_147_483_648),
  int64: fc.constantFrom(0, 1, 4_294_967_296, -9_007_199_254_740_991),
  integer: fc.constantFrom(0, 1, 4_294_967_296),
  Quantity: fc.constantFrom("0", "1", "1000m", "0.5", "1Gi", "1024Mi", "+5", "1E3", 0, 1.5, 1000),
  IntOrString: fc.constantFrom<string | number>("http", "", "0", 0, 80),
  // Parts of a second, and Go's zero time where it is nullable, do not survive being written.
  Time: fc.constantFrom("2026-02-07T06:56:19Z", "2026-02-07T07:56:19+01:00"),
};

/**
 * Values that decode as a type: some of its members, nulls among them, and now and then a member that the type
 * does not have.
 */
export function typedValues(type: ShapeName): fc.Arbitrary<Record<string, unknown>> {
  return objects(type, 6) as fc.Arbitrary<Record<string, unknown>>;
}

function objects(type: ShapeName, depth: number): fc.Arbitrary<unknown> {
  if (depth === 0) return fc.constant({});
  const { members } = getTypedShape(type);
  const onTheWay = members.filter(({ name }) =>
    ["replicatedJobs", "spec", "template", "templates", "containers"].includes(name),
  );
  const some = fc.uniqueArray(
    fc.constantFrom(...members).chain((member) => createEntry(member, depth)),
    { maxLength: 3, selector: ([name]) => name },
  );
  const way = onTheWay.map((member) => fc.option(createEntry(member, depth), { nil: undefined }));
  const unknown = fc.option(fc.constant(["unknown", { deep: [null] }] as const), { nil: undefined });
  return fc
    .tuple(some, unknown, ...way)
    .map(([first, ...others]) =>
      Object.fromEntries([...first, ...others.filter((entry) => entry !== undefined)]),
    );
}

function createEntry(member: Member, depth: number): fc.Arbitrary<readonly [string, unknown]> {
  const element = fc.option(elements(member.type, depth), { freq: 10 });
  const content = {
    none: () => element,
    list: () => fc.option(fc.array(element, { maxLength: 2 })),
    map: () =>
      fc.option(
        fc.array(fc.tuple(keys, element), { maxLength: 3 }).map((all) => Object.fromEntries(all)),
      ),
  }[member.collection]();
  return content.map((value) => [member.name, value] as const);
}

function elements(type: ElementType, depth: number): fc.Arbitrary<unknown> {
  return isShapeName(type) ? objects(type, depth - 1) : scalars[type];
}

/** Any JSON value, and any where a JobSet has its members. */
export function untypedJobSets(): fc.Arbitrary<unknown> {
  const any = fc.jsonValue({ maxDepth: 2 });
  const or = (arbitrary: fc.Arbitrary<unknown>) => fc.oneof(any, arbitrary, arbitrary);
  const some = (model: Record<string, fc.Arbitrary<unknown>>) =>
    or(fc.record(model, { requiredKeys: [] }));
  const list = (element: fc.Arbitrary<unknown>) => or(fc.array(or(element), { maxLength: 3 }));
  const podTemplate = some({ spec: some({ restartPolicy: any, containers: any }) });
  const template = some({ spec: some({ completionMode: any, template: podTemplate }) });
  const spec = some({
    replicatedJobs: list(some({ name: any, template })),
    network: some({ enableDNSHostnames: any }),
    successPolicy: any,
    failurePolicy: some({ rules: list(some({ name: any })) }),
    volumeClaimPolicies: list(some({ templates: any, retentionPolicy: any })),
  });
  return some({ metadata: any, spec, status: any });
}

/** Returns the value and all that it holds, frozen. */
export function deepFrozen<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const content of Object.values(value)) deepFrozen(content);
  }
  return value;
}
