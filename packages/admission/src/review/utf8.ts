// Every runtime that we know has these, no type library that we use declares them.
declare const TextEncoder: new () => { encode(text: string): Uint8Array<ArrayBuffer> };
declare const TextDecoder: new (
  label: "utf-8",
  options: { readonly ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };

/** Text as UTF-8; a lone surrogate becomes the replacement character. */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** The text that UTF-8 holds; what is none becomes the replacement character, as it does in Go's JSON. */
export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
