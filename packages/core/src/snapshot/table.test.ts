import type { Unvalidated } from "@jobset-ts/api";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { describe, expect, it } from "vitest";
import { Table } from "./table.ts";

type Item = Unvalidated<KubernetesObject>;

const NAMES = Array.from({ length: 1_000 }, (_, at) => `pod-${String(at).padStart(4, "0")}`);

/** Objects that count how often their metadata is read. */
function countedItems() {
  let reads = 0;
  const anItem = (name: string): Item => ({
    get metadata() {
      reads += 1;
      return { name, namespace: "ml" };
    },
  });
  return { anItem, reads: () => reads };
}

describe("Table", () => {
  it("a table sorts its lists only when they are read", () => {
    const { anItem, reads } = countedItems();
    let table = Table.of<Item, never>({}, NAMES.map(anItem));
    expect(table.all()).toHaveLength(1_000);
    const readsBefore = reads();
    for (const name of NAMES) table = table.with([{ at: anItem(name), item: anItem(name) }]);
    // Its position follows from its namespace and name. Keeping the order takes about twenty reads.
    expect((reads() - readsBefore) / NAMES.length).toBeLessThan(8);
    expect(table.all().map(({ metadata }) => metadata?.name)).toEqual(NAMES);
  });
});
