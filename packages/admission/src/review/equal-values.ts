import { compareBytes } from "@jobset-ts/api/text";
import { isJsonRecord } from "./json-record.ts";

/**
 * Assigns numbers to JSON values: equal values get the same number, and each part is visited once. So all comparisons
 * together take linear time, however lists are nested.
 */
export class EqualValues {
  readonly #maxDepth: number;
  readonly #numbers = new Map<string, number>();
  readonly #ofObjects = new Map<object, number>();

  /** @param maxDepth - deeper objects equal only themselves */
  constructor(maxDepth: number) {
    this.#maxDepth = maxDepth;
  }

  /**
   * Reports whether two JSON values are equal: scalars alike, the same members in any order, the same elements in
   * order.
   */
  areEqual(one: unknown, other: unknown): boolean {
    if (one === other) return true;
    if (!isNonNull(one) || !isNonNull(other)) {
      return !isNonNull(one) && !isNonNull(other) && scalarText(one) === scalarText(other);
    }
    return this.#assignNumber(one, 0) === this.#assignNumber(other, 0);
  }

  #serializeValue(value: unknown, depth: number): string {
    return isNonNull(value) ? `#${this.#assignNumber(value, depth)}` : scalarText(value);
  }

  #assignNumber(object: object, depth: number): number {
    const known = this.#ofObjects.get(object);
    if (known !== undefined) return known;
    const content = depth < this.#maxDepth ? this.#serializeContent(object, depth + 1) : undefined;
    const equal = content === undefined ? undefined : this.#numbers.get(content);
    const number = equal ?? this.#ofObjects.size;
    if (content !== undefined) this.#numbers.set(content, number);
    this.#ofObjects.set(object, number);
    return number;
  }

  /** Returns the parts of a list or an object as numbers. `undefined` for other values. */
  #serializeContent(object: object, depth: number): string | undefined {
    if (Array.isArray(object)) {
      return `[${object.map((element) => this.#serializeValue(element, depth)).join()}]`;
    }
    if (!isJsonRecord(object)) return undefined;
    const names = Object.keys(object).filter((name) => object[name] !== undefined);
    const members = names
      .sort(compareBytes)
      .map((name) => `${JSON.stringify(name)}:${this.#serializeValue(object[name], depth)}`);
    return `{${members.join()}}`;
  }
}

function isNonNull(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Returns the text that identifies a scalar, as in JSON. `undefined` in a list is null. */
function scalarText(scalar: unknown): string {
  return typeof scalar === "bigint" ? `${scalar}n` : (JSON.stringify(scalar) ?? "null");
}
