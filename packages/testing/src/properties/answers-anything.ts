import fc from "fast-check";
import { broken, classics } from "../arbitraries/hostile-values.ts";
import { deepFreeze, frozenPart, thawed } from "../freezing.ts";
import { claim, claimSame } from "./claim.ts";

/** What one argument of a function may be. */
export type ArgumentKind =
  /** Whatever a cluster, a file, a user or a typed client comes with: values like these, broken ones, or none at all. */
  | { readonly anything: fc.Arbitrary<unknown> }
  /** What its type says, and these are examples of that. They are handed over as they are. */
  | { readonly typed: fc.Arbitrary<unknown> };

/** The names under which a module exports functions and classes. */
export type FunctionName<Module> = {
  [Name in keyof Module]: Module[Name] extends
    | ((...values: never) => unknown)
    | (abstract new (
        ...values: never
      ) => unknown)
    ? Name
    : never;
}[keyof Module];

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
  return fc.asyncProperty(argumentsOf(kinds), async (drawn) => {
    // What is typed may be no plain data, as a snapshot is not.
    const each = (change: (value: unknown) => unknown, values: readonly unknown[]) =>
      values.map((value, index) => (isAnything(kinds[index]) ? change(value) : value));
    const given = each(thawed, drawn);
    const text = textOf(given, kinds);
    const answer = await ask(...given);
    claimSame(textOf(given, kinds), text, "an argument has changed");
    const frozen = given.find((value, index) => isAnything(kinds[index]) && frozenPart(value));
    claim(frozen === undefined, "an argument has been frozen", frozen);
    claimSame(await ask(...each(deepFreeze, given)), answer, "the second answer is another");
  });
}

function argumentsOf(kinds: readonly ArgumentKind[]): fc.Arbitrary<readonly unknown[]> {
  const needed = kinds.findLastIndex((kind) => !isAnything(kind)) + 1;
  const ordinary = kinds.map((kind) => ("anything" in kind ? broken(kind.anything) : kind.typed));
  const same = fc
    .constantFrom(...classics)
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

function textOf(values: readonly unknown[], kinds: readonly ArgumentKind[]): string {
  return fc.stringify(values.filter((_, index) => isAnything(kinds[index])));
}
