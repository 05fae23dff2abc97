/**
 * Formats a duration with its two largest units, such as `3 h 12 min`.
 *
 * @param seconds - a positive integer
 */
export function formatDuration(seconds: number): string {
  const units = [
    ["d", 86_400],
    ["h", 3_600],
    ["min", 60],
    ["s", 1],
  ] as const;
  const at = units.findIndex(([, size]) => seconds >= size);
  const [unit, size] = units[at] ?? ["s", 1];
  const next = units[at + 1];
  const rest = next === undefined ? 0 : Math.floor((seconds % size) / next[1]);
  const first = `${Math.floor(seconds / size)} ${unit}`;
  return next === undefined || rest === 0 ? first : `${first} ${rest} ${next[0]}`;
}
