import type { Unvalidated } from "@jobset-ts/api";
import {
  asString,
  type Event,
  getControllerOf,
  getNamespace,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import type { Evidence } from "@jobset-ts/checks";
import type { Snapshot } from "@jobset-ts/core";
import { latestEvent } from "./latest-event.ts";

/**
 * Returns why the leader of a follower could not be created, according to the Job's Events.
 *
 * The Job controller records the failed creation of any Pod on the Job, including denied followers. Those are
 * recognized by the texts of JobSet's webhooks.
 */
export function findFailedLeaderCreation(
  follower: Unvalidated<Pod>,
  snapshot: Snapshot,
): Evidence | undefined {
  const owner = getControllerOf(follower);
  if (owner === undefined) return undefined;
  const events: readonly Unvalidated<Event>[] = snapshot.eventsAbout(asString(owner.uid));
  const event = latestEvent(events, "FailedCreate", (message) => !isAboutFollower(message));
  if (event === undefined) return undefined;
  return {
    kind: "Event",
    object: {
      apiVersion: asString(owner.apiVersion),
      kind: asString(owner.kind),
      namespace: getNamespace(follower),
      name: asString(owner.name),
    },
    at: "FailedCreate",
    text: asString(event.message),
  };
}

/** The webhook's name depends on the installation, but the text after it does not. */
const denied = " denied the request: ";

/** The start of all texts of JobSet's webhooks about followers. */
const beginnings = [
  "follower pod ",
  "leader pod ",
  "expected 1 leader pod (",
  "pod missing label: ",
  "node does not have topology label: ",
  'nodes "',
  'Node "',
] as const;

function isAboutFollower(message: string): boolean {
  const at = message.indexOf(denied);
  if (at === -1) return false;
  const text = message.slice(at + denied.length);
  return beginnings.some((beginning) => text.startsWith(beginning));
}
