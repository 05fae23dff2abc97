import { quote } from "@jobset-ts/api/text";

/** How deep Go's decoder follows lists and objects. */
const MAX_DEPTH = 10_000;

/**
 * What Go's decoder says of a text that is no JSON; `undefined` when it is.
 *
 * @see Go `encoding/json`, `SyntaxError`
 * @example jsonSyntaxError('[1] z') // => "invalid character 'z' after top-level value"
 */
export function jsonSyntaxError(text: string): string | undefined {
  const open: ("[" | "{")[] = [];
  let expected: Expected = "value";
  let at = 0;
  for (;;) {
    while (/[ \t\r\n]/.test(text.charAt(at))) at += 1;
    const character = text.charAt(at);
    if (character === "") return expected === "end" ? undefined : ENDS_EARLY;
    switch (expected) {
      case "value":
      case "value or ]": {
        if (character === "]" && expected === "value or ]") {
          open.pop();
          at += 1;
          expected = afterValue(open);
          continue;
        }
        if (character === "[" || character === "{") {
          open.push(character);
          if (open.length > MAX_DEPTH) return "exceeded max depth";
          at += 1;
          expected = character === "[" ? "value or ]" : "key or }";
          continue;
        }
        const scalar = scalarAt(text, at);
        if (!scalar.ok) return scalar.message;
        at = scalar.end;
        expected = afterValue(open);
        continue;
      }
      case "key":
      case "key or }": {
        if (character === "}" && expected === "key or }") {
          open.pop();
          at += 1;
          expected = afterValue(open);
          continue;
        }
        if (character !== '"')
          return unexpected(text, at, "looking for beginning of object key string");
        const key = stringAt(text, at);
        if (!key.ok) return key.message;
        at = key.end;
        expected = ":";
        continue;
      }
      case ":": {
        if (character !== ":") return unexpected(text, at, "after object key");
        at += 1;
        expected = "value";
        continue;
      }
      case ", or ]": {
        if (character !== "," && character !== "]")
          return unexpected(text, at, "after array element");
        at += 1;
        if (character === "]") open.pop();
        expected = character === "," ? "value" : afterValue(open);
        continue;
      }
      case ", or }": {
        if (character !== "," && character !== "}") {
          return unexpected(text, at, "after object key:value pair");
        }
        at += 1;
        if (character === "}") open.pop();
        expected = character === "," ? "key" : afterValue(open);
        continue;
      }
      case "end":
        return unexpected(text, at, "after top-level value");
    }
  }
}

/** What may come next. */
type Expected = "value" | "value or ]" | "key" | "key or }" | ":" | ", or ]" | ", or }" | "end";

function afterValue(open: readonly ("[" | "{")[]): Expected {
  const innermost = open.at(-1);
  if (innermost === undefined) return "end";
  return innermost === "[" ? ", or ]" : ", or }";
}

const ENDS_EARLY = "unexpected end of JSON input";

/** Where a scalar ends, or why there is none. */
type Scanned =
  | { readonly ok: true; readonly end: number }
  | { readonly ok: false; readonly message: string };

/** Go shows the first byte of a character as if it were one by itself. */
function unexpected(text: string, at: number, where: string): string {
  if (at >= text.length) return ENDS_EARLY;
  const code = text.codePointAt(at) ?? 0;
  const byte = code < 0x80 ? code : firstByte(code);
  const character = String.fromCharCode(byte);
  const shown =
    character === "'" ? "'\\''" : character === '"' ? `'"'` : `'${quote(character).slice(1, -1)}'`;
  return `invalid character ${shown} ${where}`;
}

function firstByte(code: number): number {
  if (code < 0x800) return 0xc0 | (code >> 6);
  if (code >= 0xd800 && code < 0xe000) return 0xef;
  return code < 0x10000 ? 0xe0 | (code >> 12) : 0xf0 | (code >> 18);
}

function scalarAt(text: string, at: number): Scanned {
  const character = text.charAt(at);
  if (character === '"') return stringAt(text, at);
  if (character === "-" || /\d/.test(character)) return numberAt(text, at);
  const literal = ["true", "false", "null"].find((word) => word.startsWith(character));
  if (literal !== undefined) return literalAt(text, at, literal);
  return { ok: false, message: unexpected(text, at, "looking for beginning of value") };
}

function literalAt(text: string, at: number, literal: string): Scanned {
  for (const [index, wanted] of [...literal].entries()) {
    if (text.charAt(at + index) === wanted) continue;
    const where = `in literal ${literal} (expecting '${wanted}')`;
    return { ok: false, message: unexpected(text, at + index, where) };
  }
  return { ok: true, end: at + literal.length };
}

function stringAt(text: string, start: number): Scanned {
  let at = start + 1;
  for (; text.charAt(at) !== '"'; at += 1) {
    const character = text.charAt(at);
    if (character === "" || character < " ") {
      return { ok: false, message: unexpected(text, at, "in string literal") };
    }
    if (character !== "\\") continue;
    at += 1;
    if (text.charAt(at) === "u") {
      for (const end = at + 4; at < end; at += 1) {
        if (/[\da-fA-F]/.test(text.charAt(at + 1))) continue;
        const where = "in \\u hexadecimal character escape";
        return { ok: false, message: unexpected(text, at + 1, where) };
      }
    } else if (!/["\\/bfnrt]/.test(text.charAt(at))) {
      return { ok: false, message: unexpected(text, at, "in string escape code") };
    }
  }
  return { ok: true, end: at + 1 };
}

function numberAt(text: string, start: number): Scanned {
  let at = start;
  const digits = () => {
    const from = at;
    while (/\d/.test(text.charAt(at))) at += 1;
    return at > from;
  };
  if (text.charAt(at) === "-") at += 1;
  if (text.charAt(at) === "0") at += 1;
  else if (!digits()) return { ok: false, message: unexpected(text, at, "in numeric literal") };
  if (text.charAt(at) === ".") {
    at += 1;
    if (!digits()) {
      return { ok: false, message: unexpected(text, at, "after decimal point in numeric literal") };
    }
  }
  if (/[eE]/.test(text.charAt(at))) {
    at += 1;
    if (/[+-]/.test(text.charAt(at))) at += 1;
    if (!digits())
      return { ok: false, message: unexpected(text, at, "in exponent of numeric literal") };
  }
  return { ok: true, end: at };
}
