import type { ReadError } from "@jobset-ts/core";
import type { Diagnostic } from "../output/diagnostics.ts";
import { type LiveKind, liveResources } from "./resources.ts";

/** Summarizes in one warning which kinds could not be read, and what this hides. */
export function describeUnreadKinds(
  readErrors: Readonly<Record<string, ReadError>>,
): readonly Diagnostic[] {
  const entries = Object.entries(readErrors);
  const [first] = entries;
  if (first === undefined) return [];
  const hidden = entries.map(([kind]) => {
    const { hides } = liveResources[kind as LiveKind] ?? {};
    return hides === undefined ? kind : `${kind} (${hides})`;
  });
  const [, { message }] = first;
  return [
    {
      severity: "warning",
      message: `could not be read, so findings about them are missing: ${hidden.join(", ")}; the first error: ${message}`,
    },
  ];
}
