import { caseVariants } from "./case-folding.ts";
import { ANY_BUT_NEWLINE, ANY_CHARACTER } from "./character-class.ts";
import { type CodePointSet, codePointSet, includes } from "./code-point-set.ts";
import type { Operand, Repeat } from "./token.ts";

/**
 * The kinds of nodes in Go's syntax tree. The order of the single-character kinds matters: if Go merges two of them,
 * the later kind survives.
 */
export const KIND = {
  Empty: 0,
  Literal: 1,
  Class: 2,
  AnyButNewline: 3,
  Any: 4,
  Assertion: 5,
  Repeat: 6,
  Capture: 7,
  Concatenation: 8,
  Alternation: 9,
  /** Only on the parser's stack: an open group. */
  Open: 10,
  /** Only on the parser's stack: the end of an alternative. */
  Bar: 11,
} as const;

/** A node of the syntax tree that Go's parser builds. Nodes change in place, as in Go. */
export interface Node {
  kind: number;
  /** The code points of a literal. */
  codePoints: number[];
  /** The members of a class: several sets until {@link cleanClass}, then one. */
  sets: CodePointSet[];
  /** Whether a literal or class was read under `(?i)`. */
  foldCase: boolean;
  /** The minimum or maximum of a repeat. */
  repeat: Repeat | undefined;
  /** Whether an open group captures. */
  captures: boolean;
  children: Node[];
  /** The height when it was last computed. */
  height: number | undefined;
}

export function createNode(kind: number, members: Partial<Node> = {}): Node {
  return {
    kind,
    codePoints: [],
    sets: [],
    foldCase: false,
    repeat: undefined,
    captures: false,
    children: [],
    height: undefined,
    ...members,
  };
}

/** Returns the node of an operand before Go simplifies it. */
export function operandNode(operand: Operand): Node {
  switch (operand.token) {
    case "Literal": {
      const { codePoint, foldCase } = operand;
      const first = foldCase ? caseVariants(codePoint)[0] : codePoint;
      return createNode(KIND.Literal, { codePoints: [first ?? codePoint], foldCase });
    }
    case "Assertion":
      return createNode(KIND.Assertion);
    case "Class": {
      const { characters, foldCase } = operand;
      if (characters === ANY_CHARACTER) return createNode(KIND.Any);
      if (characters === ANY_BUT_NEWLINE) return createNode(KIND.AnyButNewline);
      return createNode(KIND.Class, { sets: [characters.set()], foldCase });
    }
  }
}

/** Returns the literal to which Go reduces a class of one character, or of a character and its only case variant. */
export function getClassLiteral({
  kind,
  sets,
}: Node): Pick<Node, "codePoints" | "foldCase"> | undefined {
  const [ranges = []] = sets;
  const [lowest] = ranges;
  const highest = ranges.at(-1);
  if (kind !== KIND.Class || lowest === undefined || highest === undefined) return undefined;
  const [first] = lowest;
  const [, last] = highest;
  if (first === last) return { codePoints: [first], foldCase: false };
  const isPair =
    ranges.length === 1
      ? last === first + 1
      : ranges.length === 2 && lowest[1] === first && highest[0] === last;
  if (!isPair) return undefined;
  const variants = caseVariants(first);
  return variants.length === 2 && variants[1] === last
    ? { codePoints: [first], foldCase: true }
    : undefined;
}

/** Reports whether a node matches exactly one character. */
export function isSingleCharacter(node: Node | undefined): boolean {
  if (node === undefined) return false;
  if (node.kind === KIND.Literal) return node.codePoints.length === 1;
  return node.kind === KIND.Class || node.kind === KIND.AnyButNewline || node.kind === KIND.Any;
}

/** Adds the characters of one single-character node to another of the same or a later kind. */
export function mergeCharacters(into: Node, from: Node): void {
  switch (into.kind) {
    case KIND.AnyButNewline:
      if (matches(from, 0x0a)) into.kind = KIND.Any;
      return;
    case KIND.Class:
      into.sets.push(...listSets(from));
      return;
    case KIND.Literal:
      if (from.codePoints[0] === into.codePoints[0] && from.foldCase === into.foldCase) return;
      into.sets = [...listSets(into), ...listSets(from)];
      into.kind = KIND.Class;
      into.codePoints = [];
  }
}

function listSets(node: Node): readonly CodePointSet[] {
  if (node.kind !== KIND.Literal) return node.sets;
  const [codePoint = 0] = node.codePoints;
  return [(node.foldCase ? caseVariants(codePoint) : [codePoint]).map((one) => [one, one])];
}

function matches(node: Node, codePoint: number): boolean {
  if (node.kind === KIND.Any) return true;
  if (node.kind === KIND.AnyButNewline) return false;
  return listSets(node).some((set) => includes(set, codePoint));
}

/** Sorts and merges the ranges of a class, and recognizes `.` in it. */
export function cleanClass(node: Node | undefined): void {
  if (node?.kind !== KIND.Class) return;
  const [only] = node.sets;
  const set = only !== undefined && node.sets.length === 1 ? only : codePointSet(node.sets.flat());
  node.sets = [set];
  if (isEqualSet(set, ANY_CHARACTER.set())) node.kind = KIND.Any;
  else if (isEqualSet(set, ANY_BUT_NEWLINE.set())) node.kind = KIND.AnyButNewline;
}

/**
 * Reports whether Go factors this node out of alternatives that begin with it: one character, or a fixed number of
 * them.
 */
export function isFactor(node: Node | undefined): node is Node {
  if (node?.kind !== KIND.Repeat) return isSingleCharacter(node);
  const { repeat, children } = node;
  return repeat !== undefined && repeat.min === repeat.max && isSingleCharacter(children[0]);
}

/** Reports whether two nodes for which {@link isFactor} holds have the same text. */
export function equalFactors(a: Node, b: Node | undefined): boolean {
  if (b === undefined || a.kind !== b.kind) return false;
  switch (a.kind) {
    case KIND.Literal:
      return a.foldCase === b.foldCase && isSameList(a.codePoints, b.codePoints);
    case KIND.Class:
      return a.foldCase === b.foldCase && isEqualSet(a.sets[0], b.sets[0]);
    case KIND.Repeat: {
      const [child] = a.children;
      return (
        a.repeat?.min === b.repeat?.min &&
        a.repeat?.max === b.repeat?.max &&
        a.repeat?.lazy === b.repeat?.lazy &&
        child !== undefined &&
        equalFactors(child, b.children[0])
      );
    }
    default:
      return true;
  }
}

function isSameList(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((one, index) => one === b[index]);
}

function isEqualSet(a: CodePointSet = [], b: CodePointSet = []): boolean {
  if (a === b) return true;
  return (
    a.length === b.length &&
    a.every(([first, last], index) => first === b[index]?.[0] && last === b[index]?.[1])
  );
}
