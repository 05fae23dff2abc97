/**
 * An object with some of its members set anew, or set at all; the one given stays as it is. It is what a literal with a spread
 * would be, for what happens at every turn: there V8 makes new hidden classes, which costs up to six times as much, and whoever reads
 * such objects afterwards pays for it, too.
 */
export function withMembers<Item extends object>(
  item: Item,
  members: Partial<NoInfer<Item>>,
): { [Name in keyof Item]: Item[Name] } {
  return isOdd(item) || isOdd(members) ? { ...item, ...members } : Object.assign({}, item, members);
}

/** The same with one member, of a record. */
export function withMember<Value>(
  record: Readonly<Record<string, Value>>,
  name: string,
  value: Value,
): Readonly<Record<string, Value>> {
  const next: Record<string, Value> = copyOf(record);
  next[name] = value;
  return next;
}

/** An object without one of its members; itself where it has none of that name. */
export function withoutMember<Item extends object>(item: Item, name: keyof Item): Item {
  if (!Object.hasOwn(item, name)) return item;
  const { [name]: _, ...others } = item;
  return others as Item;
}

export function copyOf<Item extends object>(item: Item): Item {
  return isOdd(item) ? { ...item } : Object.assign({}, item);
}

/** Whether an object has a member that cannot be assigned: that would set the prototype. */
function isOdd(item: object): boolean {
  return Object.hasOwn(item, "__proto__");
}
