import type { PathStep } from "@jobset-ts/api/errors";

/**
 * A value of a document and its place in the text. Children are located on demand, because most documents have no
 * error.
 */
export interface LocatedValue {
  /** The start of the value in the document's text. A member starts with its key. */
  readonly offset: number;
  /** The members of an object by name, in the order of the text. Empty for other values. */
  readonly members: () => ReadonlyMap<string, LocatedValue>;
  /** The elements of a list. Empty for other values. */
  readonly elements: () => readonly LocatedValue[];
}

/**
 * Returns the value at a path, or its nearest ancestor in the document.
 *
 * Keys of maps can contain dots and brackets, so whole names are compared instead of splitting the path.
 *
 * @param field - a path in the format of `fieldPath`, or with quoted keys
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

/** Returns the member with the longest matching name. `a.b` can be one key, or a member of a member. */
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

/** Returns the path to the innermost value at an offset: at every depth, the last value that starts before it. */
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
