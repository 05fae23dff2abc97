import { aJob, aJobSet, aPod } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { controllerReference } from "../../testing/src/builders/object-steps.ts";
import { controllingJobSetUid, createOwnerReference, isChildJob } from "./owner.ts";

const train = aJobSet("train");
const job = aJob("train-w-0");

/** The Job with other owners. */
const ownedBy = (...ownerReferences: readonly unknown[]) => ({
  ...job,
  metadata: { ...job.metadata, ownerReferences: ownerReferences as [] },
});

describe("createOwnerReference", () => {
  it("createOwnerReference makes the JobSet the controller, whose foreground deletion waits for the object", () => {
    expect(createOwnerReference(train)).toStrictEqual({
      apiVersion: "jobset.x-k8s.io/v1alpha2",
      kind: "JobSet",
      name: "train",
      uid: "train-uid",
      controller: true,
      blockOwnerDeletion: true,
    });
  });
});

describe("controllingJobSetUid", () => {
  it("controllingJobSetUid returns the UID of the controller if that is a JobSet", () => {
    expect(controllingJobSetUid(job)).toBe("train-uid");
    expect(controllingJobSetUid(job.controlledBy(aPod("train-w-0-0-abcde")))).toBeUndefined();
    expect(controllingJobSetUid(job.withoutOwner())).toBeUndefined();
  });

  it("controllingJobSetUid ignores an owner that is not the controller, or of another version", () => {
    const owner = controllerReference(train);
    expect(controllingJobSetUid(ownedBy({ ...owner, controller: false }))).toBeUndefined();
    const older = { ...owner, apiVersion: "jobset.x-k8s.io/v1alpha1" };
    expect(controllingJobSetUid(ownedBy(older))).toBeUndefined();
  });

  it("controllingJobSetUid returns undefined if the owner has no UID", () => {
    const owner = controllerReference(train);
    expect(controllingJobSetUid(ownedBy({ ...owner, uid: "" }))).toBeUndefined();
    expect(controllingJobSetUid(ownedBy({ ...owner, uid: 5 }))).toBeUndefined();
  });

  it("controllingJobSetUid finds the controller after owners of other kinds", () => {
    const other = { ...controllerReference(train), controller: false, uid: "other" };
    expect(controllingJobSetUid(ownedBy(null, "x", other, controllerReference(train)))).toBe(
      "train-uid",
    );
  });
});

describe("isChildJob", () => {
  it("isChildJob compares the controller's UID and the namespace", () => {
    expect(isChildJob(job, train)).toBe(true);
    expect(isChildJob(job.inNamespace("elsewhere"), train)).toBe(false);
    expect(isChildJob(job.withoutOwner(), train)).toBe(false);
    expect(isChildJob(job, train.withUid("recreated-uid"))).toBe(false);
  });

  it("isChildJob ignores labels and the owner's name", () => {
    const renamed = ownedBy({ ...controllerReference(train), name: "other" });
    expect(isChildJob({ ...renamed, metadata: { ...renamed.metadata, labels: {} } }, train)).toBe(
      true,
    );
    expect(isChildJob(job.controlledBy(train.withUid("other-uid")), train)).toBe(false);
  });

  it("isChildJob returns false while the JobSet has no UID", () => {
    for (const uid of ["", undefined] as string[]) {
      const unstored = train.withUid(uid);
      expect(isChildJob(job.controlledBy(unstored), unstored)).toBe(false);
    }
  });
});
