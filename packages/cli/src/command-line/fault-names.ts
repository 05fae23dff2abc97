import { suggestName } from "@jobset-ts/api/text";
import { type Fault, faultNames } from "@jobset-ts/sim";
import { InvalidArgumentError } from "commander";

/** The faults that a scenario can contain. */
export const names: readonly Fault["fault"][] = faultNames;

/** Parses `Crash,HoldBack`. */
export function parse(text: string): readonly Fault["fault"][] {
  const requested = text.split(",");
  const known = names.filter((name) => requested.includes(name));
  if (known.length === new Set(requested).size) return known;
  const unknown = requested.find((name) => !names.some((fault) => fault === name)) ?? "";
  throw new InvalidArgumentError(`Faults are ${names.join(", ")}.${suggestName(unknown, names)}`);
}

/** Returns the faults for the help, wrapped to its width. */
export function formatFaultHelp(): string {
  const lines: string[] = [""];
  for (const name of names) {
    const line = `${lines.pop()} ${name}`;
    if (line.length < 120) lines.push(line);
    else lines.push(line.slice(0, -name.length - 1), ` ${name}`);
  }
  return `\nFaults:\n${lines.map((line) => ` ${line}`).join("\n")}`;
}
