import type { Unvalidated } from "@jobset-ts/api";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_BLOCK, maxPendingChanges, SortedItems } from "./sorted-items.ts";

type Item = Unvalidated<KubernetesObject>;

function anItem(name: string, namespace: string): Item {
  return { metadata: { name, namespace } };
}

/**
 * The first pair occurs in clusters. The last two would be equal in a list that joined a name and a namespace into one
 * text.
 */
const places = [
  ["a", "ml"],
  ["a", "default"],
  ["b", "ml"],
  ["B", "ml"],
  ["\uff5e", "ml"],
  ["\u{1f600}", "ml"],
  ["", ""],
  ["b/c", "a"],
  ["c", "a/b"],
] as const;

/** The existing objects by their position in {@link places}. */
type Model = ReadonlyMap<number, Item>;

function withChange(model: Model, place: number, item: Item | undefined): Model {
  const next = new Map(model);
  if (item === undefined) next.delete(place);
  else next.set(place, item);
  return next;
}

/** The expected order, written out so that the test does not compute it. */
const inOrder = [6, 3, 1, 0, 2, 7, 8, 4, 5] as const;

function createList(model: Model): readonly Item[] {
  return inOrder.flatMap((place) => model.get(place) ?? []);
}

const changes = fc.array(
  fc.record({
    place: fc.nat(places.length - 1),
    isThere: fc.boolean(),
    isAsked: fc.boolean(),
  }),
  { maxLength: 30 },
);

describe("SortedItems", () => {
  it("SortedItems lists by name, then by namespace, after any changes, and earlier versions do not change", () => {
    const bulk = fc.uniqueArray(fc.nat(places.length - 1));
    fc.assert(
      fc.property(bulk, changes, (filled, steps) => {
        const itemAt = (place: number) => {
          const [name, namespace] = places[place] ?? ["", ""];
          return anItem(name, namespace);
        };
        let model: Model = new Map(filled.map((place) => [place, itemAt(place)]));
        let sorted = SortedItems.of([...model.values()]);
        const versions: [SortedItems<Item>, Model][] = [[sorted, model]];
        for (const { place, isThere, isAsked } of steps) {
          if (isAsked) sorted.list();
          const item = isThere ? itemAt(place) : undefined;
          sorted = sorted.with(model.get(place), item);
          model = withChange(model, place, item);
          versions.push([sorted, model]);
        }
        for (const [version, expected] of versions) {
          const list = version.list();
          expect(list).toEqual(createList(expected));
          // The same objects by identity, and no earlier versions.
          expect(list.every((item, index) => item === createList(expected)[index])).toBe(true);
        }
      }),
    );
  });

  it("SortedItems lists thousands of objects in order after arbitrary changes", () => {
    const createNamedItem = (index: number) => anItem(`w-${String(index).padStart(5, "0")}`, "ml");
    const edits = fc.array(fc.record({ index: fc.nat(3 * MAX_BLOCK), isThere: fc.boolean() }), {
      minLength: 1,
      maxLength: 200,
    });
    fc.assert(
      fc.property(fc.nat(2 * MAX_BLOCK), edits, (count, steps) => {
        const model = new Map(
          Array.from({ length: count }, (_, at) => [3 * at, createNamedItem(3 * at)]),
        );
        let sorted = SortedItems.of([...model.values()]);
        for (const { index, isThere } of steps) {
          const item = isThere ? createNamedItem(index) : undefined;
          sorted = sorted.with(model.get(index), item);
          if (item === undefined) model.delete(index);
          else model.set(index, item);
        }
        const expected = [...model].sort(([one], [other]) => one - other).map(([, item]) => item);
        expect(sorted.size).toBe(expected.length);
        expect(sorted.list().every((item, at) => item === expected[at])).toBe(true);
      }),
    );
  });

  describe("in blocks", () => {
    const createNamedItem = (index: number) => anItem(`w-${String(index).padStart(5, "0")}`, "ml");
    const sizes = (items: readonly Item[]) => items.length;
    /** One block, filled item by item. */
    const createItems = (count: number) =>
      Array.from({ length: count }, (_, at) => createNamedItem(2 * at)).reduce(
        (items, item) => items.with(undefined, item),
        SortedItems.of<Item>([]),
      );

    it("a block is split when it exceeds its maximum", () => {
      const full = createItems(MAX_BLOCK);
      expect(full.read(sizes)).toEqual([MAX_BLOCK]);
      const cut = full.with(undefined, createNamedItem(1));
      expect(cut.read(sizes)).toEqual([MAX_BLOCK / 2, MAX_BLOCK / 2, 1]);
      expect(cut.list()).toHaveLength(MAX_BLOCK + 1);
      expect(full.list()).toHaveLength(MAX_BLOCK);
    });

    it("a block without objects is removed", () => {
      expect(createItems(1).with(createNamedItem(0), undefined).read(sizes)).toEqual([]);
      expect(createItems(1).with(createNamedItem(0), undefined).list()).toEqual([]);
    });

    it("a change makes the reader read only the changed block again, with its earlier result", () => {
      const items = Array.from({ length: 3 * MAX_BLOCK }, (_, at) => createNamedItem(2 * at));
      let reads: (string | undefined)[] = [];
      const names = (
        block: readonly Item[],
        before: string | undefined,
        preceding: string | undefined,
      ) => {
        reads.push(before, preceding);
        return `${block[0]?.metadata?.name}+${block.length}`;
      };
      const sorted = SortedItems.of(items);
      const first = sorted.read(names);
      expect(reads.length / 2).toBe(first.length);
      reads = [];
      expect(sorted.read(names)).toEqual(first);
      expect(reads).toEqual([]);
      const changed = sorted.with(undefined, createNamedItem(2 * MAX_BLOCK + 1));
      expect(changed.read(names)).not.toEqual(first);
      const place = MAX_BLOCK / (MAX_BLOCK / 2);
      expect(reads).toEqual([first[place], first[place - 1]]);
    });
  });

  it.each([2, 800])(
    "changes of %i objects wait until the list is read or there are too many",
    (size) => {
      let reads = 0;
      const createCountingItem = (index: number): Item => ({
        get metadata() {
          reads += 1;
          return { name: `w-${String(index).padStart(3, "0")}`, namespace: "ml" };
        },
      });
      let sorted = SortedItems.of(
        Array.from({ length: size }, (_, index) => createCountingItem(index)),
      );
      const items = [sorted.list()[0]];
      const versions = [sorted];
      reads = 0;
      for (let change = 0; change < maxPendingChanges(size); change++) {
        items.push(createCountingItem(0));
        sorted = sorted.with(items.at(-2), items.at(-1));
        versions.push(sorted);
      }
      expect(reads).toBe(0);
      const last = sorted.with(items.at(-1), undefined);
      expect(reads).toBeGreaterThan(0);
      expect(last.list().map((item) => item.metadata?.name)[0]).toBe("w-001");
      expect(last.size).toBe(size - 1);
      // Earlier versions do not change, in whatever order they are read.
      const most = maxPendingChanges(size);
      for (const index of [most, 1, most / 2, 0]) {
        expect(versions[index]?.list()[0]).toBe(items[index]);
        expect(versions[index]?.list()).toHaveLength(size);
      }
    },
  );

  it("SortedItems replaces an object by one with another name", () => {
    const [old, item, other] = [anItem("a", "x"), anItem("c", "x"), anItem("b", "x")];
    expect(SortedItems.of([old, other]).with(old, item).list()).toEqual([other, item]);
  });

  it("a list without changes is returned as the same frozen list", () => {
    const items = SortedItems.of([anItem("b", ""), anItem("a", "")]);
    expect(items.list()).toBe(items.list());
    expect(Object.isFrozen(items.list())).toBe(true);
    const changed = items.with(undefined, anItem("c", ""));
    expect(changed.list()).toBe(changed.list());
    expect(Object.isFrozen(changed.list())).toBe(true);
  });

  it("SortedItems reads names again only in changed blocks", () => {
    let reads = 0;
    const createCountingItem = (name: string): Item => ({
      get metadata() {
        reads += 1;
        return { name, namespace: "ml" };
      },
    });
    const items = Array.from({ length: 10_000 }, (_, index) =>
      createCountingItem(`train-workers-${index}`),
    );
    let sorted = SortedItems.of(items);
    reads = 0;
    for (let index = 0; index < 100; index++) {
      sorted = sorted.with(items[index], createCountingItem(`train-workers-${index}`));
      expect(sorted.list()).toHaveLength(10_000);
    }
    // Each change needs two searches. A search needs about fifteen comparisons, with at most four reads each.
    expect(reads).toBeLessThan(100 * 200);
  });
});
