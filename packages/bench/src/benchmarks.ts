import type { Benchmark } from "./measure.ts";
import { render } from "./render.ts";

/** Every benchmark by name; each is a list of sizes, built when it runs. */
export const benchmarks: Readonly<Record<string, () => Iterable<Benchmark>>> = { render };
