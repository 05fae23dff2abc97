import { createSnapshot } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import {
  aNodeIn,
  anEvent,
  createJobSet,
  createPod,
  listJobs,
  podOnNode,
  type Wire,
} from "../testing/a-diagnosed-cluster.ts";
import { indexCluster } from "./cluster-facts.ts";

const [job] = listJobs(createJobSet());

function listMessages(object: Wire, events: readonly Wire[]) {
  return indexCluster(createSnapshot(events))
    .eventsAbout(object, object.kind)
    .map(({ message }) => message);
}

describe("eventsAbout", () => {
  it("eventsAbout finds Events by UID, so a recreated object has none of its predecessor", () => {
    const second = { ...job, metadata: { ...job.metadata, uid: "uid-again" } };
    const events = [
      anEvent(job, "FailedCreate", "before"),
      anEvent(second, "FailedCreate", "after"),
    ];
    expect(listMessages(second, events)).toEqual(["after"]);
  });

  it("eventsAbout finds Events by name if they have no UID", () => {
    const event = anEvent(job, "FailedCreate", "by name");
    const involvedObject = { ...event.involvedObject, uid: undefined };
    expect(listMessages(job, [{ ...event, involvedObject }])).toEqual(["by name"]);
  });

  it("eventsAbout reads Events of the newer API group", () => {
    const { involvedObject, message, lastTimestamp, ...event } = anEvent(
      job,
      "FailedCreate",
      "new",
    );
    const series = { count: 2, lastObservedTime: "2026-02-07T09:59:00Z" };
    const newer = {
      ...event,
      apiVersion: "events.k8s.io/v1",
      regarding: involvedObject,
      note: message,
      series,
    };
    const facts = indexCluster(createSnapshot([newer]));
    expect(facts.wasRead("Event")).toBe(true);
    expect(facts.eventsAbout(job, "Job")).toMatchObject([
      { message: "new", seenAt: Date.parse(series.lastObservedTime) },
    ]);
  });

  it("eventsAbout strips the prefix of combined Events", () => {
    const message = "(combined from similar events): Error creating: no";
    expect(listMessages(job, [anEvent(job, "FailedCreate", message)])).toEqual([
      "Error creating: no",
    ]);
  });
});

describe("allDomainsHeld", () => {
  const leader = createPod(job, 0);
  const isDomainOccupied = (...tenants: readonly Wire[]) =>
    indexCluster(
      createSnapshot([
        aNodeIn("r1", "n1"),
        aNodeIn("r2", "n2"),
        aNodeIn(undefined, "n3"),
        ...tenants,
      ]),
    ).areAllDomainsOccupied("rack", leader);

  it("allDomainsHeld is true if every domain has a Pod of another Job", () => {
    expect(isDomainOccupied(podOnNode("n1"), podOnNode("n2"))).toBe(true);
    expect(isDomainOccupied(podOnNode("n1"))).toBe(false);
    expect(isDomainOccupied(podOnNode("n1"), podOnNode("n3"))).toBe(false);
  });

  it("allDomainsHeld ignores Pods that have finished, have another priority, or belong to the Job itself", () => {
    const ended = { ...podOnNode("n2"), status: { phase: "Succeeded" } };
    expect(isDomainOccupied(podOnNode("n1"), ended)).toBe(false);
    expect(isDomainOccupied(podOnNode("n1"), podOnNode("n2", "9"))).toBe(false);
    expect(isDomainOccupied(podOnNode("n1"), createPod(job, 1, { spec: { nodeName: "n2" } }))).toBe(
      false,
    );
  });
});

describe("indexCluster", () => {
  it("indexCluster builds an index once for all callers", () => {
    const lists: string[] = [];
    const snapshot = createSnapshot([anEvent(job, "FailedCreate", "no quota"), createJobSet()]);
    const objects: typeof snapshot.objects = (kind) => {
      lists.push(kind);
      return snapshot.objects(kind);
    };
    const watched = Object.assign(Object.create(snapshot), { objects });
    for (const name of ["a", "b"]) {
      indexCluster(watched).eventsAbout({ metadata: { name, namespace: "ml" } }, "Job");
    }
    expect(lists).toEqual(["Event", "Event.events.k8s.io"]);
  });
});
