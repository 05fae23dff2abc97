import { deepEqualQuantities, equalQuantities, parseQuantity } from "../quantity.ts";
import { isAbsent } from "./json-object.ts";
import type { Scalar, Special } from "./shape.ts";
import { readTimestamp } from "./timestamp.ts";

/**
 * Reports whether two scalars of a type are equal. An absent scalar counts as zero.
 *
 * @param how.quantities - decides which quantities are equal
 */
export function equalScalars(
  left: unknown,
  right: unknown,
  type: Scalar | Special,
  { quantities }: { readonly quantities: (left: unknown, right: unknown) => boolean },
): boolean {
  switch (type) {
    case "string":
      return equalTexts(left ?? "", right ?? "");
    case "boolean":
      return (left ?? false) === (right ?? false);
    case "int32":
    case "int64":
    case "integer":
      return (left ?? 0) === (right ?? 0);
    case "IntOrString":
      return (left ?? 0) === (right ?? 0) || (!isAbsent(left) && equalTexts(left, right));
    case "Quantity":
      return quantities(left, right);
    case "Time":
      return equalTimes(left ?? zeroTime, right ?? zeroTime);
  }
}

/** Texts that differ only in lone surrogates are equal in Go. */
function equalTexts(left: unknown, right: unknown): boolean {
  if (typeof left !== "string" || typeof right !== "string") return false;
  return left === right || left.toWellFormed() === right.toWellFormed();
}

/** Reports whether two quantities have the same value. An absent quantity counts as zero. */
export function equalAmounts(left: unknown, right: unknown): boolean {
  const [before, after] = [parseQuantity(left ?? "0"), parseQuantity(right ?? "0")];
  return before.ok && after.ok && equalQuantities(before.value, after.value);
}

/**
 * Reports whether Go stores two quantities in the same way. An absent quantity differs from every other, including
 * `0`.
 */
export function haveEqualRepresentation(left: unknown, right: unknown): boolean {
  return isAbsent(left) ? isAbsent(right) : deepEqualQuantities(left, right);
}

const zeroTime = "0001-01-01T00:00:00Z";

function equalTimes(left: unknown, right: unknown): boolean {
  const [before, after] = [readTimestamp(left), readTimestamp(right)];
  return (
    before !== undefined &&
    after !== undefined &&
    before.seconds === after.seconds &&
    before.nanoseconds === after.nanoseconds
  );
}
