import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { benchmarks } from "./benchmarks.ts";
import { measure } from "./measure.ts";
import { measureMemory, serve } from "./measure-memory.ts";
import { answers } from "./memory.ts";
import { type Result, row, tableHeading } from "./report.ts";

const usage = `Usage: npm run bench [-- NAME…] [--json FILE]

Measures each benchmark and its floor in the same run, and prints the ratio.
Without NAME, all benchmarks run: ${Object.keys(benchmarks).join(", ")}.
`;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const respond = args[0] === "--serve" ? answers[args[1] ?? ""] : undefined;
  if (respond !== undefined) {
    await serve(respond);
    return 0;
  }
  const parsed = parse(args);
  if (typeof parsed === "string") {
    process.stderr.write(`bench: ${parsed}\n`);
    return 2;
  }
  if (parsed.help) {
    process.stdout.write(usage);
    return 0;
  }
  process.stdout.write(tableHeading);
  const results: Result[] = [];
  for (const name of parsed.names) {
    for (const benchmark of benchmarks[name]?.() ?? []) {
      const measurement = await ("run" in benchmark
        ? measure(benchmark)
        : measureMemory(benchmark));
      const result = { name, ...measurement };
      results.push(result);
      process.stdout.write(row(result));
    }
  }
  if (parsed.json !== undefined)
    writeFileSync(parsed.json, `${JSON.stringify(results, null, 2)}\n`);
  return 0;
}

function parse(
  args: readonly string[],
): { names: readonly string[]; json?: string; help: boolean } | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { json: { type: "string" }, help: { type: "boolean", default: false } },
    });
    const unknown = positionals.find((name) => !Object.hasOwn(benchmarks, name));
    if (unknown !== undefined) {
      return `no benchmark "${unknown}": use ${Object.keys(benchmarks).join(", ")}`;
    }
    const names = positionals.length > 0 ? positionals : Object.keys(benchmarks);
    return { names, json: values.json, help: values.help };
  } catch (error) {
    return (error as Error).message;
  }
}
