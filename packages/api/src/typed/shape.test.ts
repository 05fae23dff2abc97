import { describe, expect, it } from "vitest";
import { everyMember } from "../testdata/every-member.ts";
import { getShape, getTypedShape, isShapeName, type Shape } from "./shape.ts";
import { type ShapeName, shapes } from "./shapes.ts";

const names = Object.keys(shapes) as ShapeName[];
const written = new Set<string>([
  ...["string", "boolean", "int32", "int64", "integer"],
  ...["Quantity", "IntOrString", "Time"],
]);

describe("shapes", () => {
  it.each(names)("the shapes contain only existing types in %s, and each member once", (name) => {
    const { members, byName } = getShape(name);
    for (const { type } of members) {
      expect(isShapeName(type) || written.has(type), type).toBe(true);
    }
    expect(byName.size).toBe(members.length);
  });

  it("getTypedShape follows a member to the shape of its type, as in Go", () => {
    const { byName } = getShape("ReplicatedJob");
    expect(byName.get("template")?.typedShape).toBe(getShape("JobTemplateSpec"));
    expect(byName.get("name")?.typedShape).toBeUndefined();
    expect(getShape("JobTemplateSpec").byName.get("metadata")?.typedShape).toBe(
      getShape("FullObjectMeta"),
    );
  });

  it("the shapes contain no recursive type, so the table limits the depth of values", () => {
    const measureDepth = (name: ShapeName, path: readonly ShapeName[]): number => {
      expect(path).not.toContain(name);
      const inner = getShape(name).members.map(({ type }) => type);
      return (
        1 + Math.max(0, ...inner.filter(isShapeName).map((t) => measureDepth(t, [...path, name])))
      );
    };
    expect(measureDepth("JobSet", [])).toBeLessThan(20);
  });

  it("the shapes are parsed from their notation", () => {
    const members = getShape("ReplicatedJob").members.map(
      ({ declaredBy: _, typedShape: __, isText: ___, ...member }) => member,
    );
    const plain = { collection: "none", nullable: false, alwaysSerialized: false, required: false };
    expect(members).toEqual([
      { ...plain, name: "name", type: "string", alwaysSerialized: true, required: true },
      { ...plain, name: "groupName", type: "string" },
      {
        ...plain,
        name: "template",
        type: "JobTemplateSpec",
        alwaysSerialized: true,
        required: true,
      },
      { ...plain, name: "replicas", type: "int32" },
      { ...plain, name: "dependsOn", type: "DependsOn", collection: "list" },
    ]);
  });

  it("the shapes mark members that serialize as text", () => {
    const isText = (name: ShapeName) =>
      Object.fromEntries(getShape(name).members.map((member) => [member.name, member.isText]));
    expect(isText("ReplicatedJob")).toMatchObject({ name: true, replicas: false, template: false });
    expect(isText("Container")).toMatchObject({ image: true, command: false, resources: false });
    expect(isText("FullObjectMeta")).toMatchObject({ labels: false, creationTimestamp: false });
  });

  it("the shapes mark members that Go always prints", () => {
    const printed = getShape("Container").alwaysSerialized.map(({ name }) => name);
    expect(printed).toEqual(["name", "resources"]);
  });

  it("shapes include the fields of a type that they refer to", () => {
    const own = getShape("Container").members;
    expect(getShape("EphemeralContainer").members).toEqual([
      ...own,
      expect.objectContaining({ name: "targetContainerName" }),
    ]);
  });
});

describe("the type JobSet", () => {
  /** The types name the members that JobSet reads, and allow all others. */
  const open = new Set([
    ...["JobSpec", "PodTemplateSpec", "LabelSelector", "ManagedFieldsEntry"],
    ...["PersistentVolumeClaim", "PersistentVolumeClaimSpec"],
  ]);

  it("the type JobSet has the members of the shapes, except those that only one of the two knows", () => {
    const found = new Set(membersOfOneOnly(everyMember, getTypedShape("JobSet")));
    expect([...found].sort()).toEqual([
      "only in the shape: FullObjectMeta.selfLink", // No server sets it anymore.
      "only in the type: JobSetStatus.executionAttempts", // No released CRD has it.
    ]);
  });

  function* membersOfOneOnly(value: unknown, shape: Shape): Iterable<string> {
    if (Array.isArray(value)) {
      for (const element of value) yield* membersOfOneOnly(element, shape);
      return;
    }
    const names = new Set(Object.keys(value as object));
    for (const [name, member] of Object.entries(value as object)) {
      const known = shape.byName.get(name);
      if (known === undefined) yield `only in the type: ${shape.name}.${name}`;
      else if (known.typedShape !== undefined) yield* membersOfOneOnly(member, known.typedShape);
    }
    if (open.has(shape.name)) return;
    for (const { name } of shape.members) {
      if (!names.has(name)) yield `only in the shape: ${shape.name}.${name}`;
    }
  }
});

describe("getTypedShape", () => {
  it("getTypedShape contains all metadata, of which the schema keeps five members", () => {
    expect(getShape("ObjectMeta").members.map(({ name }) => name)).toEqual([
      "name",
      "namespace",
      "labels",
      "annotations",
      "finalizers",
    ]);
    expect(getTypedShape("ObjectMeta")).toBe(getShape("FullObjectMeta"));
    expect(getTypedShape("PodSpec")).toBe(getShape("PodSpec"));
  });
});
