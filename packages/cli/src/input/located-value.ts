import type { PathStep } from "@jobset-ts/api/errors";

/**
 * A value of a document and its place in the text. Children are located on demand, because most documents have no
 * error.
 */
export interface LocatedValue {
  /** Where it starts in the document's text; a member starts with its key. */
  readonly offset: number;
  /** An object's members by name, in the order of the text; none for anything else. */
  readonly members: () => ReadonlyMap<string, LocatedValue>;
  /** A list's elements; none for anything else. */
  readonly elements: () => readonly LocatedValue[];
}

/**
 * The value at a path, or its nearest ancestor that is written in the document.
 *
 * Keys of maps may hold points and brackets, so names are tried as they are written rather than split off.
 *
 * @param field - a path as `fieldPath` writes it, or with quoted keys
 */
export function findNearestValue(root: LocatedValue, field: string): LocatedValue {
  let value = root;
  let rest = field;
  while (rest !== "") {
    const step = findElementStep(value, rest) ?? findMemberStep(value, rest);
    if (step === undefined) return value;
    [value, rest] = step;
  }
  return value;
}

type Step = readonly [child: LocatedValue, rest: string];

function findElementStep(value: LocatedValue, rest: string): Step | undefined {
  const [text, index] = /^\[(\d+)\]/.exec(rest) ?? [];
  if (text === undefined) return undefined;
  const child = value.elements()[Number(index)];
  return child && [child, rest.slice(text.length)];
}

/** The member with the longest name that fits; `a.b` may be one key, or a member of a member. */
function findMemberStep(value: LocatedValue, rest: string): Step | undefined {
  let best: { name: string; step: Step } | undefined;
  for (const [name, child] of value.members()) {
    for (const written of [`.${name}`, name, `[${name}]`, `["${name}"]`]) {
      if (!rest.startsWith(written) || !/^(?:$|[.[])/.test(rest.slice(written.length))) continue;
      if (best !== undefined && best.name.length >= name.length) continue;
      best = { name, step: [child, rest.slice(written.length)] };
    }
  }
  return best?.step;
}

/** The steps to the innermost value that an offset lies in: the last one that starts before it, at every depth. */
export function findStepsAt(root: LocatedValue, offset: number): readonly PathStep[] {
  const steps: PathStep[] = [];
  let value: LocatedValue | undefined = root;
  while (value !== undefined) {
    const children: (readonly [PathStep, LocatedValue])[] = [
      ...value.members(),
      ...value.elements().entries(),
    ];
    const found = children.findLast(([, child]) => child.offset <= offset);
    if (found !== undefined) steps.push(found[0]);
    value = found?.[1];
  }
  return steps;
}
