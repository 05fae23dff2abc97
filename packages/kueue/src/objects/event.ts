/** An Event about a JobSet. */
export interface KueueEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

/** Creates an Event of type Normal. */
export function normalEvent(reason: string, message: string): KueueEvent {
  return { type: "Normal", reason, message };
}
