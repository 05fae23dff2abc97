import { type CodePointSet, includes } from "./code-point-set.ts";
import { OP, type Program } from "./program.ts";
import { ASSERTION_BIT as BIT } from "./token.ts";

/** The remaining units of work of all searches together. */
export interface SearchAllowance {
  left: number;
}

/**
 * Searches messages for a match of a program.
 *
 * The search follows all paths of the program at once. A set of positions is a state. States and transitions are
 * computed on first use and cached, so that most characters take one lookup each. The search counts its work: one unit
 * for each character, more for each new state and each instruction visited. The count depends only on the program, the
 * messages and their order.
 */
export class Search {
  readonly #program: Program;
  /** The `#turn` in which each instruction was last reached. */
  readonly #reached: Int32Array;
  #turn = 0;
  /** The instructions to continue at. Each is added once per turn, and once more by a `Split`. */
  readonly #stack: Int32Array;
  /** The instructions that may consume the next character. Elements after them have no meaning. */
  readonly #taking: Int32Array;
  #takingCount = 0;
  /** The code points from 128 on at which instructions begin to accept other characters, in ascending order. */
  #bounds: Int32Array | undefined;
  #states = new Map<number, State>();
  #cells = 0;

  constructor(program: Program) {
    const { length } = program.ops;
    this.#program = program;
    this.#reached = new Int32Array(length);
    this.#stack = new Int32Array(2 * length + 1);
    this.#taking = new Int32Array(length);
  }

  /**
   * Reports whether there is a match in a message.
   *
   * @param message - without lone surrogates
   * @param allowance - reduced by the cost of the search; negative if the search was aborted
   */
  find(message: string, allowance: SearchAllowance): "Found" | "NotFound" | "OutOfWork" {
    allowance.left -= message.length;
    if (allowance.left < 0) return "OutOfWork";
    let state = this.#getState(NO_INSTRUCTIONS, this.#toPrecedingCharacter(START), allowance);
    for (let at = 0; at < message.length; at++) {
      let character = message.charCodeAt(at);
      if (character >= ASCII) {
        const codePoint = message.codePointAt(at) ?? character;
        if (codePoint > 0xffff) at++;
        character = this.#findClassStart(codePoint, allowance);
      }
      const next = findTransition(state, character) ?? this.#advance(state, character, allowance);
      if (next === FOUND) return "Found";
      if (allowance.left < 0) return "OutOfWork";
      state = next;
    }
    const last = findTransition(state, END) ?? this.#advance(state, END, allowance);
    if (last === FOUND) return "Found";
    return allowance.left < 0 ? "OutOfWork" : "NotFound";
  }

  /**
   * Returns the first code point from 128 on that all instructions treat in the same way as this
   * one.
   */
  #findClassStart(codePoint: number, allowance: SearchAllowance): number {
    if (this.#bounds === undefined) {
      this.#bounds = computeBounds(this.#program);
      allowance.left -= UNITS_PER_LOOKUP * (this.#program.ops.length + this.#bounds.length);
    }
    const bounds = this.#bounds;
    let low = 0;
    let high = bounds.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((bounds[middle] as number) <= codePoint) low = middle + 1;
      else high = middle;
    }
    return bounds[low - 1] ?? ASCII;
  }

  /** Computes the next state for a character. */
  #advance(state: State, character: number, allowance: SearchAllowance): State {
    const found = this.#follow(state, trueAssertions(state.before, character), allowance);
    const next = found ? FOUND : this.#stepInstructions(character, allowance);
    this.#addTransition(state, character, next);
    return next;
  }

  #addTransition(state: State, character: number, next: State): void {
    if (state.next === undefined) {
      state.character = character;
      state.next = next;
    } else if (character >= 0 && character < ASCII) {
      if (state.ascii === undefined) {
        state.ascii = new Array<State | undefined>(ASCII).fill(undefined);
        this.#makeRoom(ASCII);
      }
      state.ascii[character] = next;
    } else {
      state.others ??= new Map();
      state.others.set(character, next);
      this.#makeRoom(1);
    }
  }

  /** Follows a state to all instructions that consume a character, and reports whether a match ends on the way. */
  #follow(state: State, assertionsThatHold: number, allowance: SearchAllowance): boolean {
    const { ops, operands } = this.#program;
    const [reached, stack, taking] = [this.#reached, this.#stack, this.#taking];
    const turn = (this.#turn + 1) | 0;
    this.#turn = turn;
    let visited = 0;
    let takingCount = 0;
    let found = false;
    let height = 0;
    // A match may begin anywhere.
    stack[height++] = 0;
    // In reverse, so that the first ones are popped first, mostly in ascending order.
    for (let index = state.instructions.length - 1; index >= 0; index--) {
      stack[height++] = state.instructions[index] as number;
    }
    while (height > 0) {
      let at = stack[--height] as number;
      while (reached[at] !== turn) {
        reached[at] = turn;
        visited++;
        const op = ops[at] as number;
        if (op === IS_CHARACTER || op === IS_CLASS) {
          taking[takingCount++] = at;
          // A lookup in a class costs one more search.
          if (op === IS_CLASS) visited += 2;
          break;
        }
        if (op === IS_MATCH) {
          found = true;
          break;
        }
        const operand = operands[at] as number;
        if (op === IS_ASSERTION && (operand & assertionsThatHold) === 0) break;
        if (op === IS_SPLIT) stack[height++] = operand;
        at = op === IS_JUMP ? operand : at + 1;
      }
    }
    this.#takingCount = takingCount;
    allowance.left -= UNITS_PER_LOOKUP * visited;
    return found;
  }

  #stepInstructions(character: number, allowance: SearchAllowance): State {
    const { ops, operands, classes } = this.#program;
    const taking = this.#taking;
    const count = this.#takingCount;
    let taken = 0;
    for (let index = 0; index < count; index++) {
      const at = taking[index] as number;
      const operand = operands[at] as number;
      const accepts =
        ops[at] === IS_CHARACTER
          ? operand === character
          : includes(classes[operand] as CodePointSet, character);
      // The write position never passes the read position.
      if (accepts) taking[taken++] = at + 1;
    }
    allowance.left -= UNITS_PER_LOOKUP * count;
    return this.#getState(
      sortInstructions(taking.subarray(0, taken)),
      this.#toPrecedingCharacter(character),
      allowance,
    );
  }

  /** The properties of a character that matter to the assertions after it. */
  #toPrecedingCharacter(character: number): PrecedingCharacter {
    if (this.#program.assertions === 0) return "Other";
    return character === START
      ? "Start"
      : character === NEWLINE
        ? "Newline"
        : isWord(character)
          ? "Word"
          : "Other";
  }

  #getState(
    instructions: Int32Array,
    before: PrecedingCharacter,
    allowance: SearchAllowance,
  ): State {
    let hash = before.charCodeAt(0);
    for (let index = 0; index < instructions.length; index++) {
      hash = (Math.imul(hash, 0x01000193) ^ (instructions[index] as number)) | 0;
    }
    const sameHash = this.#states.get(hash);
    for (let known = sameHash; known !== undefined; known = known.sameHash) {
      if (known.before === before && areEqual(known.instructions, instructions)) return known;
      allowance.left -= UNITS_PER_LOOKUP + instructions.length;
    }
    allowance.left -= UNITS_PER_STATE;
    this.#makeRoom(instructions.length + CELLS_PER_STATE);
    const state = aState(instructions.slice(), before, this.#states.get(hash));
    this.#states.set(hash, state);
    return state;
  }

  /** Drops all states before they need too much memory. States that are needed again are recomputed. */
  #makeRoom(cells: number): void {
    this.#cells += cells;
    if (this.#cells <= MAX_CELLS) return;
    this.#states.clear();
    this.#cells = cells;
  }
}

/** The state of a program between two characters, with the known transitions to the next states. */
interface State {
  /** The instructions at which the program continues, except for those from its start, in ascending order. */
  readonly instructions: Int32Array;
  readonly before: PrecedingCharacter;
  /** The next state with the same hash. */
  readonly sameHash: State | undefined;
  /** The first known transition. Most states have no other. */
  character: number;
  next: State | undefined;
  /** The transitions for the other characters below 128. */
  ascii: (State | undefined)[] | undefined;
  /** The transitions for all other characters. */
  others: Map<number, State> | undefined;
}

type PrecedingCharacter = "Start" | "Newline" | "Word" | "Other";

function aState(
  instructions: Int32Array,
  before: PrecedingCharacter,
  sameHash: State | undefined,
): State {
  return {
    instructions,
    before,
    sameHash,
    character: NONE,
    next: undefined,
    ascii: undefined,
    others: undefined,
  };
}

function findTransition(state: State, character: number): State | undefined {
  if (character === state.character) return state.next;
  return character >= 0 && character < ASCII
    ? state.ascii?.[character]
    : state.others?.get(character);
}

const {
  Character: IS_CHARACTER,
  Class: IS_CLASS,
  Assertion: IS_ASSERTION,
  Split: IS_SPLIT,
  Jump: IS_JUMP,
  Match: IS_MATCH,
} = OP;

const START = -1;
const END = -2;
const NONE = -3;
const NEWLINE = 0x0a;
const ASCII = 0x80;
const NO_INSTRUCTIONS = /* @__PURE__ */ new Int32Array();

/** The maximum number of references in states. This is about 8 MB. */
const MAX_CELLS = 1 << 20;
const CELLS_PER_STATE = 16;

/** The cost of visiting an instruction or creating a state, relative to a character with a known transition. */
const UNITS_PER_LOOKUP = 4;
const UNITS_PER_STATE = 256;

/** A match was found. There are no further transitions. */
const FOUND = /* @__PURE__ */ aState(NO_INSTRUCTIONS, "Other", undefined);

function computeBounds({ ops, operands, classes }: Program): Int32Array {
  const bounds = new Set([ASCII]);
  function add(first: number, last: number): void {
    if (first > ASCII) bounds.add(first);
    if (last >= ASCII) bounds.add(last + 1);
  }
  ops.forEach((op, at) => {
    const codePoint = operands[at] as number;
    if (op === IS_CHARACTER) add(codePoint, codePoint);
  });
  for (const set of classes) for (const [first, last] of set) add(first, last);
  return Int32Array.from(bounds).sort();
}

/** Returns the bits of the assertions that hold between the previous and the next character. */
function trueAssertions(before: PrecedingCharacter, next: number): number {
  const lineBegins = before === "Start" || before === "Newline";
  const lineEnds = next === END || next === NEWLINE;
  const boundary = (before === "Word") !== isWord(next);
  return (
    (before === "Start" ? BIT["\\A"] : 0) |
    (next === END ? BIT["\\z"] : 0) |
    (lineBegins ? BIT["(?m:^)"] : 0) |
    (lineEnds ? BIT["(?m:$)"] : 0) |
    (boundary ? BIT["\\b"] : BIT["\\B"])
  );
}

/** ASCII letters, digits and `_`. No other characters are word characters in Go. */
function isWord(character: number): boolean {
  return (
    (character >= 0x61 && character <= 0x7a) ||
    (character >= 0x41 && character <= 0x5a) ||
    (character >= 0x30 && character <= 0x39) ||
    character === 0x5f
  );
}

/** Returns the same instructions in ascending order, because one set of instructions is one state. */
function sortInstructions(instructions: Int32Array): Int32Array {
  for (let index = 1; index < instructions.length; index++) {
    if ((instructions[index - 1] as number) > (instructions[index] as number)) {
      return instructions.sort();
    }
  }
  return instructions;
}

function areEqual(a: Int32Array, b: Int32Array): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}
