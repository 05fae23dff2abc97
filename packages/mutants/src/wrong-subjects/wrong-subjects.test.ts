import { describe, expect, it } from "vitest";
import { knownDefects, notExpressed } from "./known-defects.ts";
import { countRuns, findLaw } from "./wrong-subject.ts";
import { wrongSubjects } from "./wrong-subjects.ts";
import { wrongWrites } from "./wrong-writes.ts";

const expressed = wrongSubjects.filter(({ knownDefect }) => knownDefect !== undefined);

function subjectNamed(name: string) {
  const [found] = wrongSubjects.filter(({ what }) => what === name);
  if (found === undefined) throw new Error(`there is no wrong subject that ${name}`);
  return found;
}

describe("a law catches a controller that", () => {
  it.each(wrongWrites)("$what", async (wrong) => {
    expect(await countRuns(wrong, 1)).not.toContain(undefined);
  });
});

describe("a law catches on each seed a controller that", () => {
  it.each([
    "creates a Job without spec.podFailurePolicy",
    "creates a Job without spec.template.spec.priorityClassName",
    "creates a Job without spec.template.spec.containers.*.env",
    "creates a PersistentVolumeClaim without spec.accessModes",
    "ignores Pods that are being deleted during in-place restarts",
  ])("%s", async (name) => {
    expect(await countRuns(subjectNamed(name), 3)).not.toContain(undefined);
  });
});

describe("a law catches on each seed a webhook that", () => {
  it.each([
    "admits a follower if the node has no topology label",
    "lets template.spec.template.spec.affinity change",
    "checks only the first of the mounted templates of the claim policies",
    "checks only the first of backoffLimit of Jobs with in-place restart",
    "checks only the first of the completion mode of exclusive Jobs",
    "compares only the first of the Pods' containers",
    "sets retentionPolicy on updates, too",
    "does not check updates of a JobSet that has finished",
    "does not check updates of a JobSet that is being deleted",
    "admits group names that end with a dash",
    "does not compare storageClassName of an existing PVC",
    "denies ReplicatedJobs without replicas",
    "sets no defaults in a JobSet with suspend",
    "denies the removal of metadata.labels",
    "reports immutable fields as NotFound",
    "treats a leader on a cordoned node as unscheduled",
    "admits followers with a priority class",
    "denies leaders that replace a leader",
  ])("%s", async (name) => {
    expect(await countRuns(subjectNamed(name), 3)).not.toContain(undefined);
  });
});

describe("the known defects", () => {
  it("each known defect has a wrong subject or a reason why it has none", () => {
    const ids = [...expressed.map((one) => one.knownDefect), ...Object.keys(notExpressed)];
    expect(ids.toSorted()).toEqual(knownDefects.toSorted());
  });

  it.each(expressed.filter((_, index) => index % 6 === 0))(
    "$knownDefect: a law catches what $what",
    async (wrong) => {
      expect(await countRuns(wrong, 1)).not.toContain(undefined);
    },
  );
});

describe("the wrong subjects", () => {
  it("the wrong subjects have different names", () => {
    expect(new Set(wrongSubjects.map(({ what }) => what)).size).toBe(wrongSubjects.length);
  });

  it("the wrong subjects name existing laws", () => {
    expect(wrongSubjects.filter((wrong) => findLaw(wrong) === undefined)).toEqual([]);
  });
});
