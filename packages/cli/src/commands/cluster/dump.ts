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

/** A kind of objects that a diagnosis uses. */
export type DumpKind = (typeof diagnosedKinds)[number];

/** The options for reading a dump. */
export interface DumpOptions extends FileOptions {
  /** The kinds that were requested from the cluster. Absent means that the command derives them from the dump. */
  readonly requestedKinds?: readonly DumpKind[];
  /** The time of the dump. Absent means the newest time in it. */
  readonly now?: EpochMillis;
}

/** The options for reading a dump and printing the result. */
export interface DumpReportOptions extends DumpOptions {
  readonly output: Output;
}

/** A cluster at one instant, read from files, without values that may be secret. */
export interface Dump {
  readonly snapshot: Snapshot;
  readonly now: EpochMillis;
  /** Notes for the user, such as kinds that the dump does not contain. */
  readonly notes: readonly Diagnostic[];
}

/** A dump, or the reasons why it cannot be used. */
export type DumpResult =
  | ({ readonly ok: true } & Dump)
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/**
 * Reads a dump that kubectl wrote.
 *
 * @param needsJobSets - whether a dump without JobSets is rejected
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
  const kinds = options.requestedKinds ?? findRequestedKinds(input);
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
          `not in the dump, so their state is unknown: ${unread.join(", ")}; set --requested-kinds to the kinds that were requested`,
        ]
      : []),
    // kubectl also prints its list if it is not allowed to read one of the kinds.
    ...(isRead("Node") && snapshot.objects("Node").length === 0 && isAnyPodOnNode(snapshot)
      ? [
          "the dump contains Pods on nodes but no nodes; if nodes could not be read, set --requested-kinds to the other kinds",
        ]
      : []),
  ];
  return messages.map((message) => ({ severity: "note", message }));
}

function isAnyPodOnNode(snapshot: Snapshot): boolean {
  const pods = snapshot.objects("Pod") as readonly Unvalidated<Pod>[];
  return pods.some(({ spec }) => asString(asRecord(spec).nodeName) !== "");
}

/** The selected JobSets of a dump, and diagnostics for those that do not exist. */
export interface JobSetSelection {
  readonly jobSets: readonly Unvalidated<JobSet>[];
  readonly diagnostics: readonly Diagnostic[];
  readonly exitCode: 0 | 1;
}

/** Selects JobSets of a dump. */
export function chooseJobSets(
  { snapshot, notes }: Dump,
  selector: JobSetSelector,
): JobSetSelection {
  const jobSets = selectJobSets(snapshot, selector);
  const { diagnostics, isComplete } = reportMissing(
    jobSets,
    selector,
    snapshot.jobSets.map(getNames),
  );
  return { jobSets, diagnostics: [...notes, ...diagnostics], exitCode: isComplete ? 0 : 1 };
}
