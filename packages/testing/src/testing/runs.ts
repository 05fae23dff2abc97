import fc from "fast-check";

/** The default number of runs in fast-check. */
const DEFAULT_RUNS = 100;

/**
 * Returns how often a property runs: `usual` times, or `long` times in a long test run. A test run is long if
 * fast-check is configured (`fc.configureGlobal`) to at least ten times its default number of runs.
 *
 * @param long - ten times `usual` if absent
 * @example runs(200) // => 200
 */
export function runs(usual: number, long: number = 10 * usual): number {
  const { numRuns = DEFAULT_RUNS } = fc.readConfigureGlobal();
  return numRuns >= 10 * DEFAULT_RUNS ? long : usual;
}
