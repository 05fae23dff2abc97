import { describe, expect, it } from "vitest";
import { type FieldError, invalid, required } from "./field-error.ts";
import { truncateErrors } from "./truncated-errors.ts";

const errors = (count: number, detail = "") =>
  Array.from({ length: count }, (_, index) => invalid(`a[${index}]`, 0, detail));

describe("the errors of a response", () => {
  it("TruncatedErrors keeps a few errors unchanged", () => {
    const few = errors(3);
    expect(truncateErrors(few)).toMatchObject({ errors: few, omitted: 0, count: 3 });
  });

  it("TruncatedErrors keeps the first two hundred of many errors", () => {
    const { errors: shown, omitted, count } = truncateErrors(errors(1000));
    expect([shown.length, omitted, count]).toEqual([200, 800, 1000]);
    expect(shown.at(-1)?.field).toBe("a[199]");
  });

  it("TruncatedErrors keeps the first error and as many others as fit, and none after one that does not fit", () => {
    const long = errors(10, "x".repeat(8000));
    expect(truncateErrors(long)).toMatchObject({ errors: long.slice(0, 3), omitted: 7 });
    const huge = invalid("b".repeat(30_000), 0, "");
    expect(truncateErrors([huge, required("c")])).toMatchObject({ errors: [huge], omitted: 1 });
    expect(truncateErrors([required("c"), huge, required("d")]).errors).toHaveLength(1);
  });

  it("TruncatedErrors does not evaluate the errors that it omits", () => {
    const found = truncateErrors(errors(1000));
    found.add((): FieldError => expect.unreachable());
    expect(found.count).toBe(1001);
  });

  it("TruncatedErrors can remove an error again, which makes room for later ones", () => {
    const found = truncateErrors(errors(10));
    const mark = found.mark();
    found.addAll({ errors: errors(1000), omitted: 5 });
    found.reset(mark);
    expect(found).toMatchObject({ count: 10, omitted: 0 });
    found.add(() => required("b"));
    expect(found.errors.at(-1)).toEqual(required("b"));
  });
});
