/** Reads a metrics page, and returns the sum over all labels by metric name. */
export async function getMetrics(url: string): Promise<ReadonlyMap<string, number>> {
  const page = await (await fetch(url)).text();
  const sums = new Map<string, number>();
  for (const line of page.split("\n")) {
    const [, name, value] = /^([a-z_]+)(?:\{.*\})? (\S+)$/.exec(line) ?? [];
    if (name !== undefined) sums.set(name, (sums.get(name) ?? 0) + Number(value));
  }
  return sums;
}
