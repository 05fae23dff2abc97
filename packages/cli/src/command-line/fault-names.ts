import { suggestName } from "@jobset-ts/api/text";
import { type Fault, faultNames } from "@jobset-ts/sim";
import { InvalidArgumentError } from "commander";

/** The faults of a scenario. */
export const names: readonly Fault["fault"][] = faultNames;

/** Reads `Crash,HoldBack`. */
export function parse(text: string): readonly Fault["fault"][] {
  const given = text.split(",");
  const known = names.filter((name) => given.includes(name));
  if (known.length === new Set(given).size) return known;
  const unknown = given.find((name) => !names.some((fault) => fault === name)) ?? "";
  throw new InvalidArgumentError(`Faults are ${names.join(", ")}.${suggestName(unknown, names)}`);
}

/** The names beside each other, in lines as long as those of the help. */
export function formatFaultHelp(): string {
  const lines: string[] = [""];
  for (const name of names) {
    const line = `${lines.pop()} ${name}`;
    if (line.length < 120) lines.push(line);
    else lines.push(line.slice(0, -name.length - 1), ` ${name}`);
  }
  return `\nFaults:\n${lines.map((line) => ` ${line}`).join("\n")}`;
}
