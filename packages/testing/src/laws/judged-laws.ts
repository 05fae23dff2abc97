import type fc from "fast-check";
import type { Controller } from "./controller.ts";
import type { Breach } from "./judge.ts";
import { type Law, type LawText, lawOf } from "./law.ts";

/** A law, and which breaches are of it. */
export interface JudgedLawText extends LawText {
  readonly about: RegExp;
}

/** The law that a breach is of: the first that fits. */
export function nameOfLaw<Name extends string>(
  texts: Readonly<Record<Name, JudgedLawText>>,
  { about }: Breach,
): Name {
  const names = Object.keys(texts) as Name[];
  const [general] = names.slice(-1);
  return (names.find((name) => texts[name].about.test(about)) ?? general) as Name;
}

/** How the cases of laws are drawn, judged and shown. */
export interface JudgedCases<Name extends string, Case> {
  readonly casesOf: (name: Name) => fc.Arbitrary<Case>;
  readonly breachesOf: (
    controller: Controller,
    drawn: Case,
  ) => Promise<{ readonly breaches: readonly Breach[]; readonly asked: readonly string[] }>;
  readonly shown: (drawn: Case, asked: readonly string[], breaches: readonly Breach[]) => string;
}

/** Laws of which one judge tells the breaches. */
export function judgedLaws<Name extends string, Case extends object>(
  texts: Readonly<Record<Name, JudgedLawText>>,
  { casesOf, breachesOf, shown }: JudgedCases<Name, Case>,
): ReadonlyMap<Name, Law<Controller>> {
  return new Map(
    (Object.keys(texts) as Name[]).map((name) => {
      const { sentence, defects } = texts[name];
      const breach = async (controller: Controller, drawn: Case) => {
        const judged = await breachesOf(controller, drawn);
        const own = judged.breaches.filter((one) => nameOfLaw(texts, one) === name);
        return own.length === 0 ? undefined : shown(drawn, judged.asked, own);
      };
      return [name, lawOf(name, { sentence, defects }, casesOf(name), breach)];
    }),
  );
}
