import { expect, it } from "vitest";
import { describeUnreadKinds } from "./unread-kinds.ts";

it("the order in which kinds could not be read does not change the warning", () => {
  const createError = (kind: string) => ({ message: `${kind} is forbidden` });
  const [Node, Event] = [createError("Node"), createError("Event")];
  const [warning, ...others] = describeUnreadKinds({ Node, Event });
  expect(warning?.message).toMatch(/: Event .*, Node .*; the first error: Event is forbidden$/);
  expect(others).toEqual([]);
  expect(describeUnreadKinds({ Event, Node })).toEqual([warning]);
});
