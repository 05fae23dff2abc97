/**
 * A value of a scalar. A bigint is an integer that a number cannot represent exactly. A number that is not finite is
 * `.inf` or `.nan` in YAML. JSON, and therefore Kubernetes, supports neither.
 */
export type ScalarValue = string | number | bigint | boolean | null;

const keywords: readonly (readonly [ScalarValue, string])[] = [
  [null, "~ null Null NULL"],
  [true, "y Y yes Yes YES true True TRUE on On ON"],
  [false, "n N no No NO false False FALSE off Off OFF"],
  [Number.NaN, ".nan .NaN .NAN"],
  [Number.POSITIVE_INFINITY, ".inf .Inf .INF +.inf +.Inf +.INF"],
  [Number.NEGATIVE_INFINITY, "-.inf -.Inf -.INF"],
];
const keywordValues = new Map<string, ScalarValue>([
  ["", null],
  ...keywords.flatMap(([value, list]) => list.split(" ").map((word) => [word, value] as const)),
]);

const integer =
  /^(?<sign>[-+]?)(?:0[xX][0-9a-fA-F]+|0[bB][01]+|(?<octal>0[oO]?)[0-7]+|0|[1-9][0-9]*)$/;
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

/**
 * Resolves an unquoted YAML scalar as kubectl does, which reads YAML 1.1 with exceptions. `on` and `yes` are booleans
 * and `012` is ten. Timestamps, sexagesimal numbers and numbers beyond the range of a float are strings.
 *
 * @see the resolver of go-yaml v2
 * @example resolvePlainScalar("yes") // => true
 * @example resolvePlainScalar("0x1F") // => 31
 * @example resolvePlainScalar("e2") // => "e2"
 * @example resolvePlainScalar("12e03") // => 12000
 * @example resolvePlainScalar("2026-02-07") // => "2026-02-07"
 */
export function resolvePlainScalar(text: string): ScalarValue {
  const word = keywordValues.get(text);
  if (word !== undefined) return word;
  if (!/^[-+.0-9]/.test(text)) return text;
  // Underscores are allowed in numbers, but not in those that start with a dot.
  const digits = text.startsWith(".") ? text : text.replaceAll("_", "");
  return parseInteger(digits) ?? toFloat(digits) ?? text;
}

function parseInteger(digits: string): number | bigint | undefined {
  const groups = integer.exec(digits)?.groups;
  if (groups === undefined) return undefined;
  const { sign = "", octal } = groups;
  const magnitude = digits.slice(sign.length);
  const exact = BigInt(octal === undefined ? magnitude : `0o${magnitude.slice(octal.length)}`);
  const value = sign === "-" ? -exact : exact;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function toFloat(digits: string): number | undefined {
  if (!float.test(digits)) return undefined;
  const value = Number(digits);
  return Number.isFinite(value) ? value : undefined;
}
