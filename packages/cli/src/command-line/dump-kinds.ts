import { suggestName } from "@jobset-ts/api/text";
import { allKinds } from "@jobset-ts/diagnose/all";
import { InvalidArgumentError } from "commander";
import type { DumpKind } from "../commands/cluster/dump.ts";

/** The kinds of objects that a diagnosis uses. */
export const names: readonly DumpKind[] = allKinds;

/** Parses kinds by name or by kubectl resource name. */
export function parse(text: string): readonly DumpKind[] {
  return text.split(",").map((name) => {
    const lower = name.trim().toLowerCase();
    const found = names.find((kind) =>
      [kind.toLowerCase(), `${kind.toLowerCase()}s`].includes(lower),
    );
    if (found !== undefined) return found;
    throw new InvalidArgumentError(`Kinds are ${names.join(", ")}.${suggestName(lower, names)}`);
  });
}
