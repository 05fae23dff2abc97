import { describe, expect, it } from "vitest";
import { type Cell, formatTable } from "./table.ts";

describe("formatTable", () => {
  it("formatTable makes columns as wide as needed, three spaces apart", () => {
    const lines = [
      ...formatTable(
        ["KIND", "NAME", "INDEX"],
        [
          ["Job", "train-workers-0", 0],
          ["Service", "a", undefined],
        ],
      ),
    ];
    expect(lines.join("")).toBe(`KIND      NAME              INDEX
Job       train-workers-0   0
Service   a                 <none>
`);
  });

  it("formatTable prints <none> for absent and empty values, and prints false and zero", () => {
    expect([...formatTable(["A", "B", "C", "D"], [[undefined, "", false, 0]])].at(-1)).toBe(
      "<none>   <none>   false   0\n",
    );
  });

  it("formatTable prints nothing for no rows, not even headings", () => {
    expect([...formatTable(["A"], [])]).toEqual([]);
  });

  it("formatTable prints before it has all rows, and never makes a column narrower", () => {
    let created = 0;
    function* rows(): Generator<readonly Cell[]> {
      for (; created < 10_000; created++) yield [`row-${created}`, "x"];
    }
    const lines = formatTable(["A", "B"], rows());
    expect(lines.next().value).toBe("A         B\n");
    expect(created).toBeLessThan(1000);
    const rest = [...lines];
    expect(rest).toHaveLength(10_000);
    expect(rest[0]).toBe("row-0     x\n");
    expect(rest.at(-1)).toBe("row-9999   x\n");
  });

  it("formatTable prints other values as truncated JSON", () => {
    const unusualCells = [{ toString: 1 }, null, "x".repeat(5000)] as unknown as readonly Cell[];
    const [, line] = formatTable(["A", "B", "C"], [unusualCells]);
    expect(line).toBe(`{"toString":1}   <none>   ${"x".repeat(1000)}…\n`);
  });

  it("formatTable escapes control characters, so that no cell can forge a line", () => {
    expect([...formatTable(["A", "B"], [["x\ny", 1]])].join("")).toBe(
      "A          B\nx\\u000ay   1\n",
    );
  });
});
