import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../testing/src/testing/runs.ts";
import { computeHash, emptyMap, type PersistentMap } from "./persistent-map.ts";

/**
 * Found by trial: different keys with the same hash, and two keys whose hashes differ only in the
 * highest bits.
 */
const colliding = ["tscfc27xp2fdxv", "tscfc277nhff7z", "n9pfrgbxp2fdxv", "n9pfrgb7nhff7z"];
const similarHashKeys = ["pod-ggn", "pod-12x2"];
const others = ["", "__proto__", "constructor", "\ud800", "ml/train-w-0", "ml/train-w-1"];

const keys = fc.constantFrom(...colliding, ...similarHashKeys, ...others);
/** A value to set, or undefined to delete. */
const changes = fc.array(fc.tuple(keys, fc.option(fc.nat(9), { nil: undefined })), {
  maxLength: 30,
});

function applyChanges(
  trie: PersistentMap<number>,
  key: string,
  value: number | undefined,
): PersistentMap<number> {
  return value === undefined ? trie.delete(key) : trie.set(key, value);
}

/** All operations of a trie. */
function queryAll(trie: PersistentMap<number>) {
  const all = [...colliding, ...similarHashKeys, ...others];
  return { size: trie.size, values: all.map((key) => trie.get(key)), entries: [...trie.entries()] };
}

describe("the keys of these tests", () => {
  it("the test keys collide as intended", () => {
    expect(new Set(colliding.map(computeHash)).size).toBe(1);
    const [one, other] = similarHashKeys.map(computeHash);
    expect(one).not.toBe(other);
    expect((one ?? 0) & 0x3fff_ffff).toBe((other ?? 0) & 0x3fff_ffff);
  });
});

describe("a trie", () => {
  it("PersistentMap behaves like a Map", () => {
    fc.assert(
      fc.property(changes, (list) => {
        const map = new Map<string, number>();
        let trie = emptyMap<number>();
        for (const [key, value] of list) {
          trie = applyChanges(trie, key, value);
          if (value === undefined) map.delete(key);
          else map.set(key, value);
          expect(trie.size).toBe(map.size);
          expect(new Map(trie.entries())).toEqual(map);
          for (const key of [...colliding, ...similarHashKeys, ...others]) {
            expect(trie.get(key)).toBe(map.get(key));
          }
        }
      }),
      { numRuns: runs(50) },
    );
  });

  it("PersistentMap can contain a key whose value is undefined", () => {
    const trie = emptyMap<undefined>().set("a", undefined).set("a", undefined).set("b", undefined);
    expect([trie.size, [...trie.entries()]]).toEqual([
      2,
      expect.arrayContaining([
        ["a", undefined],
        ["b", undefined],
      ]),
    ]);
    expect(trie.delete("a").delete("b").size).toBe(0);
  });

  it("PersistentMap does not change when later versions are created", () => {
    fc.assert(
      fc.property(changes, (list) => {
        const versions = [{ trie: emptyMap<number>(), before: queryAll(emptyMap<number>()) }];
        for (const [key, value] of list) {
          const last = versions.at(-1)?.trie ?? emptyMap<number>();
          const trie = applyChanges(last, key, value);
          versions.push({ trie, before: queryAll(trie) });
        }
        for (const { trie, before } of versions) expect(queryAll(trie)).toEqual(before);
      }),
      { numRuns: runs(50) },
    );
  });

  it("PersistentMap iterates in an order that depends only on the keys", () => {
    fc.assert(
      fc.property(changes, (list) => {
        let trie = emptyMap<number>();
        for (const [key, value] of list) trie = applyChanges(trie, key, value);
        const entries = [...trie.entries()];
        let rebuilt = emptyMap<number>();
        for (const [key, value] of entries.toReversed()) rebuilt = rebuilt.set(key, value);
        expect([...rebuilt.entries()]).toEqual(entries);
      }),
      { numRuns: runs(50) },
    );
  });

  it("PersistentMap returns itself when a missing key is deleted", () => {
    const trie = emptyMap<number>().set(colliding[0] ?? "", 1);
    for (const key of [...colliding.slice(1), ...similarHashKeys]) {
      expect(trie.delete(key)).toBe(trie);
    }
    const empty = emptyMap<number>();
    expect(empty.delete("a")).toBe(empty);
  });

  it("PersistentMap can contain very many keys", () => {
    let trie = emptyMap<number>();
    for (let index = 0; index < 20_000; index++) trie = trie.set(`train-w-${index}`, index);
    for (let index = 0; index < 20_000; index += 2) trie = trie.delete(`train-w-${index}`);
    expect(trie.size).toBe(10_000);
    expect([trie.get("train-w-2"), trie.get("train-w-19999")]).toEqual([undefined, 19_999]);
    expect([...trie.entries()]).toHaveLength(10_000);
  });
});
