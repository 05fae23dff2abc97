import { expect, it } from "vitest";
import { readIndexList } from "./index-list.ts";

it.each([
  ["", 0],
  ["0", 1],
  ["1,2", 2],
  ["1-3", 3],
  ["1,3-5,7", 5],
])("readIndexList counts the indexes of %j", (text, count) => {
  expect(readIndexList(text, 10)).toEqual({ ok: true, count });
});

it.each([
  ["a", 'cannot convert string to integer for index: "a"'],
  ["1,", 'cannot convert string to integer for index: ""'],
  [
    "1-2-3",
    "the fragment \"1-2-3\" violates the requirement that an index interval can have at most two parts separated by '-'",
  ],
  ["5", 'too large index: "5"'],
  ["2,1", "non-increasing order, previous: 2, current: 1"],
  ["2-2", "non-increasing order, previous: 2, current: 2"],
])("readIndexList rejects %j", (text, fault) => {
  expect(readIndexList(text, 5)).toEqual({ ok: false, message: fault });
});
