import type { EpochMillis, JobSet, Unvalidated } from "@jobset-ts/api";
import { asRecord, asString, type Pod } from "@jobset-ts/api/kubernetes";
import { createRedactor } from "@jobset-ts/api/redaction";
import { SNAPSHOT_KINDS, type Snapshot } from "@jobset-ts/core";
import { diagnosedKinds, latestTimestamp } from "@jobset-ts/diagnose";
import { reportNoJobSet } from "../../admission/admit-jobsets.ts";
import { createCluster, type FileInput, type FileOptions, readInput } from "../../input/cluster.ts";
import {
  getNames,
  type JobSetSelector,
  reportMissing,
  selectJobSets,
} from "../../input/jobset-selector.ts";
import type { FilesAndClock } from "../../input/sources.ts";
import type { Diagnostic } from "../../output/diagnostics.ts";
import type { Output } from "../../output/report.ts";

/** A kind of objects that a diagnosis looks at. */
export type DumpKind = (typeof diagnosedKinds)[number];

/** How a dump is read. */
export interface DumpOptions extends FileOptions {
  /** The kinds that were requested from the cluster. Absent means that they follow from the dump. */
  readonly asked?: readonly DumpKind[];
  /** When the dump was taken; absent means the newest time in it. */
  readonly now?: EpochMillis;
}

/** How one is read, and how what was found in it is printed. */
export interface DumpReportOptions extends DumpOptions {
  readonly output: Output;
}

/** A cluster at one instant, as files show it, without values that may be secret. */
export interface Dump {
  readonly snapshot: Snapshot;
  readonly now: EpochMillis;
  /** What is worth knowing of it. */
  readonly notes: readonly Diagnostic[];
}

/** A dump, or why it cannot be used. */
export type DumpResult =
  | ({ readonly ok: true } & Dump)
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/**
 * Reads what kubectl wrote of a cluster.
 *
 * @param needsJobSets - whether a dump without any is refused
 */
export async function readDump(
  options: DumpOptions,
  world: FilesAndClock,
  needsJobSets = true,
): Promise<DumpResult> {
  const input = await readInput(options.filename, world, {
    ...options,
    redactor: createRedactor(),
    omitManagedFields: true,
  });
  if (input.diagnostics.length > 0) return { ok: false, diagnostics: input.diagnostics };
  if (needsJobSets && input.jobSets.length === 0) {
    return { ok: false, diagnostics: [reportNoJobSet(input)] };
  }
  const kinds = options.asked ?? findRequestedKinds(input);
  const { snapshot, diagnostics } = createCluster(input.objects, { kinds });
  if (snapshot === undefined) return { ok: false, diagnostics };
  const now = options.now ?? latestTimestamp(snapshot, { notAfter: world.now() }) ?? world.now();
  return { ok: true, snapshot, now, notes: listNotes(snapshot) };
}

/**
 * Returns the kinds that were requested from the cluster. A single list with several kinds is the output of one kubectl
 * command, so it contains every requested kind, even without objects. Other files prove only the kind of a
 * typed list.
 */
function findRequestedKinds({ documents, objects }: FileInput): readonly string[] {
  const [first] = documents;
  const isOneList = documents.length === 1 && first?.apiVersion === "v1" && first.kind === "List";
  const occurring = new Set(objects.map(({ value }) => value.kind));
  if (isOneList && occurring.size > 1) return diagnosedKinds;
  return diagnosedKinds.filter((kind) => {
    const apiVersion = SNAPSHOT_KINDS.get(kind)?.apiVersion;
    return documents.some((one) => one.kind === `${kind}List` && one.apiVersion === apiVersion);
  });
}

function listNotes(snapshot: Snapshot): readonly Diagnostic[] {
  const isRead = (kind: string) => snapshot.kindStatus(kind).outcome === "Read";
  const unread = diagnosedKinds.filter((kind) => !isRead(kind));
  const messages = [
    ...(unread.length > 0
      ? [
          `not in the dump, so their state is unknown: ${unread.join(", ")}; set --asked to the kinds that were requested`,
        ]
      : []),
    // kubectl prints its list all the same where it may not read one of the kinds.
    ...(isRead("Node") && snapshot.objects("Node").length === 0 && isAnyPodOnNode(snapshot)
      ? [
          "Pods are on nodes, and the dump has none; if nodes could not be read, name the other kinds in --asked",
        ]
      : []),
  ];
  return messages.map((message) => ({ severity: "note", message }));
}

function isAnyPodOnNode(snapshot: Snapshot): boolean {
  const pods = snapshot.objects("Pod") as readonly Unvalidated<Pod>[];
  return pods.some(({ spec }) => asString(asRecord(spec).nodeName) !== "");
}

/** The requested JobSets of a dump, and the requested ones that do not exist. */
export interface JobSetSelection {
  readonly jobSets: readonly Unvalidated<JobSet>[];
  readonly diagnostics: readonly Diagnostic[];
  readonly exitCode: 0 | 1;
}

/** Chooses JobSets of a dump. */
export function chooseJobSets({ snapshot, notes }: Dump, wanted: JobSetSelector): JobSetSelection {
  const jobSets = selectJobSets(snapshot, wanted);
  const { diagnostics, isComplete } = reportMissing(
    jobSets,
    wanted,
    snapshot.jobSets.map(getNames),
  );
  return { jobSets, diagnostics: [...notes, ...diagnostics], exitCode: isComplete ? 0 : 1 };
}
