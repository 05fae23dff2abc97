import { JOBSET_UID_KEY } from "@jobset-ts/api/keys";
import { asArray, type Job } from "@jobset-ts/api/kubernetes";
import { findSizeExcess, MAX_DESIRED_JOBS } from "@jobset-ts/core/desired";
import {
  type AdmittedJobSet,
  admitJobSets,
  type JobSetOptions,
} from "../admission/admit-jobsets.ts";
import type { Files } from "../input/sources.ts";
import { type Behavior, resolveBehavior } from "../jobset-version/behavior.ts";
import type { CommandResult } from "../output/command-result.ts";
import type { Diagnostic } from "../output/diagnostics.ts";
import { escapeLine } from "../output/escape.ts";
import { formatJsonList } from "../output/json.ts";
import { formatTemplate, type Output } from "../output/report.ts";
import { type Cell, formatTable } from "../output/table.ts";
import { formatYamlDocuments } from "../output/yaml.ts";
import {
  type CreatedItem,
  type CreatedObject,
  listCreatedObjects,
} from "./render/created-objects.ts";

/** Prints the objects that the control plane creates for the JobSets of some files. */
export async function render(options: JobSetOptions, files: Files): Promise<CommandResult> {
  const { jobSets, diagnostics, exitCode } = await admitJobSets(options, files, {
    keepsValues: true,
  });
  const excesses = jobSets.map(reportExcess).filter((found) => found !== undefined);
  if (exitCode !== 0 || excesses.length > 0) {
    return { output: [], diagnostics: [...diagnostics, ...excesses], exitCode: exitCode || 1 };
  }
  const { output } = options;
  if (typeof output === "string")
    return { output: formatObjects(jobSets, output, options), diagnostics, exitCode };
  const items = [...listObjects(listAllCreated(jobSets, resolveBehavior(options)))];
  const list = { apiVersion: "v1", kind: "List", metadata: {}, items };
  return formatTemplate(output.jsonPath, list, { diagnostics, exitCode });
}

function reportExcess({ jobSet, diagnose }: AdmittedJobSet): Diagnostic | undefined {
  const found = findSizeExcess(jobSet, { jobs: MAX_DESIRED_JOBS, pods: Number.POSITIVE_INFINITY });
  if (found === undefined) return undefined;
  const [requested, limit] = [found.count, found.limit].map((count) => count.toLocaleString("en"));
  return diagnose(
    found.field,
    `Invalid value: the JobSet requests ${requested} Jobs; at most ${limit} are rendered`,
  );
}

function formatObjects(
  jobSets: readonly AdmittedJobSet[],
  output: Exclude<Output, object>,
  options: JobSetOptions,
): Iterable<string> {
  const created = listAllCreated(jobSets, resolveBehavior(options));
  switch (output) {
    case "yaml":
      return formatCommentedYaml(
        jobSets.every(({ hasUid }) => hasUid),
        listObjects(created),
      );
    case "json":
      return formatJsonList(listObjects(created));
    case "table":
      return formatTable(headings, formatRows(created));
    case "wide":
      return formatTable([...headings, ...wideHeadings], formatWideRows(created));
    case "name":
      return formatNames(created);
  }
}

function* listAllCreated(
  jobSets: readonly AdmittedJobSet[],
  behavior: Behavior,
): Generator<CreatedItem, void, undefined> {
  for (const { jobSet, hasUid } of jobSets) yield* listCreatedObjects(jobSet, behavior, hasUid);
}

/**
 * Users may apply the output to a cluster. Fields that would be wrong without a UID are omitted, and a comment says so.
 */
function* formatCommentedYaml(
  isComplete: boolean,
  objects: Iterable<object>,
): Generator<string, void, undefined> {
  if (!isComplete) {
    yield "# The JobSet has no UID yet, so the objects omit the owner reference and the\n";
    yield `# labels and annotations ${JOBSET_UID_KEY}. Use --uid to print them.\n`;
  }
  yield* formatYamlDocuments(objects);
}

function* listObjects(created: Iterable<CreatedItem>): Generator<CreatedObject, void, undefined> {
  for (const { object } of created) yield object;
}

const resourceNames = {
  Service: "service",
  PersistentVolumeClaim: "persistentvolumeclaim",
  Job: "job.batch",
} as const satisfies Record<CreatedObject["kind"], string>;

function* formatNames(created: Iterable<CreatedItem>): Generator<string, void, undefined> {
  for (const { object } of created) {
    yield `${escapeLine(`${resourceNames[object.kind]}/${object.metadata.name}`)}\n`;
  }
}

const headings = ["KIND", "NAME", "REPLICATEDJOB", "INDEX", "PODS", "SUSPEND"];

function* formatRows(created: Iterable<CreatedItem>): Generator<readonly Cell[], void, undefined> {
  for (const { object, replicatedJob, jobIndex } of created) {
    const job = object.kind === "Job" ? object : undefined;
    const { kind, metadata } = object;
    yield [kind, metadata.name, replicatedJob, jobIndex, job && countPods(job), job?.spec.suspend];
  }
}

/** The additional columns of a Job: its completion count, and its containers, separated by commas as in kubectl. */
const wideHeadings = ["COMPLETIONS", "BACKOFFLIMIT", "CONTAINERS", "IMAGES"];

function* formatWideRows(
  created: Iterable<CreatedItem>,
): Generator<readonly Cell[], void, undefined> {
  for (const one of created) {
    const [row = []] = formatRows([one]);
    const spec = one.object.kind === "Job" ? one.object.spec : undefined;
    const containers = asArray(spec?.template.spec?.containers);
    const joinContainers = (member: "name" | "image") =>
      containers.map((each) => each?.[member]).join(",");
    yield [
      ...row,
      spec?.completions,
      spec?.backoffLimit,
      joinContainers("name"),
      joinContainers("image"),
    ];
  }
}

/**
 * Returns the number of Pods that run in parallel. The Job API defaults `parallelism` to 1 and runs no more than
 * `completions`.
 */
function countPods({ spec: { parallelism = 1, completions } }: Job): number {
  return completions === undefined ? parallelism : Math.min(parallelism, completions);
}
