import fc from "fast-check";
import {
  commonHostileValues,
  corruptedAtOneName,
  hostileValues,
  unusableValues,
} from "../arbitraries/hostile-values.ts";
import { claim, claimSame } from "../laws/claim.ts";
import { deepFreeze, frozenPart, thawed } from "./freezing.ts";

/** What one argument of a function may be. */
export type ArgumentKind =
  /** Whatever a cluster, a file, a user or a typed client comes with: values like these, broken ones, or none at all. */
  | { readonly anything: fc.Arbitrary<unknown> }
  /** What its type says, and these are examples of that. They are handed over as they are. */
  | { readonly typed: fc.Arbitrary<unknown> };

/** Something that may be anything, like these. */
export function anything(like: fc.Arbitrary<unknown> = hostileValues()): ArgumentKind {
  return { anything: like };
}

/** What only a program makes: it is of its type. */
export function ofCode(...values: readonly unknown[]): ArgumentKind {
  return { typed: fc.constantFrom(...values) };
}

// biome-ignore lint/suspicious/noExplicitAny: the point is that nobody has checked the values
type Asked = (...values: any[]) => unknown;

/** What the arguments of a function may be; and what is asked of them, where it is more than the function itself. */
export type FunctionRow =
  | readonly ArgumentKind[]
  | { readonly of: readonly ArgumentKind[]; readonly asked: Asked };

/** A row for each function and class that a module exports, by name. */
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
 * {@link answersAnything} of each function that a module exports, by its name; one without a row is asked without arguments.
 */
export function functionsAnswerAnything(
  module: object,
  table: Readonly<Record<string, FunctionRow>>,
): readonly (readonly [name: string, property: fc.IAsyncProperty<unknown>])[] {
  return Object.entries(module)
    .filter(([, value]) => typeof value === "function")
    .map(([name, subject]) => {
      const row = table[name] ?? [];
      const { of, asked } = "of" in row ? row : { of: row, asked: subject };
      return [name, answersAnything(asked, of)];
    });
}

/**
 * Whatever is handed over where an argument may be anything, there is an answer: nothing is thrown, a promise is kept,
 * the second answer is the first. What was handed over is neither changed nor frozen, and may be frozen. Arguments at
 * the end that may be anything may be missing.
 *
 * @param subject - answers in plain data or a promise of such
 */
export function answersAnything(
  subject: (...values: never[]) => unknown,
  kinds: readonly ArgumentKind[],
): fc.IAsyncProperty<unknown> {
  const ask = subject as (...values: unknown[]) => unknown;
  return fc.asyncProperty(listArguments(kinds), async (drawn) => {
    // What is typed may be no plain data, as a snapshot is not.
    const each = (change: (value: unknown) => unknown, values: readonly unknown[]) =>
      values.map((value, index) => (isAnything(kinds[index]) ? change(value) : value));
    const given = each(thawed, drawn);
    const answer = await ask(...given);
    claimSame(given, drawn, "an argument has changed");
    const frozen = given.find((value, index) => isAnything(kinds[index]) && frozenPart(value));
    claim(frozen === undefined, "an argument has been frozen", frozen);
    claimSame(await ask(...each(deepFreeze, given)), answer, "the second answer is another");
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
