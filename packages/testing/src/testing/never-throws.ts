import fc from "fast-check";
import {
  commonHostileValues,
  corruptedAtOneName,
  hostileValues,
  unusableValues,
} from "../arbitraries/hostile-values.ts";
import { claim, claimSame } from "../laws/claim.ts";
import { deepClone, deepFreeze, findFrozenPath } from "./freezing.ts";

/** The possible values of a function's argument. */
export type ArgumentKind =
  /** Any data from a cluster, a file, a user or a client: values like these, corrupted ones, or none. */
  | { readonly anything: fc.Arbitrary<unknown> }
  /** Values of the declared type, such as these examples. They are passed unchanged. */
  | { readonly typed: fc.Arbitrary<unknown> };

/** Returns the kind of an argument that may have any value. The examples are typical values. */
export function anything(like: fc.Arbitrary<unknown> = hostileValues()): ArgumentKind {
  return { anything: like };
}

/** Returns the kind of an argument that only code creates. It always has its type. */
export function trusted(...values: readonly unknown[]): ArgumentKind {
  return { typed: fc.constantFrom(...values) };
}

// biome-ignore lint/suspicious/noExplicitAny: the values are unvalidated on purpose
type UncheckedFunction = (...values: any[]) => unknown;

/** The kinds of a function's arguments. Optionally another function to call with them. */
export type FunctionRow =
  | readonly ArgumentKind[]
  | { readonly of: readonly ArgumentKind[]; readonly calls: UncheckedFunction };

/** A row for each exported function and class of a module, by name. */
export type FunctionTable<Module> = Readonly<Record<FunctionName<Module>, FunctionRow>>;

type FunctionName<Module> = {
  [Name in keyof Module]: Module[Name] extends
    | ((...values: never) => unknown)
    | (abstract new (
        ...values: never
      ) => unknown)
    ? Name
    : never;
}[keyof Module];

/**
 * Creates {@link neverThrows} for each exported function of a module, by name. A function without a row is called
 * without arguments.
 */
export function functionsNeverThrow(
  module: object,
  table: Readonly<Record<string, FunctionRow>>,
): readonly (readonly [name: string, property: fc.IAsyncProperty<unknown>])[] {
  return Object.entries(module)
    .filter(([, value]) => typeof value === "function")
    .map(([name, subject]) => {
      const row = table[name] ?? [];
      const { of, calls } = "of" in row ? row : { of: row, calls: subject };
      return [name, neverThrows(calls, of)];
    });
}

/**
 * A function never throws and never rejects, for any values of its unvalidated arguments. A second call returns the
 * same result. The function does not change or freeze its arguments, and accepts frozen ones. Trailing unvalidated
 * arguments may be missing.
 *
 * @param subject - returns plain data or a promise of plain data
 */
export function neverThrows(
  subject: (...values: never[]) => unknown,
  kinds: readonly ArgumentKind[],
): fc.IAsyncProperty<unknown> {
  const call = subject as (...values: unknown[]) => unknown;
  return fc.asyncProperty(listArguments(kinds), async (generated) => {
    // A typed argument may not be plain data. A snapshot is an example.
    const mapEach = (change: (value: unknown) => unknown, values: readonly unknown[]) =>
      values.map((value, index) => (isAnything(kinds[index]) ? change(value) : value));
    const given = mapEach(deepClone, generated);
    const result = await call(...given);
    claimSame(given, generated, "an argument has changed");
    const frozen = given.find((value, index) => isAnything(kinds[index]) && findFrozenPath(value));
    claim(frozen === undefined, "an argument has been frozen", frozen);
    claimSame(await call(...mapEach(deepFreeze, given)), result, "the second answer is another");
  });
}

function listArguments(kinds: readonly ArgumentKind[]): fc.Arbitrary<readonly unknown[]> {
  const needed = kinds.findLastIndex((kind) => !isAnything(kind)) + 1;
  const ordinary = kinds.map((kind) =>
    "anything" in kind ? corruptedAtOneName(kind.anything) : kind.typed,
  );
  const same = fc
    .constantFrom(...commonHostileValues, ...unusableValues)
    .chain((value) =>
      fc.tuple(...kinds.map((kind) => ("anything" in kind ? fc.constant(value) : kind.typed))),
    );
  return fc
    .tuple(
      fc.oneof({ arbitrary: fc.tuple(...ordinary), weight: 3 }, { arbitrary: same, weight: 2 }),
      fc.option(fc.integer({ min: needed, max: kinds.length }), { nil: kinds.length }),
    )
    .map(([values, count]) => values.slice(0, count));
}

function isAnything(kind: ArgumentKind | undefined): boolean {
  return kind !== undefined && "anything" in kind;
}
