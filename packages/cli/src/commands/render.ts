import type { FeatureGates } from "@jobset-ts/api";
import { JOBSET_UID_KEY } from "@jobset-ts/api/keys";
import { asArray, type Job } from "@jobset-ts/api/kubernetes";
import { findSizeExcess, MAX_DESIRED_JOBS } from "@jobset-ts/core/desired";
import {
  type AdmittedJobSet,
  admittedJobSets,
  type JobSetOptions,
} from "../admission/admitted-jobsets.ts";
import type { Files } from "../input/sources.ts";
import type { CommandResult } from "../output/command-result.ts";
import type { Diagnostic } from "../output/diagnostics.ts";
import { jsonList } from "../output/json.ts";
import { printable } from "../output/printable.ts";
import { type Output, templated } from "../output/report.ts";
import { type Cell, tableLines } from "../output/table.ts";
import { yamlDocuments } from "../output/yaml.ts";
import { type Created, type CreatedObject, createdObjects } from "./render/created-objects.ts";

/** Prints the objects that the control plane creates for the JobSets of some files. */
export async function render(options: JobSetOptions, files: Files): Promise<CommandResult> {
  const { jobSets, diagnostics, exitCode } = await admittedJobSets(options, files, {
    keepsValues: true,
  });
  const excesses = jobSets.map(excess).filter((found) => found !== undefined);
  if (exitCode !== 0 || excesses.length > 0) {
    return { output: [], diagnostics: [...diagnostics, ...excesses], exitCode: exitCode || 1 };
  }
  const { output } = options;
  if (typeof output === "string")
    return { output: printed(jobSets, output, options), diagnostics, exitCode };
  const items = [...listObjects(allCreated(jobSets, options.featureGates))];
  const list = { apiVersion: "v1", kind: "List", metadata: {}, items };
  return templated(output.jsonPath, list, { diagnostics, exitCode });
}

function excess({ jobSet, diagnose }: AdmittedJobSet): Diagnostic | undefined {
  const found = findSizeExcess(jobSet, { jobs: MAX_DESIRED_JOBS, pods: Number.POSITIVE_INFINITY });
  if (found === undefined) return undefined;
  const [asked, limit] = [found.count, found.limit].map((count) => count.toLocaleString("en"));
  return diagnose(
    found.field,
    `Invalid value: the JobSet asks for ${asked} Jobs; at most ${limit} are rendered`,
  );
}

function printed(
  jobSets: readonly AdmittedJobSet[],
  output: Exclude<Output, object>,
  { featureGates }: JobSetOptions,
): Iterable<string> {
  const created = allCreated(jobSets, featureGates);
  switch (output) {
    case "yaml":
      return commentedYaml(
        jobSets.every(({ hasUid }) => hasUid),
        listObjects(created),
      );
    case "json":
      return jsonList(listObjects(created));
    case "table":
      return tableLines(headings, rows(created));
    case "wide":
      return tableLines([...headings, ...wideHeadings], wideRows(created));
    case "name":
      return names(created);
  }
}

function* allCreated(
  jobSets: readonly AdmittedJobSet[],
  features: FeatureGates,
): Generator<Created, void, undefined> {
  for (const { jobSet, hasUid } of jobSets) yield* createdObjects(jobSet, { features, hasUid });
}

/** What would be false without a UID is left out, and that is said: what is printed may be applied to a cluster. */
function* commentedYaml(
  isComplete: boolean,
  objects: Iterable<object>,
): Generator<string, void, undefined> {
  if (!isComplete) {
    yield "# No server has given the JobSet a UID yet, so what shows it is left out: the owner reference, and\n";
    yield `# ${JOBSET_UID_KEY} among labels and annotations. With --uid they are printed.\n`;
  }
  yield* yamlDocuments(objects);
}

function* listObjects(created: Iterable<Created>): Generator<CreatedObject, void, undefined> {
  for (const { object } of created) yield object;
}

const resourceNames = {
  Service: "service",
  PersistentVolumeClaim: "persistentvolumeclaim",
  Job: "job.batch",
} as const satisfies Record<CreatedObject["kind"], string>;

function* names(created: Iterable<Created>): Generator<string, void, undefined> {
  for (const { object } of created) {
    yield `${printable(`${resourceNames[object.kind]}/${object.metadata.name}`)}\n`;
  }
}

const headings = ["KIND", "NAME", "REPLICATEDJOB", "INDEX", "PODS", "SUSPEND"];

function* rows(created: Iterable<Created>): Generator<readonly Cell[], void, undefined> {
  for (const { object, replicatedJob, jobIndex } of created) {
    const job = object.kind === "Job" ? object : undefined;
    const { kind, metadata } = object;
    yield [kind, metadata.name, replicatedJob, jobIndex, job && podCount(job), job?.spec.suspend];
  }
}

/** Additional columns for a Job: what completes it, and its containers, separated by commas as in kubectl. */
const wideHeadings = ["COMPLETIONS", "BACKOFFLIMIT", "CONTAINERS", "IMAGES"];

function* wideRows(created: Iterable<Created>): Generator<readonly Cell[], void, undefined> {
  for (const one of created) {
    const [row = []] = rows([one]);
    const spec = one.object.kind === "Job" ? one.object.spec : undefined;
    const containers = asArray(spec?.template.spec?.containers);
    const of = (member: "name" | "image") => containers.map((each) => each?.[member]).join(",");
    yield [...row, spec?.completions, spec?.backoffLimit, of("name"), of("image")];
  }
}

/** How many Pods run at a time: the Job API takes 1 when `parallelism` is absent, and no more than `completions`. */
function podCount({ spec: { parallelism = 1, completions } }: Job): number {
  return completions === undefined ? parallelism : Math.min(parallelism, completions);
}
