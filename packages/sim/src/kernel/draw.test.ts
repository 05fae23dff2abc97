import { describe, expect, it } from "vitest";
import { createStream, draw } from "./draw.ts";

describe("draw", () => {
  it("createStream returns the numbers that draw returns for the whole stream", () => {
    const drawAt = createStream(7, "generated-name", "train-workers-0-", 12);
    const places = [0, 1, 2, "3"];
    expect(places.map(drawAt)).toEqual(
      places.map((place) => draw(7, "generated-name", "train-workers-0-", 12, place)),
    );
  });

  it("draw returns other numbers if the same text is split into other parts", () => {
    expect(draw(7, "a", "bc")).not.toBe(draw(7, "ab", "c"));
    expect(createStream(7, "a")("bc")).not.toBe(createStream(7, "ab")("c"));
  });
});
