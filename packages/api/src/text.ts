export {
  MAX_KEY_BYTES,
  MAX_VALUE_BYTES,
  omittedSuffix,
  shortenRepeatedValue,
  truncateList,
  truncateQuoted,
  truncateText,
} from "./bounded-text.ts";
export { compareBytes } from "./byte-order.ts";
export { escapeUnprintable } from "./escape-unprintable.ts";
export { compilePattern } from "./pattern.ts";
export { goQuote, jsonQuote } from "./quote.ts";
export { toSingleLine } from "./single-line.ts";
export { stringifyJson } from "./stringify-json.ts";
export { suggestName } from "./suggest-name.ts";
export { byteLength, encodeUtf8, isLongerThan, truncateUtf8 } from "./utf8.ts";
