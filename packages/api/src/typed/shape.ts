import { type ShapeName, shapes } from "./shapes.ts";

/** A scalar of the API. `integer` is an integer without a format: 64 bits. */
export type Scalar = "string" | "boolean" | "int32" | "int64" | "integer";

/** A type that the table `shapes` does not list because it is written as a scalar. */
export type Special = "Quantity" | "IntOrString" | "Time";

/** The type of a member, list element or map value. */
export type ElementType = Scalar | Special | ShapeName;

/** One member of a {@link Shape}. */
export interface Member {
  readonly name: string;
  /**
   * The type in whose line of the table the member is declared. It differs from the shape if `…T` includes the member.
   */
  readonly declaredBy: ShapeName;
  /** The member's own type, or the type of the list's elements or the map's values. */
  readonly type: ElementType;
  /** The name of the {@link Shape} of that type; `undefined` for a scalar. */
  readonly typedShape: Shape | undefined;
  readonly collection: "none" | "list" | "map";
  /** Whether the member itself is text. */
  readonly isText: boolean;
  /** Whether absent differs from the zero value, as for a nullable scalar or object. */
  readonly nullable: boolean;
  /** Whether the member is serialized even if its value is zero. */
  readonly alwaysSerialized: boolean;
  /** Whether the schema rejects an object without it. */
  readonly required: boolean;
}

/** The type of a list element, of a map value, or of a member that is neither. */
export type Element = Pick<Member, "type" | "typedShape">;

/** The members of a type in serialization order. */
export interface Shape {
  readonly name: ShapeName;
  readonly members: readonly Member[];
  /** The members of the type by name. */
  readonly byName: ReadonlyMap<string, Member>;
  /** The members that are serialized even if their value is zero. */
  readonly alwaysSerialized: readonly Member[];
}

const parsed = new Map<ShapeName, Shape>();

/** Returns the shape of a type. Parsed on first use, with the shapes of its members. No shape contains itself. */
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
 * Returns the shape of a type in upstream's Go types. There, the metadata of a template is a complete
 * `metav1.ObjectMeta`. The schema keeps only five of its members.
 */
export function getTypedShape(name: ShapeName): Shape {
  return getShape(name === "ObjectMeta" ? "FullObjectMeta" : name);
}

/** The type of a value. */
export function getElement(type: ElementType): Element {
  return { type, typedShape: isShapeName(type) ? getTypedShape(type) : undefined };
}

/** Reports whether a type is an object type with members. */
export function isShapeName(type: ElementType): type is ShapeName {
  return Object.hasOwn(shapes, type);
}

/** Reports whether a type has a member of that name that is raw JSON. It has no shape and may be any value. */
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
