import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { Writable } from "node:stream";
import { expect } from "vitest";
import { readFolder } from "../../packages/cli/src/input/folder.ts";
import { run } from "../../packages/cli/src/run.ts";

const prompt = "$ npm start --silent";

/**
 * Runs the commands of a console block, and compares their output with the lines that follow. Each command is a line
 * `$ npm start --silent -- ARGUMENTS`, with or without arguments. A line `…` stands for any number of lines.
 */
export async function runDocumentedCommand(root: string, block: string): Promise<void> {
  const commands = block.split(/^(?=\$ )/m);
  for (const command of commands) {
    const [first = "", ...expected] = command.replace(/\n$/, "").split("\n");
    const [before, args] = first.split(/(?<=--silent)(?: -- |$)/);
    if (before !== prompt) throw new Error(`a console block starts with "${prompt}"`);
    const printed = args ? await commandOutput(root, formatWords(args)) : firstScreen(root);
    expect(printed).toMatch(createPattern(expected));
  }
}

/** Splits the arguments as a shell does. Text in single quotes does not change. */
function formatWords(args: string): readonly string[] {
  const words = args.match(/(?:'[^']*'|[^\s'])+/g) ?? [];
  return words.map((word) => word.replaceAll("'", ""));
}

/** The output without arguments, which a different program prints. */
function firstScreen(root: string): string {
  const args = [join(root, "scripts", "run.mjs"), "start"];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  return `${stdout}${stderr}`.replace(/\n$/, "");
}

/** The output of a command on both streams, in order. */
export async function commandOutput(root: string, args: readonly string[]): Promise<string> {
  let text = "";
  const stream = () =>
    new Writable({
      write(chunk, _encoding, done) {
        text += String(chunk);
        done();
      },
    });
  await run([...args], {
    readFile: (path: string) => readFile(join(root, path)),
    readStdin: async () => Buffer.alloc(0),
    readFolder: (path: string) => readFolder(join(root, path)),
    writeFile: async () => {},
    now: () => 0,
    stdout: stream(),
    stderr: stream(),
    env: {},
  });
  return text.replace(/\n$/, "");
}

/** Converts these lines of a page to a pattern. A line `…` stands for any number of lines. */
export function createPattern(lines: readonly string[]): RegExp {
  const escaped = lines.map((line) =>
    line.trim() === "…" ? "[\\s\\S]*?" : line.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"),
  );
  return new RegExp(`^${escaped.join("\n").replaceAll("[\\s\\S]*?\n", "(?:.*\n)*?")}$`);
}
