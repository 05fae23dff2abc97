import type { ReadError } from "@jobset-ts/core";
import type { Diagnostic } from "../output/diagnostics.ts";
import { type LiveKind, liveResources } from "./resources.ts";

/**
 * Summarizes in one warning which kinds could not be read, in alphabetical order, and which information is
 * therefore missing.
 */
export function describeUnreadKinds(
  readErrors: Readonly<Record<string, ReadError>>,
): readonly Diagnostic[] {
  // The kinds are read in parallel, so the order of their errors differs between runs.
  const entries = Object.entries(readErrors).sort(([one], [other]) => (one < other ? -1 : 1));
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
