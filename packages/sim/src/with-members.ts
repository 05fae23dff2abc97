/**
 * Returns a copy of an object with some members set. Use it in code that runs every turn: V8 gives the result of a
 * literal with a spread its own hidden class, which makes the literal up to six times as slow, and its readers slower,
 * too.
 *
 * @param members - of a type that names them, so `__proto__` is not one of them
 */
export function withMembers<Item extends object>(
  item: Item,
  members: Partial<NoInfer<Item>>,
): { [Name in keyof Item]: Item[Name] } {
  return hasProtoMember(item) || hasProtoMember(members)
    ? { ...item, ...members }
    : Object.assign({}, item, members);
}

/** Returns a copy of a record with one member set. */
export function withMember<Value>(
  record: Readonly<Record<string, Value>>,
  name: string,
  value: Value,
): Readonly<Record<string, Value>> {
  const next: Record<string, Value> = createCopy(record);
  next[name] = value;
  return next;
}

/** Returns a copy of an object without a member. Returns the same object if it does not have the member. */
export function withoutMember<Item extends object>(item: Item, name: keyof Item): Item {
  if (!Object.hasOwn(item, name)) return item;
  const { [name]: _, ...others } = item;
  return others as Item;
}

/** Returns a shallow copy. */
export function createCopy<Item extends object>(item: Item): Item {
  return hasProtoMember(item) ? { ...item } : Object.assign({}, item);
}

/** Returns whether an object has a member `__proto__`, because an assignment would set the prototype. */
function hasProtoMember(item: object): boolean {
  return Object.hasOwn(item, "__proto__");
}
