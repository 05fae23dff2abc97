/**
 * An object with some members set, new ones or others; the one given stays as it is. For what happens at every turn: V8 gives what a
 * literal with a spread makes a hidden class of its own, so that a literal takes up to six times as long, and who reads its objects
 * takes longer as well.
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
  const next: Record<string, Value> = createCopy(record);
  next[name] = value;
  return next;
}

/** An object without one of its members; itself where it has none of that name. */
export function withoutMember<Item extends object>(item: Item, name: keyof Item): Item {
  if (!Object.hasOwn(item, name)) return item;
  const { [name]: _, ...others } = item;
  return others as Item;
}

/** Another object with the same members. */
export function createCopy<Item extends object>(item: Item): Item {
  return isOdd(item) ? { ...item } : Object.assign({}, item);
}

/** Whether an object has a member that cannot be assigned: that would set the prototype. */
function isOdd(item: object): boolean {
  return Object.hasOwn(item, "__proto__");
}
