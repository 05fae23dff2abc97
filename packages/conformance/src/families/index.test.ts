import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { shippedVectors } from "../shipped-vectors.ts";
import { families, notYetCovered } from "./index.ts";

describe("the shipped decisions", () => {
  it("belong each to a family that is answered or awaited, and never both", () => {
    const shipped = shippedVectors().map((file) => basename(file).replace(/\.jsonl(\.gz)?$/, ""));
    expect([...families.keys(), ...notYetCovered].sort()).toEqual(shipped.sort());
  });
});
