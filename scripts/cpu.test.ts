import { spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { expect, it } from "vitest";
import { cpuSeconds, mostExpensive } from "./cpu.mjs";
import { root } from "./root.mjs";

it.runIf(process.platform === "linux")(
  "cpuSeconds includes the CPU time of child processes that have exited",
  () => {
    const before = cpuSeconds() ?? 0;
    const busy =
      "for (let n = 0; process.cpuUsage().user < 150_000; ) for (const end = n + 1e5; n < end; n++);";
    spawnSync(process.execPath, ["-e", busy]);
    expect((cpuSeconds() ?? 0) - before).toBeGreaterThan(0.14);
  },
);

it("mostExpensive lists the files with the most CPU time, in descending order", () => {
  const lines = [1, 12.34, 3].map((seconds, index) =>
    JSON.stringify({ seconds, file: join(root, `${index}.test.ts`) }),
  );
  expect(mostExpensive(`${lines.join("\n")}\n`, 2)).toEqual([
    "  12.3 s  1.test.ts\n",
    "   3.0 s  2.test.ts\n",
  ]);
});
