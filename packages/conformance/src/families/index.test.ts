import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { listShippedVectors } from "../shipped-vectors.ts";
import { families, notYetCovered } from "./index.ts";

describe("recorded decisions", () => {
  it("every recorded family is either covered or listed as not yet covered", () => {
    const shipped = listShippedVectors().map((file) =>
      basename(file).replace(/\.jsonl(\.gz)?$/, ""),
    );
    expect([...families.keys(), ...notYetCovered].sort()).toEqual(shipped.sort());
  });
});
