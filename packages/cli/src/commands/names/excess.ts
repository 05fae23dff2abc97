import type { SizeExcess } from "@jobset-ts/core/desired";

/**
 * Formats how much a field exceeds a limit, without the name of the field.
 *
 * @param does - the action to which the limit applies, as in `are listed`
 * @example formatExcess({ field: "spec", resource: "Jobs", count: 3, limit: 2 }, "are listed") // => "3 Jobs are more than the 2 that are listed"
 */
export function formatExcess({ resource, count, limit }: SizeExcess, does: string): string {
  return `${count} ${resource} are more than the ${limit} that ${does}`;
}
