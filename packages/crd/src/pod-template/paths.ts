import { invalid } from "@jobset-ts/api/errors";
import type { FoundErrors } from "../found-errors.ts";

/** Yields why a path is not a relative one that stays below its start. */
export function* descendingPathErrors(path: string, field: string): FoundErrors {
  if (path.startsWith("/")) yield invalid(field, path, "must be a relative path");
  yield* parentDirectoryErrors(path, field);
}

/** Yields an error for a path with `..` as an element. */
export function* parentDirectoryErrors(path: string, field: string): FoundErrors {
  if (hasBacksteps(path)) yield invalid(field, path, "must not contain '..'");
}

export function hasBacksteps(path: string): boolean {
  return path.split("/").includes("..");
}

/** Yields why a path cannot name a file of a volume. The kubelet reserves names that start with `..`. */
export function* filePathErrors(path: string, field: string): FoundErrors {
  yield* descendingPathErrors(path, field);
  if (path.startsWith("..") && !path.startsWith("../")) {
    yield invalid(field, path, "must not start with '..'");
  }
}

const fileModes = [0, 0o777] as const;

/** Yields an error for a number that is not the mode of a file. */
export function* fileModeErrors(mode: number | undefined, field: string): FoundErrors {
  const [lowest, highest] = fileModes;
  if (mode !== undefined && (mode < lowest || mode > highest)) {
    yield invalid(field, mode, "must be a number between 0 and 0777 (octal), both inclusive");
  }
}
