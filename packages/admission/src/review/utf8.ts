// Every runtime that we know has it, no type library that we use declares it.
declare const TextDecoder: new (
  label: "utf-8",
  options: { readonly ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };

/** Returns the text that UTF-8 holds; what is none becomes the replacement character, as it does in Go's JSON. */
export function decodeUtf8(bytes: Uint8Array): string {
  decoder ??= new TextDecoder("utf-8", { ignoreBOM: true });
  return decoder.decode(bytes);
}

// To make one costs more than a small patch takes. It keeps nothing from one call to the next.
let decoder: InstanceType<typeof TextDecoder> | undefined;
