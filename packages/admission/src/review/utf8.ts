// Every runtime that we know has these, no type library that we use declares them.
declare const TextEncoder: new () => { encode(text: string): Uint8Array<ArrayBuffer> };
declare const TextDecoder: new (
  label: "utf-8",
  options: { readonly ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };

/** Text as UTF-8; a lone surrogate becomes the replacement character. */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  encoder ??= new TextEncoder();
  return encoder.encode(text);
}

/** The text that UTF-8 holds; what is none becomes the replacement character, as it does in Go's JSON. */
export function decodeUtf8(bytes: Uint8Array): string {
  decoder ??= new TextDecoder("utf-8", { ignoreBOM: true });
  return decoder.decode(bytes);
}

// To make one costs more than a small patch takes. Neither keeps anything from one call to the next.
let encoder: InstanceType<typeof TextEncoder> | undefined;
let decoder: InstanceType<typeof TextDecoder> | undefined;
