import { createPatternError, type PatternError } from "./pattern-error.ts";
import type { Part } from "./pattern-part.ts";
import type { ParsedPattern } from "./pattern-syntax.ts";
import {
  cleanClass,
  createNode,
  equalFactors,
  getClassLiteral,
  isFactor,
  isSingleCharacter,
  KIND,
  mergeCharacters,
  type Node,
  operandNode,
} from "./syntax-tree.ts";
import type { Repeat } from "./token.ts";

/** The maximum height of a syntax tree in Go. */
const MAX_HEIGHT = 1000;

/** Returns the error for a pattern that is nested too deeply. */
export function checkNesting({
  mayBeTooDeep,
  parts,
  text,
}: ParsedPattern): PatternError | undefined {
  return mayBeTooDeep && isNestedTooDeeply(parts)
    ? createPatternError("expression nests too deeply", text)
    : undefined;
}

/**
 * Reports whether Go finds that a pattern nests too deeply.
 *
 * Go limits the height of the syntax tree while its parser builds it. That height depends on how the parser joins nodes
 * and factors prefixes out of alternatives: `ab|ac` becomes `a(?:b|c)`, and then `a[bc]`. So this function builds the
 * tree in the same way.
 *
 * @see https://pkg.go.dev/regexp/syntax#ErrNestingDepth
 */
function isNestedTooDeeply(parts: readonly Part[]): boolean {
  const parser = new TreeParser();
  const repeatsOfOpen: (readonly Repeat[] | undefined)[] = [];
  for (const part of parts) {
    if (parser.isTooHigh) return true;
    switch (part.part) {
      case "Operand":
        parser.push(parser.allocate(operandNode(part.operand)));
        parser.repeat(part.repeats);
        break;
      case "Opening":
        parser.open(part.captures);
        repeatsOfOpen.push(part.repeats);
        break;
      case "Alternative":
        parser.endAlternative();
        break;
      case "Closing":
        parser.close();
        parser.repeat(repeatsOfOpen.pop());
        break;
    }
  }
  parser.endGroup();
  return parser.isTooHigh;
}

/** The stack of Go's parser, and the operations on it. */
class TreeParser {
  isTooHigh = false;
  readonly #stack: Node[] = [];
  // Go does not measure heights before it has allocated this number of nodes, and it reuses
  // released nodes. It keeps the height of a node although the node changes later. All of this
  // affects the limit.
  #allocated = 0;
  #released = 0;
  #measures = false;

  allocate(node: Node): Node {
    if (this.#released > 0) this.#released -= 1;
    else this.#allocated += 1;
    return node;
  }

  push(node: Node): void {
    const literal = getClassLiteral(node);
    const joined = this.#joinLiterals();
    if (literal !== undefined) {
      Object.assign(node, literal, { kind: KIND.Literal, sets: [] });
      // Go stores such a character in the node that was released by joining.
      if (joined) this.#released -= 1;
    }
    this.#stack.push(node);
    this.#measure(node);
  }

  repeat(repeats: readonly Repeat[] = []): void {
    for (const repeat of repeats) {
      const children = this.#stack.splice(-1);
      const node = this.allocate(createNode(KIND.Repeat, { repeat, children }));
      this.#stack.push(node);
      this.#measure(node);
    }
  }

  open(captures: boolean): void {
    this.push(this.allocate(createNode(KIND.Open, { captures })));
  }

  endAlternative(): void {
    this.#concatenate();
    if (!this.#moveBelowBar()) this.push(this.allocate(createNode(KIND.Bar)));
  }

  close(): void {
    this.endGroup();
    const [open, content] = this.#stack.splice(-2);
    if (open === undefined || content === undefined) return;
    if (open.captures) {
      open.kind = KIND.Capture;
      open.children = [content];
    }
    this.push(open.captures ? open : content);
  }

  /** Replaces the nodes above the open group by one node. */
  endGroup(): void {
    this.#concatenate();
    if (this.#moveBelowBar()) this.#stack.pop();
    const alternatives = this.#popOperands();
    cleanClass(alternatives.at(-1));
    this.push(this.#collapse(alternatives, KIND.Alternation, 0));
  }

  /**
   * Joins the two literals on top of the stack, because no repeat can apply to the upper one
   * anymore.
   */
  #joinLiterals(): boolean {
    const [below, top] = this.#stack.slice(-2);
    if (below?.kind !== KIND.Literal || top?.kind !== KIND.Literal) return false;
    if (below.foldCase !== top.foldCase) return false;
    for (const codePoint of top.codePoints) below.codePoints.push(codePoint);
    this.#stack.pop();
    this.#release(top);
    return true;
  }

  #concatenate(): void {
    this.#joinLiterals();
    const operands = this.#popOperands();
    this.push(
      operands.length === 0
        ? this.allocate(createNode(KIND.Empty))
        : this.#collapse(operands, KIND.Concatenation, 0),
    );
  }

  /** Pops the nodes above the last open group or bar from the stack. */
  #popOperands(): Node[] {
    const marker = this.#stack.findLastIndex(({ kind }) => kind >= KIND.Open);
    return this.#stack.splice(marker + 1);
  }

  /** Moves a finished alternative below the bar, if there is one, or merges it with the alternative there. */
  #moveBelowBar(): boolean {
    const [bar, ended] = this.#stack.slice(-2);
    if (bar?.kind !== KIND.Bar || ended === undefined) return false;
    const before = this.#stack.at(-3);
    if (before !== undefined && isSingleCharacter(before) && isSingleCharacter(ended)) {
      const [later, earlier] = ended.kind > before.kind ? [ended, before] : [before, ended];
      mergeCharacters(later, earlier);
      this.#release(earlier);
      this.#stack.splice(-3, 3, later, bar);
    } else {
      cleanClass(before);
      this.#stack.splice(-2, 2, ended, bar);
    }
    return true;
  }

  /** Merges several nodes into one. Nodes of the same kind among them are flattened. */
  #collapse(nodes: readonly Node[], kind: number, depth: number): Node {
    const [only] = nodes;
    if (only !== undefined && nodes.length === 1) return only;
    const node = this.allocate(createNode(kind));
    for (const each of nodes) {
      if (each.kind === kind) {
        for (const child of each.children) node.children.push(child);
        this.#release(each);
      } else {
        node.children.push(each);
      }
    }
    if (kind !== KIND.Alternation) return node;
    node.children = this.#factor(node.children, depth);
    const [single] = node.children;
    if (single === undefined || node.children.length > 1) return node;
    this.#release(node);
    return single;
  }

  /** Factors common prefixes out of alternatives. `depth` counts the enclosing factorings. */
  #factor(alternatives: readonly Node[], depth: number): Node[] {
    if (depth > MAX_HEIGHT) {
      this.isTooHigh = true; // Each factoring makes the tree at least one level higher.
      return [...alternatives];
    }
    const byText = this.#factorTexts(alternatives, depth);
    const byCharacter = this.#factorCharacters(byText, depth);
    return withoutRepeatedEmpties(this.#mergeSingleCharacters(byCharacter));
  }

  #factorTexts(alternatives: readonly Node[], depth: number): Node[] {
    const factored: Node[] = [];
    let run: Node[] = [];
    let common: { codePoints: readonly number[]; foldCase: boolean } = NO_TEXT;
    const endRun = () => {
      if (run.length < 2) return factored.push(...run);
      const { codePoints, foldCase } = common;
      const literal = createNode(KIND.Literal, { codePoints: [...codePoints], foldCase });
      const prefix = this.allocate(literal);
      const rests = run.map((node) =>
        this.#measureNode(this.#withoutText(node, codePoints.length)),
      );
      return factored.push(this.#concatenatePrefix(prefix, rests, depth));
    };
    for (const node of alternatives) {
      const text = leadingText(node);
      const length =
        text.foldCase === common.foldCase ? sharedLength(common.codePoints, text.codePoints) : 0;
      if (length > 0) {
        common = { ...common, codePoints: common.codePoints.slice(0, length) };
        run.push(node);
      } else {
        endRun();
        run = [node];
        common = { ...text, codePoints: [...text.codePoints] };
      }
    }
    endRun();
    return factored;
  }

  #factorCharacters(alternatives: readonly Node[], depth: number): Node[] {
    const factored: Node[] = [];
    let run: Node[] = [];
    let common: Node | undefined;
    const endRun = () => {
      if (run.length < 2 || common === undefined) return factored.push(...run);
      const rests = run.map((node, index) =>
        this.#measureNode(this.#withoutFirst(node, index > 0)),
      );
      return factored.push(this.#concatenatePrefix(common, rests, depth));
    };
    for (const node of alternatives) {
      const first = getLeadingNode(node);
      if (isFactor(common) && equalFactors(common, first)) {
        run.push(node);
      } else {
        endRun();
        run = [node];
        common = first;
      }
    }
    endRun();
    return factored;
  }

  #concatenatePrefix(prefix: Node, suffixes: readonly Node[], depth: number): Node {
    const rest = this.#collapse(suffixes, KIND.Alternation, depth + 1);
    return this.allocate(createNode(KIND.Concatenation, { children: [prefix, rest] }));
  }

  #mergeSingleCharacters(alternatives: readonly Node[]): Node[] {
    const merged: Node[] = [];
    let run: Node[] = [];
    const endRun = () => {
      if (run.length < 2) return merged.push(...run);
      const into = run.reduce((best, node) => (complexity(node) > complexity(best) ? node : best));
      for (const node of run) {
        if (node === into) continue;
        mergeCharacters(into, node);
        this.#release(node);
      }
      cleanClass(into);
      return merged.push(into);
    };
    for (const node of alternatives) {
      if (isSingleCharacter(node)) {
        run.push(node);
      } else {
        endRun();
        run = [];
        merged.push(node);
      }
    }
    endRun();
    return merged;
  }

  #withoutText(node: Node, length: number): Node {
    if (node.kind === KIND.Literal) {
      node.codePoints.splice(0, length);
      if (node.codePoints.length === 0) node.kind = KIND.Empty;
      return node;
    }
    const [first, second] = node.children;
    if (node.kind !== KIND.Concatenation || first === undefined) return node;
    if (this.#withoutText(first, length).kind !== KIND.Empty) return node;
    this.#release(first);
    if (node.children.length === 2 && second !== undefined) {
      this.#release(node);
      return second;
    }
    node.children.shift();
    return node;
  }

  #withoutFirst(node: Node, releases: boolean): Node {
    const [first, second] = node.children;
    if (node.kind !== KIND.Concatenation || first === undefined) {
      if (releases) this.#release(node);
      return this.allocate(createNode(KIND.Empty));
    }
    if (releases) this.#release(first);
    node.children.shift();
    if (node.children.length > 1 || second === undefined) return node;
    this.#release(node);
    return second;
  }

  #release(node: Node): void {
    this.#released += 1;
    node.height = undefined;
  }

  #measureNode(node: Node): Node {
    this.#measure(node);
    return node;
  }

  #measure(node: Node): void {
    if (this.#allocated < MAX_HEIGHT) return;
    if (!this.#measures) {
      this.#measures = true;
      for (const each of this.#stack) this.#measure(each);
    }
    if (recomputeHeight(node) > MAX_HEIGHT) this.isTooHigh = true;
  }
}

function recomputeHeight(node: Node): number {
  let height = 1;
  for (const child of node.children) {
    height = Math.max(height, 1 + (child.height ?? recomputeHeight(child)));
  }
  node.height = height;
  return height;
}

const NO_TEXT = { codePoints: [], foldCase: false };

function leadingText(node: Node): Pick<Node, "codePoints" | "foldCase"> {
  const first = node.kind === KIND.Concatenation ? (node.children[0] ?? node) : node;
  return first.kind === KIND.Literal ? first : NO_TEXT;
}

function sharedLength(a: readonly number[], b: readonly number[]): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a[length] === b[length]) length += 1;
  return length;
}

function getLeadingNode(node: Node): Node | undefined {
  const first = node.kind === KIND.Concatenation ? (node.children[0] ?? node) : node;
  return first.kind === KIND.Empty ? undefined : first;
}

/** The node of the later kind, or of the same kind with the longer list, must absorb the others. */
function complexity({ kind, sets: [set = []], codePoints }: Node): number {
  return kind * 0x400000 + 2 * set.length + codePoints.length;
}

function withoutRepeatedEmpties(nodes: readonly Node[]): Node[] {
  const isEmpty = (node: Node | undefined) => node?.kind === KIND.Empty;
  return nodes.filter((node, index) => !(isEmpty(node) && isEmpty(nodes[index + 1])));
}
