// Controllers that do not copy a member of a template to the objects that they create.
import type { CreateController } from "../wrapped-controllers.ts";
import { memberNames } from "./defect-tables.ts";
import { createWrongSubjects, type DefectsByLaw } from "./wrong-subject.ts";
import { omit } from "./wrong-writes.ts";

/** The path from a Job to the spec of its Pods. */
const POD = "spec.template.spec";

const omitEach = (kind: string, parent: string, names: readonly string[]) =>
  Object.fromEntries(
    names.map((name) => [
      `creates a ${kind} without ${parent}.${name}`,
      omit(`create ${kind}: ${parent}.${name}`),
    ]),
  );

const defects: DefectsByLaw<CreateController> = {
  createdJobsMatchTheirTemplate: omitEach(
    "Job",
    "spec",
    memberNames(
      "JobSpec",
      "parallelism completions completionMode suspend selector manualSelector template",
    ),
  ),
  createdJobsMatchTheirPodTemplate: {
    ...omitEach(
      "Job",
      POD,
      memberNames(
        "PodSpec",
        "containers ephemeralContainers nodeSelector tolerations schedulingGates volumes subdomain",
      ),
    ),
    ...omitEach("Job", `${POD}.containers.*`, memberNames("Container", "name")),
  },
  claimsMatchTheirTemplate: omitEach(
    "PersistentVolumeClaim",
    "spec",
    memberNames("PersistentVolumeClaimSpec"),
  ),
};

export const wrongCopies = createWrongSubjects("passes", defects, (create) => create());
