import { describe, expect, it } from "vitest";
import {
  areSameLists,
  createListSnapshot,
  getKindList,
  type KindList,
  type ListState,
  unreadLines,
} from "./cluster-lists.ts";

const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "a", namespace: "ml" } };
const read: ListState = { items: [{ jsonData: pod }], errors: null, isFetching: false };
const loading: ListState = { items: null, errors: null, isFetching: true };
const forbidden = { message: "pods is forbidden", status: 403 };
const rejected: ListState = { items: [], errors: [forbidden], isFetching: false };

describe("Headlamp's lists", () => {
  it("a kind is read when every request has returned a list, even an empty one", () => {
    expect(getKindList("Pod", read)).toEqual({ kind: "Pod", outcome: "Read", objects: [pod] });
    expect(getKindList("Pod", { ...read, items: [] }).outcome).toBe("Read");
  });

  it.each([
    ["it has asked for none", { ...loading, isFetching: false }],
    ["its list is on its way", loading],
    ["the lists of some namespaces are on their way", { ...read, isFetching: true }],
  ])("a kind is not read while %s", (_, result) => {
    expect(getKindList("Pod", result)).toEqual({ kind: "Pod", outcome: "Loading", objects: [] });
  });

  it("a list stays the same while it is requested again", () => {
    const second = { ...read, isFetching: true };
    expect(getKindList("Pod", second, true)).toEqual({
      kind: "Pod",
      outcome: "Read",
      objects: [pod],
    });
    expect(getKindList("Pod", loading, true).outcome).toBe("Loading");
  });

  it("a rejected list is not treated as empty", () => {
    const list = getKindList("Pod", rejected);
    expect(list.outcome).toBe("Failed");
    expect(list.error).toEqual({ message: "pods is forbidden", code: 403 });
  });

  it("a partly rejected list keeps the objects of other namespaces, and the kind is not read", () => {
    const snapshot = createListSnapshot([getKindList("Pod", { ...read, errors: [forbidden] })]);
    expect(snapshot.pod("ml", "a")).toBe(pod);
    expect(snapshot.kindStatus("Pod").outcome).toBe("Failed");
  });
});

it("a snapshot reports which kinds were read, rejected or are still loading", () => {
  const lists = [
    getKindList("Pod", { ...read, items: [] }),
    getKindList("Event", rejected),
    getKindList("Node", loading),
  ];
  const snapshot = createListSnapshot(lists);
  expect(["Pod", "Event", "Node"].map((kind) => snapshot.kindStatus(kind).outcome)).toEqual([
    "Read",
    "Failed",
    "NotRead",
  ]);
  expect(snapshot.invalidObjects).toEqual([]);
});

it("the view names kinds that could not be read", () => {
  const createFailedList = (kind: KindList["kind"], code?: number): KindList => ({
    kind,
    outcome: "Failed",
    objects: [],
    error: { message: "no", code },
  });
  expect(unreadLines([getKindList("Pod", read)])).toEqual([]);
  expect(
    unreadLines([
      createFailedList("JobSet", 404),
      createFailedList("Event", 403),
      createFailedList("Job"),
      getKindList("Pod", loading),
      getKindList("Node", loading),
    ]),
  ).toEqual([
    "This cluster does not serve JobSets. Is JobSet installed?",
    "Events could not be listed (403: no), so checks that need them are skipped.",
    "Jobs could not be listed (no), so checks that need them are skipped.",
    "Not listed yet: Pod, Node.",
  ]);
});

it("lists are equal if they contain the identical objects", () => {
  const list = (): readonly KindList[] => [getKindList("Pod", read)];
  expect(areSameLists(list(), list())).toBe(true);
  const copied: ListState = { ...read, items: [{ jsonData: { ...pod } }] };
  expect(areSameLists(list(), [getKindList("Pod", copied)])).toBe(false);
  expect(areSameLists(list(), [getKindList("Pod", { ...read, items: [] })])).toBe(false);
  expect(areSameLists(list(), [getKindList("Pod", loading)])).toBe(false);
  expect(areSameLists(list(), [])).toBe(false);
  const empty = { ...read, items: [] };
  expect(areSameLists([getKindList("Pod", empty)], [getKindList("Pod", loading)])).toBe(false);
});
