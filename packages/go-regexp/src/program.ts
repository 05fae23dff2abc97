import { caseVariants } from "./case-folding.ts";
import type { CodePointSet } from "./code-point-set.ts";
import type { Part } from "./pattern-part.ts";
import { ASSERTION_BIT, type Operand, type Repeat } from "./token.ts";

/**
 * The instructions that decide whether a text contains a match. They report neither which match comes first nor what
 * groups capture. Each instruction continues at the next one unless it says otherwise. The last one is `OP.Match`.
 */
export interface Program {
  readonly ops: Int32Array;
  /** A code point, the index of a class, the bit of an assertion, or an instruction. 0 for other ops. */
  readonly operands: Int32Array;
  readonly classes: readonly CodePointSet[];
  /** The bits of all assertions in the program. */
  readonly assertions: number;
}

/** The operation codes. `Split` continues at both the next instruction and its operand, `Jump` only at its operand. */
export const OP = {
  Nothing: 0,
  Character: 1,
  Class: 2,
  Assertion: 3,
  Split: 4,
  Jump: 5,
  Match: 6,
} as const;

/**
 * Returns a program that finds any of the patterns. Its length is proportional to their total size. Its classes have as
 * many ranges as theirs, because repeats share them.
 */
export function compileProgram(patterns: Iterable<readonly Part[]>): Program {
  const builder = new ProgramBuilder();
  let first = true;
  for (const parts of patterns) {
    if (!first) builder.alternative();
    first = false;
    for (const part of parts) {
      switch (part.part) {
        case "Operand":
          builder.operand(part.operand, part.repeats);
          break;
        case "Opening":
          builder.open(part.repeats);
          break;
        case "Alternative":
          builder.alternative();
          break;
        case "Closing":
          builder.close();
          break;
      }
    }
  }
  return builder.program();
}

/** A group that is not closed. The outermost group contains all patterns. */
interface OpenBlock {
  readonly repeats: readonly Repeat[] | undefined;
  /** The start of its code, which begins with one `Nothing` for each repeat. */
  readonly start: number;
  /** The first instruction of the current alternative: a `Nothing`, or a `Split` to the next alternative. */
  alternative: number;
  /** The last instructions of the previous alternatives. */
  readonly jumps: number[];
}

/**
 * Writes code from front to back. A repeat follows its operand, so the parts announce it in advance: a repeated operand
 * begins with a `Nothing` that can become a `Split`. So code never moves, and a copy differs from the original only by
 * its offset.
 */
class ProgramBuilder {
  readonly #ops: number[] = [];
  readonly #operands: number[] = [];
  readonly #classes: CodePointSet[] = [];
  /** The index of a set among the classes or, for a literal under `(?i)`, of its variants. */
  readonly #classOf = new Map<CodePointSet | number, number>();
  #assertions = 0;
  readonly #enclosing: OpenBlock[] = [];
  #block: OpenBlock = this.#openBlock(undefined);

  open(repeats: readonly Repeat[] | undefined): void {
    this.#enclosing.push(this.#block);
    this.#block = this.#openBlock(repeats);
  }

  alternative(): void {
    const block = this.#block;
    block.jumps.push(this.#write(OP.Jump));
    const next = this.#write(OP.Nothing);
    this.#set(block.alternative, OP.Split, next);
    block.alternative = next;
  }

  close(): void {
    const { repeats, start } = this.#closeBlock();
    this.#block = this.#enclosing.pop() ?? this.#block;
    this.#repeat(start, repeats);
  }

  operand(operand: Operand, repeats: readonly Repeat[] | undefined): void {
    const start = this.#reserve(repeats);
    switch (operand.token) {
      case "Literal":
        this.#writeLiteral(operand.codePoint, operand.foldCase);
        break;
      case "Class": {
        const set = operand.characters.set();
        this.#writeClass(set, () => set);
        break;
      }
      case "Assertion": {
        const bit = ASSERTION_BIT[operand.assertion];
        this.#assertions |= bit;
        this.#write(OP.Assertion, bit);
        break;
      }
    }
    this.#repeat(start, repeats);
  }

  program(): Program {
    this.#closeBlock();
    this.#write(OP.Match);
    return {
      ops: Int32Array.from(this.#ops),
      operands: Int32Array.from(this.#operands),
      classes: this.#classes,
      assertions: this.#assertions,
    };
  }

  #openBlock(repeats: readonly Repeat[] | undefined): OpenBlock {
    const start = this.#reserve(repeats);
    return { repeats, start, alternative: this.#write(OP.Nothing), jumps: [] };
  }

  #closeBlock(): OpenBlock {
    for (const jump of this.#block.jumps) this.#operands[jump] = this.#ops.length;
    return this.#block;
  }

  /** Reserves space for repeats, and returns its start. */
  #reserve(repeats: readonly Repeat[] = []): number {
    const start = this.#ops.length;
    for (const _ of repeats) this.#write(OP.Nothing);
    return start;
  }

  /** Repeats the code from `start` on, for which space is reserved. The innermost repeat uses the last slot. */
  #repeat(start: number, repeats: readonly Repeat[] = []): void {
    for (const [index, { min, max }] of repeats.entries()) {
      const first = start + repeats.length - 1 - index;
      if (max === 0) {
        this.#ops.length = first;
        this.#operands.length = first;
        continue;
      }
      const length = this.#ops.length - first;
      const count = max ?? Math.max(1, min);
      for (let copy = 1; copy < count; copy++) this.#copy(first, length);
      if (max === undefined) this.#write(OP.Split, first + (count - 1) * length);
      const end = this.#ops.length;
      for (let copy = min; copy < count; copy++) this.#set(first + copy * length, OP.Split, end);
    }
  }

  #copy(from: number, length: number): void {
    const distance = this.#ops.length - from;
    for (let at = from; at < from + length; at++) {
      const op = this.#ops[at] ?? OP.Nothing;
      const operand = this.#operands[at] ?? 0;
      this.#write(op, op === OP.Split || op === OP.Jump ? operand + distance : operand);
    }
  }

  #writeLiteral(codePoint: number, foldCase: boolean): void {
    const variants = foldCase ? caseVariants(codePoint) : [codePoint];
    if (variants.length === 1) {
      this.#write(OP.Character, codePoint);
    } else {
      this.#writeClass(codePoint, () => variants.map((one) => [one, one]));
    }
  }

  #writeClass(key: CodePointSet | number, set: () => CodePointSet): void {
    let index = this.#classOf.get(key);
    if (index === undefined) {
      index = this.#classes.push(set()) - 1;
      this.#classOf.set(key, index);
    }
    this.#write(OP.Class, index);
  }

  #write(op: number, operand = 0): number {
    this.#operands.push(operand);
    return this.#ops.push(op) - 1;
  }

  #set(at: number, op: number, operand: number): void {
    this.#ops[at] = op;
    this.#operands[at] = operand;
  }
}
