import { type EpochMillis, formatTime, parseTime } from "@jobset-ts/api";
import { isObject } from "@jobset-ts/api/kubernetes";
import type { ReadError } from "@jobset-ts/core";
import type { DocumentType } from "./objects.ts";

/** The information of `jobset dump` about a cluster in addition to its objects. */
export interface DumpHeader {
  /** When the cluster was read. */
  readonly now: EpochMillis;
  /** The kinds that were read, even if they have no objects. */
  readonly kinds: readonly string[];
  /** The kinds that could not be read, with the server's errors. */
  readonly readErrors: Readonly<Record<string, ReadError>>;
}

/** The member of a `List` that contains the header. kubectl and API servers ignore it. */
export const HEADER_MEMBER = "jobsetDump";

/** Returns the header as a member of a `List`. */
export function formatDumpHeader({ now, kinds, readErrors }: DumpHeader): object {
  return { time: formatTime(now), kinds, readErrors };
}

/** Returns the header of a document that `jobset dump` wrote. Undefined for other documents. */
export function parseDumpHeader({ header }: DocumentType): DumpHeader | undefined {
  if (!isObject(header)) return undefined;
  const { time, kinds, readErrors } = header as Readonly<Record<string, unknown>>;
  const now = typeof time === "string" ? parseTime(time) : undefined;
  if (now === undefined || !Array.isArray(kinds)) return undefined;
  const errors = Object.entries(isObject(readErrors) ? readErrors : {}).flatMap(
    ([kind, error]): [string, ReadError][] => {
      const { message, reason, code } = (isObject(error) ? error : {}) as Partial<
        Record<keyof ReadError, unknown>
      >;
      if (typeof message !== "string") return [];
      return [
        [
          kind,
          {
            message,
            ...(typeof reason === "string" && { reason }),
            ...(typeof code === "number" && { code }),
          },
        ],
      ];
    },
  );
  return {
    now,
    kinds: kinds.filter((kind): kind is string => typeof kind === "string"),
    readErrors: Object.fromEntries(errors),
  };
}
