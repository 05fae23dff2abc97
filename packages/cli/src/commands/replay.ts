import { resolveFeatureGates } from "@jobset-ts/api";
import { NO_FIELD } from "@jobset-ts/api/errors";
import { isObject } from "@jobset-ts/api/kubernetes";
import { createRedactor } from "@jobset-ts/api/redaction";
import { suggestName } from "@jobset-ts/api/text";
import { findUnknownFields } from "@jobset-ts/api/typed";
import { createSnapshot } from "@jobset-ts/core";
import { parseScenario, parseScenarioFinding, type ScenarioFinding } from "@jobset-ts/sim/schema";
import { createJobSet } from "../admission/create-jobset.ts";
import { formatErrorBody } from "../admission/denial-diagnostics.ts";
import type { Document } from "../input/document.ts";
import { errorMessages } from "../input/document-error.ts";
import { readJsonDocuments } from "../input/json-document.ts";
import { findNearestValue } from "../input/located-value.ts";
import type { InputObject } from "../input/objects.ts";
import { type Files, readSources, type Source } from "../input/sources.ts";
import { readYamlDocuments } from "../input/yaml-documents.ts";
import { type Behavior, resolveBehavior } from "../jobset-version/behavior.ts";
import { findVersion, type JobSetVersion } from "../jobset-version/jobset-version.ts";
import type { QuirksName } from "../jobset-version/quirks.ts";
import type { CommandResult } from "../output/command-result.ts";
import type { Diagnostic } from "../output/diagnostics.ts";
import { chooseTraceFormat, type TraceFormat } from "../output/trace.ts";
import { createLawSettings } from "./explore/blocks.ts";
import { runScenario } from "./simulate.ts";
import { toSimulationOptions } from "./simulation/upgrade.ts";

/** The options of `replay`. */
export interface ReplayOptions {
  readonly output: TraceFormat;
  /** Whether to print a summary instead of the timeline. */
  readonly summary?: boolean;
  /** The version of JobSet. Absent means that of the finding. */
  readonly jobsetVersion?: JobSetVersion;
  /** The quirks. Absent means those of the version, or otherwise those of the finding. */
  readonly quirks?: QuirksName;
}

/** Runs the finding or scenario of a file, and prints the run. */
export async function replay(
  file: string,
  options: ReplayOptions,
  files: Files,
): Promise<CommandResult> {
  const { sources, diagnostics } = await readSources([file], files);
  const [source] = sources;
  if (source === undefined) return { output: [], diagnostics, exitCode: 2 };
  const read = readFinding(source, options);
  if ("diagnostics" in read) return { output: [], ...read };
  const { scenario, behavior, law, warnings } = read;
  const title = law === undefined ? `Scenario ${source.name}` : `Finding: ${law}`;
  const settings = toSimulationOptions(behavior);
  return runScenario(scenario, {
    ...createLawSettings(law, scenario, settings),
    // A release violates other laws, too.
    continueAfterViolation: read.jobsetVersion !== undefined || options.jobsetVersion !== undefined,
    title,
    law,
    output: chooseTraceFormat(options),
    diagnostics: warnings,
    progress: files.progress,
  });
}

type FindingResult =
  | (Pick<ScenarioFinding, "scenario"> &
      Partial<ScenarioFinding> & {
        readonly behavior: Behavior;
        readonly warnings: readonly Diagnostic[];
      })
  | { readonly diagnostics: readonly Diagnostic[]; readonly exitCode: 1 | 2 };

/**
 * @param options - a version and quirks that replace those of the finding
 */
function readFinding({ name: file, text }: Source, options: ReplayOptions): FindingResult {
  const documents = splitDocuments(text);
  const [document, another] = documents;
  const reject = (
    messages: readonly LocatedMessage[],
    of: Document | undefined,
    exitCode: 1 | 2 = 2,
  ): FindingResult => ({ diagnostics: locateMessages(messages, file, of), exitCode });
  if (document === undefined || another !== undefined) {
    return reject(
      [{ field: "", message: "expected one document with a finding or a scenario" }],
      another,
    );
  }
  const syntaxErrors = listSyntaxErrors(document);
  if (syntaxErrors.length > 0) return reject(syntaxErrors, document);
  const redactor = createRedactor();
  const value = redactor.redactMessages(redactor.redactObject(document.value));
  if (isObject(value) && typeof value.kind === "string" && typeof value.apiVersion === "string") {
    const message = `expected a finding or a scenario, not a ${value.kind}`;
    const help = value.kind === "JobSet" ? "; use jobset simulate -f for a JobSet" : "";
    return reject([{ field: "", message: `${message}${help}` }], document);
  }
  const isFinding = isObject(value) && "scenario" in value;
  const parsed = isFinding ? parseScenarioFinding(value) : parseScenario(value);
  if (!parsed.ok) {
    const messages = parsed.errors.map((error) => ({
      field: error.field === NO_FIELD ? "" : error.field,
      message: formatErrorBody(error),
    }));
    return reject(messages, document);
  }
  const read = "scenario" in parsed.value ? parsed.value : { scenario: parsed.value };
  const at = isFinding ? "scenario." : "";
  const version = findFindingVersion(read, options);
  if (version === "Unknown") {
    return reject([{ field: "jobsetVersion", message: "unknown version of JobSet" }], document);
  }
  const behavior = resolveFindingBehavior(read, version, options);
  const denials = listDeniedJobSets(read.scenario, { at: `${at}objects`, behavior });
  if (denials.length > 0) return reject(denials, document, 1);
  return {
    ...read,
    behavior,
    warnings: locateMessages(listDroppedFields(read.scenario, at), file, document),
  };
}

function locateMessages(
  messages: readonly LocatedMessage[],
  file: string,
  document: Document | undefined,
): readonly Diagnostic[] {
  return messages.map(({ field, message, severity = "error" }) => ({
    severity,
    file,
    ...(document && {
      position: document.positionAt(findNearestValue(document.root, field).offset),
    }),
    field,
    message,
  }));
}

function listSyntaxErrors({ errors, duplicates }: Document): readonly LocatedMessage[] {
  const duplicateErrors = duplicates.map(({ field, line }) => ({
    field,
    message: errorMessages.duplicateKey(line),
  }));
  return [...errors, ...duplicateErrors];
}

/** Returns the version of a finding, unless the options replace it. */
function findFindingVersion(
  { jobsetVersion: named }: Partial<ScenarioFinding>,
  { jobsetVersion }: ReplayOptions,
): JobSetVersion | undefined | "Unknown" {
  if (jobsetVersion !== undefined || named === undefined) return jobsetVersion;
  return findVersion(named) ?? "Unknown";
}

function resolveFindingBehavior(
  { scenario, quirks }: Pick<ScenarioFinding, "scenario"> & Partial<ScenarioFinding>,
  jobsetVersion: JobSetVersion | undefined,
  options: ReplayOptions,
): Behavior {
  const requested = options.quirks ?? (options.jobsetVersion === undefined ? quirks : undefined);
  return resolveBehavior({
    featureGates: resolveFeatureGates(scenario?.features ?? {}),
    ...(jobsetVersion !== undefined && { jobsetVersion }),
    ...(requested !== undefined && { quirks: requested }),
  });
}

type LocatedMessage = Pick<Diagnostic, "message"> & {
  readonly field: string;
  readonly severity?: Diagnostic["severity"];
};

function splitDocuments(text: string): readonly Document[] {
  return readJsonDocuments(text) ?? [...readYamlDocuments(text)];
}

/** Returns the reasons why a cluster would deny the JobSets of a scenario, by field. */
function listDeniedJobSets(
  { objects }: ScenarioFinding["scenario"],
  { at, behavior }: { readonly at: string; readonly behavior: Behavior },
): readonly LocatedMessage[] {
  return objects.flatMap((value, index) => {
    if (value.kind !== "JobSet") return [];
    const input: InputObject = {
      value,
      file: "",
      duplicates: [],
      diagnose: (field, message, severity = "error") => ({
        severity,
        field: [`${at}[${index}]`, field].filter(Boolean).join("."),
        message,
      }),
    };
    const { jobSet, diagnostics } = createJobSet(
      input,
      { validate: "ignore" },
      EMPTY_CLUSTER,
      behavior,
    );
    return jobSet === undefined ? (diagnostics as readonly LocatedMessage[]) : [];
  });
}

/** Returns the fields of JobSets and Pods that the simulated API server drops from objects and requests. */
function listDroppedFields(
  { objects, actions }: ScenarioFinding["scenario"],
  at: string,
): readonly LocatedMessage[] {
  const locations = [
    ...objects.map((value, index) => ({ value, at: `${at}objects[${index}]` })),
    ...actions.map(({ request: { object } }, index) => ({
      value: object,
      at: `${at}actions[${index}].request.object`,
    })),
  ];
  return locations.flatMap(({ value, at }) => {
    const { kind } = value;
    if (kind !== "JobSet" && kind !== "Pod") return [];
    return findUnknownFields(value, kind).map(
      ({ field, name, known }): LocatedMessage => ({
        field: `${at}.${field}`,
        message: `unknown field, dropped${suggestName(name, known)}`,
        severity: "warning",
      }),
    );
  });
}

const EMPTY_CLUSTER = createSnapshot([], { kinds: ["PersistentVolumeClaim"] });
