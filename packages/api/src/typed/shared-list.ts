/** Returns the list with every element replaced by the result of `change`, or the same list if nothing changes. */
export function mapShared<Element>(
  list: readonly Element[],
  change: (element: Element, index: number) => Element,
): readonly Element[] {
  let changed: Element[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const element = list[index] as Element;
    const after = change(element, index);
    if (Object.is(after, element)) continue;
    changed ??= [...list];
    changed[index] = after;
  }
  return changed ?? list;
}
