import type { EpochMillis } from "@jobset-ts/api";

/** An Event as a controller reports it. */
export interface ReportedEvent {
  /** The UID of the involved object. */
  readonly about: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

/** An Event as it is stored. */
export interface StoredEvent {
  /** Identifies the Event. */
  readonly key: string;
  readonly message: string;
  /** The number of occurrences so far. */
  readonly count: number;
}

const MAX_MESSAGES = 10;
const SIMILAR_MS = 10 * 60_000;
const BURST = 25;
const REFILL_MS = 5 * 60_000;

/**
 * Simulates the aggregation of Events in client-go's recorder. Equal Events are counted. From the tenth different
 * message of a kind within ten minutes, Events are combined into one with the last message. An object can have 25
 * Events at once, and then one in five minutes.
 *
 * @see client-go 1.36 `tools/record` `NewEventCorrelator`
 */
export class EventRecorderModel {
  readonly #similar = new Map<string, { messages: Set<string>; lastAt: EpochMillis }>();
  readonly #counts = new Map<string, number>();
  readonly #tokens = new Map<string, { left: number; at: EpochMillis }>();

  /** Returns the stored Event, or `undefined` if it is dropped. */
  record(event: ReportedEvent, now: EpochMillis): StoredEvent | undefined {
    const { about, type, reason } = event;
    const similarKey = JSON.stringify([about, type, reason]);
    const isCombined = this.#isOneOfMany(similarKey, event.message, now);
    const message = isCombined ? `(combined from similar events): ${event.message}` : event.message;
    const key = isCombined ? similarKey : JSON.stringify([about, type, reason, message]);
    // Dropped Events count as well.
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return this.#mayStore(about, now) ? { key, message, count } : undefined;
  }

  #isOneOfMany(key: string, message: string, now: EpochMillis): boolean {
    const known = this.#similar.get(key);
    const isFresh = known !== undefined && now - known.lastAt <= SIMILAR_MS;
    const messages = isFresh ? known.messages : new Set<string>();
    this.#similar.set(key, { messages, lastAt: now });
    // client-go keeps nine of ten messages, in no particular order.
    if (!messages.has(message) && messages.size === MAX_MESSAGES - 1) return true;
    messages.add(message);
    return false;
  }

  #mayStore(about: string, now: EpochMillis): boolean {
    const { left, at } = this.#tokens.get(about) ?? { left: BURST, at: now };
    const tokens = Math.min(BURST, left + (now - at) / REFILL_MS);
    const may = tokens >= 1;
    this.#tokens.set(about, { left: may ? tokens - 1 : tokens, at: now });
    return may;
  }
}
