import { emptyMap, type PersistentMap } from "./persistent-map.ts";

/**
 * A map that is filled once in bulk and then changed a little. All versions share the bulk, an ordinary `Map`. The
 * changes are in a {@link PersistentMap} on top.
 */
export class LayeredMap<Value extends object> {
  readonly #base: ReadonlyMap<string, Value>;
  readonly #changes: PersistentMap<Value | null>;
  readonly size: number;

  private constructor(
    base: ReadonlyMap<string, Value>,
    changes: PersistentMap<Value | null>,
    size: number,
  ) {
    this.#base = base;
    this.#changes = changes;
    this.size = size;
  }

  /** @param base - a map that does not change anymore */
  static of<Value extends object>(base: ReadonlyMap<string, Value>): LayeredMap<Value> {
    return new LayeredMap(base, emptyMap<Value | null>(), base.size);
  }

  static empty<Value extends object>(): LayeredMap<Value> {
    return LayeredMap.of<Value>(new Map());
  }

  get(key: string): Value | undefined {
    const changed = this.#changes.get(key);
    return changed === undefined ? this.#base.get(key) : (changed ?? undefined);
  }

  /**
   * Returns the map with a key set, or without the key if the value is absent.
   *
   * @param before - the current value of the key, if the caller knows it
   */
  with(key: string, value: Value | undefined, before = this.get(key)): LayeredMap<Value> {
    // A key that was added and then removed must not remain. Otherwise, the changes would grow forever.
    const changes =
      value === undefined && !this.#base.has(key)
        ? this.#changes.delete(key)
        : this.#changes.set(key, value ?? null);
    const size = this.size - (before === undefined ? 0 : 1) + (value === undefined ? 0 : 1);
    return new LayeredMap(this.#base, changes, size);
  }

  /** Returns the unchanged values of the bulk in order, then the changed ones. */
  values(): readonly Value[] {
    return this.#changes.size === 0
      ? [...this.#base.values()]
      : this.entries().map(([, value]) => value);
  }

  /** Returns the {@link values} with their keys. */
  entries(): readonly (readonly [key: string, value: Value])[] {
    if (this.#changes.size === 0) return [...this.#base];
    const entries = [...this.#base].filter(([key]) => this.#changes.get(key) === undefined);
    for (const [key, value] of this.#changes.entries()) {
      if (value !== null) entries.push([key, value]);
    }
    return entries;
  }
}
