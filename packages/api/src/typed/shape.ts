import { type ShapeName, shapes } from "./shapes.ts";

/** A scalar of the API. `integer` is an integer without a format: 64 bits. */
export type Scalar = "string" | "boolean" | "int32" | "int64" | "integer";

/** A type that the table `shapes` does not list because it is written as a scalar. */
export type Special = "Quantity" | "IntOrString" | "Time";

/** What a member, list element or map value is. */
export type ElementType = Scalar | Special | ShapeName;

/** One member of a {@link Shape}. */
export interface Member {
  readonly name: string;
  /** The type on whose line the member stands: not that of the shape where a `…T` brought it there. */
  readonly declaredBy: ShapeName;
  /** The member's own type, or that of the list's elements or the map's values. */
  readonly type: ElementType;
  /** The name of the {@link Shape} of that type; `undefined` for a scalar. */
  readonly typedShape: Shape | undefined;
  readonly collection: "none" | "list" | "map";
  /** Whether the member itself is text. */
  readonly isText: boolean;
  /** Absent differs from the zero value: a nullable scalar or object. */
  readonly nullable: boolean;
  /** Printed even when it holds the zero value. */
  readonly alwaysSerialized: boolean;
  /** The schema refuses an object without it. */
  readonly required: boolean;
}

/** What a list element, a map value or a member that is neither is. */
export type Element = Pick<Member, "type" | "typedShape">;

/** The members of a type in the order in which they are serialised. */
export interface Shape {
  readonly name: ShapeName;
  readonly members: readonly Member[];
  /** The same members by name. */
  readonly byName: ReadonlyMap<string, Member>;
  /** Those of them that are printed even when they hold the zero value. */
  readonly alwaysSerialized: readonly Member[];
}

const parsed = new Map<ShapeName, Shape>();

/** Returns the shape of a type; parsed on first use, with those of its members, none of which contains itself. */
export function getShape(name: ShapeName): Shape {
  let shape = parsed.get(name);
  if (shape === undefined) {
    const members = shapes[name].split(" ").flatMap((text) => parseMember(name, text));
    shape = {
      name,
      members,
      byName: new Map(members.map((member) => [member.name, member])),
      alwaysSerialized: members.filter((member) => member.alwaysSerialized),
    };
    parsed.set(name, shape);
  }
  return shape;
}

/**
 * Returns the shape of a type as upstream's Go types have it: there the metadata of a template is the whole of
 * `metav1.ObjectMeta`, of which the schema keeps five members.
 */
export function getTypedShape(name: ShapeName): Shape {
  return getShape(name === "ObjectMeta" ? "FullObjectMeta" : name);
}

/** What a value of a type is. */
export function getElement(type: ElementType): Element {
  return { type, typedShape: isShapeName(type) ? getTypedShape(type) : undefined };
}

/** Reports whether a type is an object type with members. */
export function isShapeName(type: ElementType): type is ShapeName {
  return Object.hasOwn(shapes, type);
}

/** Reports whether a type has a member by that name that is raw JSON: no shape describes it, and every value is one. */
export function isRawJson(type: ShapeName, name: string): boolean {
  return type === "ManagedFieldsEntry" && name === "fieldsV1";
}

const memberSyntax =
  /^(?<required>\*?)(?<name>\w+)(?<form>\?\(|[([{:=])(?<type>\w+)[)\]}]?(?<always>!?)$/;

function parseMember(declaredBy: ShapeName, text: string): readonly Member[] {
  if (text.startsWith("…")) return getShape(text.slice(1) as ShapeName).members;
  const { required, name, form = "", type, always } = memberSyntax.exec(text)?.groups ?? {};
  if (name === undefined || type === undefined) {
    throw new TypeError(`the member "${text}" is not in the notation of shapes`);
  }
  const byValue = form === "=";
  const elementType = type as ElementType;
  return [
    {
      name,
      declaredBy,
      ...getElement(elementType),
      isText: elementType === "string" && !"[{".includes(form),
      collection: form === "[" ? "list" : form === "{" ? "map" : "none",
      nullable: form === "?(" || form === ":",
      alwaysSerialized: byValue || always === "!",
      required: required === "*",
    },
  ];
}
