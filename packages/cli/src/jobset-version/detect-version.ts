import { detectRelease, type ReleaseEvidence } from "@jobset-ts/releases";
import type { InputObject } from "../input/objects.ts";
import type { Diagnostic } from "../output/diagnostics.ts";
import { type JobSetVersion, MAIN } from "./jobset-version.ts";

/** The version of JobSet in a cluster. */
export interface DetectedVersion {
  /** Absent if no object shows a known version. */
  readonly version?: JobSetVersion;
  /** The note about the assumed version and the reason for it. Empty if no object shows a version. */
  readonly notes: readonly Diagnostic[];
}

/** Detects the version of JobSet from the objects of a cluster. */
export function detectVersion(objects: readonly InputObject[]): DetectedVersion {
  const found = detectRelease(objects.map(({ value }) => value));
  switch (found.outcome) {
    case "NotFound":
      return { notes: [] };
    case "Main":
      return {
        version: MAIN,
        notes: [createNote(`JobSet's main branch, because ${formatEvidence(found.evidence)}`)],
      };
    case "Unsupported": {
      const { version, evidence } = found;
      const why = `${formatEvidence(evidence)}, and JobSet ${version} is not supported`;
      return { notes: [createNote(`JobSet's main branch, because ${why}`)] };
    }
    case "Release": {
      const { release, evidence } = found;
      return {
        version: release,
        notes: [createNote(`JobSet ${release.name}, because ${formatEvidence(evidence)}`)],
      };
    }
  }
}

function createNote(assumed: string): Diagnostic {
  return { severity: "note", message: `assuming ${assumed}; use --jobset-version to change this` };
}

function formatEvidence({ source, kind, namespace, name, value }: ReleaseEvidence): string {
  const object = [kind, [namespace, name].filter(Boolean).join("/")].join(" ");
  switch (source) {
    case "Image":
      return `${object} runs ${value}`;
    case "Label":
      return `${object} has the label ${value}`;
    case "Schema":
      return `${object} has the field ${value}`;
  }
}
