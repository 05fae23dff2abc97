// Every supported runtime has it, but no type library that we use declares it.
declare const TextDecoder: new (
  label: "utf-8",
  options: { readonly ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };

/** Decodes UTF-8. Invalid bytes become the replacement character, as in Go's JSON. */
export function decodeUtf8(bytes: Uint8Array): string {
  decoder ??= new TextDecoder("utf-8", { ignoreBOM: true });
  return decoder.decode(bytes);
}

// Creating one takes longer than a small patch. It keeps no state between calls.
let decoder: InstanceType<typeof TextDecoder> | undefined;
