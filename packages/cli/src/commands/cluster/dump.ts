import type { EpochMillis, JobSet, Unvalidated } from "@jobset-ts/api";
import type { Pod } from "@jobset-ts/api/kubernetes";
import { createRedactor } from "@jobset-ts/api/redaction";
import { NO_QUIRKS, type Quirks, type Snapshot } from "@jobset-ts/core";
import { diagnosedKinds, latestTimestamp } from "@jobset-ts/diagnose";
import { allKinds } from "@jobset-ts/diagnose/all";
import { isStored } from "../../admission/request-object.ts";
import { createCluster, readInput, reportNoJobSet } from "../../input/cluster.ts";
import { type DumpHeader, parseDumpHeader } from "../../input/dump-header.ts";
import {
  getNames,
  type JobSetSelector,
  reportMissing,
  selectJobSets,
} from "../../input/jobset-selector.ts";
import { type InputObject, isJobSet } from "../../input/objects.ts";
import { type DetectedVersion, detectVersion } from "../../jobset-version/detect-version.ts";
import type { JobSetVersion } from "../../jobset-version/jobset-version.ts";
import {
  type ChosenVersion,
  chooseVersion,
  readVersion,
} from "../../jobset-version/read-version.ts";
import { readDiagnosedCluster } from "../../live/diagnosed-cluster.ts";
import type { FilesAndCluster } from "../../live/kubectl.ts";
import type { LiveOptions } from "../../live/live-cluster.ts";
import { describeUnreadKinds } from "../../live/unread-kinds.ts";
import type { Diagnostic } from "../../output/diagnostics.ts";
import type { Output } from "../../output/report.ts";
import { findRequestedKinds, isOnNode } from "./requested-kinds.ts";

/** A kind of objects that a diagnosis uses. */
export type DumpKind = string;

/** The options for reading a dump, or the cluster if there are no files. */
export interface DumpOptions extends LiveOptions {
  /** The version of JobSet. Absent means the version of the cluster. */
  readonly jobsetVersion?: JobSetVersion;
  /** The kinds that were requested from the cluster. Absent means that the command derives them from the dump. */
  readonly requestedKinds?: readonly DumpKind[];
  /** The time of the dump. Absent means the time in the dump's metadata, or the newest time in it. For a cluster: now. */
  readonly now?: EpochMillis;
}

/** The options for reading a dump and printing the result. */
export interface DumpReportOptions extends DumpOptions {
  readonly output: Output;
}

/** A cluster at one instant, without values that may be secret. */
export interface Dump extends DumpHeader {
  readonly snapshot: Snapshot;
  readonly objects: readonly InputObject[];
  /** The behaviors of the version of JobSet in the cluster. Main has none. */
  readonly quirks: Quirks;
  /** Notes for the user, such as kinds that the dump does not contain. */
  readonly notes: readonly Diagnostic[];
}

/** A dump, or the reasons why it cannot be used. */
export type DumpResult =
  | ({ readonly ok: true } & Dump)
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** How a command reads a dump. */
export interface DumpReading {
  /** Whether a file without JobSets is rejected. Default: true. */
  readonly needsJobSets?: boolean;
  /** Whether the command depends on the version of JobSet. Default: false. */
  readonly usesVersion?: boolean;
  /** Whether the snapshot omits JobSets that no server has stored. Default: false. */
  readonly omitsNewJobSets?: boolean;
  /** Reads the cluster if there are no files. Default: everything that a diagnosis uses. */
  readonly readCluster?: typeof readDiagnosedCluster;
}

/** Reads a dump that kubectl or `jobset dump` wrote, or reads the cluster through kubectl if there are no files. */
export async function readDump(
  options: DumpOptions,
  world: FilesAndCluster,
  reading: DumpReading = {},
): Promise<DumpResult> {
  const { needsJobSets = true, omitsNewJobSets = false, usesVersion = false } = reading;
  const { readCluster = readDiagnosedCluster } = reading;
  const { filename, ...others } = options;
  if (filename === undefined) return readLiveDump(options, world, readCluster, usesVersion);
  const input = await readInput(filename, world, {
    ...others,
    redactor: createRedactor(),
    omitManagedFields: true,
  });
  if (input.diagnostics.length > 0) return { ok: false, diagnostics: input.diagnostics };
  if (needsJobSets && input.jobSets.length === 0) {
    return { ok: false, diagnostics: [reportNoJobSet(input)] };
  }
  const { objects, documents } = input;
  const header = documents.map(parseDumpHeader).find((one) => one !== undefined);
  const kinds = options.requestedKinds ?? header?.kinds ?? findRequestedKinds(input);
  const readErrors = header?.readErrors ?? {};
  const isIncluded = (one: InputObject) => !omitsNewJobSets || !isJobSet(one) || isStored(one);
  const { snapshot, diagnostics } = createCluster(objects.filter(isIncluded), {
    kinds,
    readErrors,
  });
  if (snapshot === undefined) return { ok: false, diagnostics };
  const findNewest = () =>
    latestTimestamp(snapshot, { kinds: allKinds, notAfter: world.now() }) ?? world.now();
  const now = options.now ?? header?.now ?? findNewest();
  const notes = header === undefined ? listNotes(snapshot) : describeUnreadKinds(readErrors);
  const detect = () => detectDumpVersion({ objects, kinds }, options, world);
  const version = usesVersion ? await chooseVersion(options, detect) : MAIN_ONLY;
  return { ok: true, ...withVersion(version, notes), snapshot, objects, kinds, readErrors, now };
}

async function readLiveDump(
  options: DumpOptions,
  world: FilesAndCluster,
  readCluster: typeof readDiagnosedCluster,
  usesVersion: boolean,
): Promise<DumpResult> {
  const read = await readCluster(options, world.kubectl, createRedactor());
  if (read.failure !== undefined) return { ok: false, diagnostics: [read.failure] };
  const { objects, kinds, readErrors } = read;
  const { snapshot, diagnostics } = createCluster(objects, { kinds, readErrors });
  if (snapshot === undefined) return { ok: false, diagnostics };
  const notes = [...describeUnreadKinds(readErrors), ...(read.notes ?? [])];
  // Dumps and the API have a precision of seconds.
  const time = options.now ?? Math.floor(world.now() / 1000) * 1000;
  const detect = () => detectDumpVersion({ objects, kinds }, options, world);
  const version = usesVersion ? await chooseVersion(options, detect) : MAIN_ONLY;
  const dump = { snapshot, objects, kinds, readErrors, now: time };
  return { ok: true, ...withVersion(version, notes), ...dump };
}

/** Detects the version of JobSet in a dump, or in a live cluster: from its Deployments, which are read if necessary. */
export function detectDumpVersion(
  { objects, kinds }: Pick<Dump, "objects" | "kinds">,
  options: DumpOptions,
  { kubectl }: FilesAndCluster,
): DetectedVersion | Promise<DetectedVersion> {
  const isRead = options.filename !== undefined || kinds.includes("Deployment");
  return isRead ? detectVersion(objects) : readVersion(options, kubectl);
}

/** The version of commands that do not depend on the version. */
const MAIN_ONLY: ChosenVersion = { notes: [] };

function withVersion(
  { jobsetVersion, notes }: ChosenVersion,
  others: readonly Diagnostic[],
): Pick<Dump, "quirks" | "notes"> {
  return { quirks: jobsetVersion?.quirks ?? NO_QUIRKS, notes: [...notes, ...others] };
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
    // kubectl also prints its list if it is not permitted to read one of the kinds.
    ...(isRead("Node") && snapshot.objects("Node").length === 0 && isAnyPodOnNode(snapshot)
      ? [
          "the dump contains Pods on nodes but no nodes; if nodes could not be read, set --requested-kinds to the other kinds",
        ]
      : []),
  ];
  return messages.map((message) => ({ severity: "note", message }));
}

function isAnyPodOnNode(snapshot: Snapshot): boolean {
  return (snapshot.objects("Pod") as readonly Unvalidated<Pod>[]).some(isOnNode);
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
