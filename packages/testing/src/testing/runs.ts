import fc from "fast-check";

/** How often fast-check runs a property when nobody says otherwise. */
const USUAL_DEFAULT = 100;

/**
 * How often a property is to run: as usual, or in a long tier of tests, which is one where fast-check was configured
 * (`fc.configureGlobal`) to run properties at least ten times as often as it does by itself.
 *
 * @param long - ten times as often when absent
 * @example runs(200) // => 200
 */
export function runs(usual: number, long: number = 10 * usual): number {
  const { numRuns = USUAL_DEFAULT } = fc.readConfigureGlobal();
  return numRuns >= 10 * USUAL_DEFAULT ? long : usual;
}
