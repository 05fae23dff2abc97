import { resolveFeatureGates } from "@jobset-ts/api";
import { NO_FIELD } from "@jobset-ts/api/errors";
import { isObject } from "@jobset-ts/api/kubernetes";
import { createRedactor } from "@jobset-ts/api/redaction";
import { suggestName } from "@jobset-ts/api/text";
import { findUnknownFields } from "@jobset-ts/api/typed";
import { createSnapshot, type Quirks } from "@jobset-ts/core";
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
import type { CommandResult } from "../output/command-result.ts";
import type { Diagnostic } from "../output/diagnostics.ts";
import { chooseTraceFormat, type TraceFormat } from "../output/trace.ts";
import { type QuirksName, resolveQuirks } from "./cluster/quirks.ts";
import { settingsToFind } from "./explore/blocks.ts";
import { runScenario } from "./simulate.ts";

/** The options of `replay`. */
export interface ReplayOptions {
  readonly output: TraceFormat;
  /** Whether a summary is printed in place of the timeline. */
  readonly summary?: boolean;
  /** Absent means those of the finding. */
  readonly quirks?: QuirksName;
}

/** Plays what a file holds, a finding or a scenario, and prints it. */
export async function replay(
  file: string,
  options: ReplayOptions,
  files: Files,
): Promise<CommandResult> {
  const { sources, diagnostics } = await readSources([file], files);
  const [source] = sources;
  if (source === undefined) return { output: [], diagnostics, exitCode: 2 };
  const asked = options.quirks === undefined ? undefined : resolveQuirks(options.quirks);
  const read = readFinding(source, asked);
  if ("diagnostics" in read) return { output: [], ...read };
  const { scenario, quirks, oracle, warnings } = read;
  const title = oracle === undefined ? `Scenario ${source.name}` : `Finding: ${oracle}`;
  const settings = { quirks: asked ?? resolveQuirks(quirks ?? "none") };
  return runScenario(scenario, {
    ...settingsToFind(oracle, scenario, settings),
    title,
    law: oracle,
    output: chooseTraceFormat(options),
    diagnostics: warnings,
    progress: files.progress,
  });
}

type FindingResult =
  | (Pick<ScenarioFinding, "scenario"> &
      Partial<ScenarioFinding> & { readonly warnings: readonly Diagnostic[] })
  | { readonly diagnostics: readonly Diagnostic[]; readonly exitCode: 1 | 2 };

/** @param asked - quirks in place of those of the finding */
function readFinding({ name: file, text }: Source, asked: Quirks | undefined): FindingResult {
  const documents = splitDocuments(text);
  const [document, another] = documents;
  const located = (
    told: readonly LocatedMessage[],
    of: Document | undefined,
  ): readonly Diagnostic[] =>
    told.map(({ field, message, severity = "error" }) => ({
      severity,
      file,
      ...(of && { position: of.positionAt(findNearestValue(of.root, field).offset) }),
      field,
      message,
    }));
  const refused = (
    told: readonly LocatedMessage[],
    of: Document | undefined,
    exitCode: 1 | 2 = 2,
  ): FindingResult => ({
    diagnostics: located(told, of),
    exitCode,
  });
  if (document === undefined || another !== undefined) {
    return refused(
      [{ field: "", message: "expected one document, a finding or a scenario" }],
      another,
    );
  }
  const unread = [
    ...document.errors,
    ...document.duplicates.map(({ field, line }) => ({
      field,
      message: errorMessages.duplicateKey(line),
    })),
  ];
  if (unread.length > 0) return refused(unread, document);
  const redactor = createRedactor();
  const value = redactor.redactMessages(redactor.redactObject(document.value));
  if (isObject(value) && typeof value.kind === "string" && typeof value.apiVersion === "string") {
    const message = `expected a finding or a scenario, not a ${value.kind}`;
    const help = value.kind === "JobSet" ? "; jobset simulate -f plays a JobSet" : "";
    return refused([{ field: "", message: `${message}${help}` }], document);
  }
  const isFinding = isObject(value) && "scenario" in value;
  const parsed = isFinding ? parseScenarioFinding(value) : parseScenario(value);
  if (!parsed.ok) {
    const told = parsed.errors.map((error) => ({
      field: error.field === NO_FIELD ? "" : error.field,
      message: formatErrorBody(error),
    }));
    return refused(told, document);
  }
  const read = "scenario" in parsed.value ? parsed.value : { scenario: parsed.value };
  const at = isFinding ? "scenario." : "";
  const denials = listDeniedJobSets(read.scenario, {
    at: `${at}objects`,
    quirks: asked ?? resolveQuirks(("quirks" in read && read.quirks) || "none"),
  });
  if (denials.length > 0) return refused(denials, document, 1);
  return { ...read, warnings: located(listDroppedFields(read.scenario, at), document) };
}

type LocatedMessage = Pick<Diagnostic, "message"> & {
  readonly field: string;
  readonly severity?: Diagnostic["severity"];
};

function splitDocuments(text: string): readonly Document[] {
  return readJsonDocuments(text) ?? [...readYamlDocuments(text)];
}

/** Why a cluster would not take the JobSets of a scenario, each by its field. */
function listDeniedJobSets(
  { objects, features = {} }: ScenarioFinding["scenario"],
  { at, quirks }: { readonly at: string; readonly quirks: Quirks },
): readonly LocatedMessage[] {
  const context = { features: resolveFeatureGates(features), quirks };
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
    const { jobSet, diagnostics } = createJobSet(input, { validate: "ignore" }, NOTHING, context);
    return jobSet === undefined ? (diagnostics as readonly LocatedMessage[]) : [];
  });
}

/** The fields of JobSets and Pods that the API server of a run drops: those of objects, and of requests. */
function listDroppedFields(
  { objects, actions }: ScenarioFinding["scenario"],
  at: string,
): readonly LocatedMessage[] {
  const places = [
    ...objects.map((value, index) => ({ value, at: `${at}objects[${index}]` })),
    ...actions.map(({ request: { object } }, index) => ({
      value: object,
      at: `${at}actions[${index}].request.object`,
    })),
  ];
  return places.flatMap(({ value, at }) => {
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

const NOTHING = createSnapshot([], { kinds: ["PersistentVolumeClaim"] });
