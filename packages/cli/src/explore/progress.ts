/** How far an exploration is. */
export interface Progress {
  readonly played: number;
  readonly total: number;
  readonly states: number;
  readonly found: number;
  readonly elapsedMs: number;
}

/** Takes the line of progress off the terminal. */
export const CLEAR_LINE = "\r\u001b[K";

/** How far an exploration is, in a line without its end. */
export function progressText({ played, total, states, found, elapsedMs }: Progress): string {
  const rate = elapsedMs === 0 ? 0 : (played * 1000) / elapsedMs;
  const left = rate === 0 ? "" : `, ${timeText((total - played) / rate)} left`;
  const findings = found === 0 ? "" : `, ${found} found`;
  return `${played} of ${total} schedules, ${rateText(rate)}${states} states${findings}${left}`;
}

/** How far it is while a finding is made smaller, for a terminal. */
export function shrinkingLine(oracle: string, tried: number): string {
  return `${CLEAR_LINE}making ${oracle} smaller: ${tried} schedules tried`;
}

function rateText(rate: number): string {
  return rate === 0 ? "" : `${rate.toFixed(1)} a second, `;
}

function timeText(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  if (hours > 0) return `${hours}h${minutes}m`;
  return minutes > 0 ? `${minutes}m${whole % 60}s` : `${whole}s`;
}
