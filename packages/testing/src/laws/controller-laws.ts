import type fc from "fast-check";
import type { CheckResult } from "./check-controller.ts";
import type { ControllerSubject } from "./controller.ts";
import { createLaw, type Law, type LawText } from "./law.ts";
import { isHang, type RequestViolation } from "./violation.ts";

/** How the cases of laws are generated, checked and formatted. */
export interface ControllerLawCases<Name extends string, Case> {
  readonly generateCases: (name: Name) => fc.Arbitrary<Case>;
  /** Returns the law that a violation breaks. */
  readonly lawFor: (violation: RequestViolation) => Name;
  readonly checkCase: (controller: ControllerSubject, generated: Case) => Promise<CheckResult>;
  readonly shown: (
    generated: Case,
    requests: readonly string[],
    violations: readonly RequestViolation[],
  ) => string;
}

/** Creates the laws whose violations come from one check. */
export function createControllerLaws<Name extends string, Case extends object>(
  texts: Readonly<Record<Name, LawText>>,
  {
    generateCases: casesOf,
    lawFor,
    checkCase: violationsOf,
    shown,
  }: ControllerLawCases<Name, Case>,
): ReadonlyMap<Name, Law<ControllerSubject>> {
  return new Map(
    (Object.keys(texts) as Name[]).map((name) => {
      const { sentence, defects } = texts[name];
      const violation = async (controller: ControllerSubject, generated: Case) => {
        const judged = await violationsOf(controller, generated);
        const { violations, requests: asked, thrown } = judged;
        const hang = violations.find(isHang);
        if (hang !== undefined) {
          return { details: shown(generated, asked, [hang]), thrown, isSlow: true };
        }
        const own = violations.filter((one) => lawFor(one) === name);
        return own.length === 0 ? undefined : { details: shown(generated, asked, own), thrown };
      };
      return [name, createLaw(name, { sentence, defects }, casesOf(name), violation)];
    }),
  );
}
