export {
  boundedList,
  boundedQuote,
  boundedText,
  MAX_KEY_BYTES,
  MAX_VALUE_BYTES,
  moreMark,
  repeatedValue,
} from "./bounded-text.ts";
export { compareBytes } from "./byte-order.ts";
export { escapeUnprintable } from "./escape-unprintable.ts";
export { type Matches, matcherOf } from "./pattern.ts";
export { jsonQuote, quote } from "./quote.ts";
export { stringifyJson } from "./stringify-json.ts";
export { suggestName } from "./suggest-name.ts";
export { byteLength, encodeUtf8, firstBytes, isLongerThan } from "./utf8.ts";
