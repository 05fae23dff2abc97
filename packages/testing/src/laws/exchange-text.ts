import { requestText } from "./api-request.ts";
import type { Exchange } from "./api-server.ts";
import { differences, listLeaves, valueText } from "./leaf-values.ts";

const MAX_CHANGES = 3;

/** Formats a request, its changes and the reason of its rejection. Undefined for a write that changes nothing. */
export function exchangeText({ request, outcome, before, after }: Exchange): string | undefined {
  const text = requestText(request);
  if (!outcome.ok) return `${text}: ${outcome.reason}`;
  if (request.object.kind === "Event") return `${text} ${request.object.reason}`;
  if (before === undefined || after === undefined || request.verb === "delete") return text;
  const [was, is] = [listLeaves(before), listLeaves(after)];
  const paths = differences(was, is);
  // The status of a condition is enough, without these details.
  const isDetail = (path: string) => /\]\.(reason|lastTransitionTime)$/.test(path);
  const main = paths.some((path) => !isDetail(path))
    ? paths.filter((path) => !isDetail(path))
    : paths;
  if (main.length === 0) return undefined;
  const changed = main.map((path) => `${path.replace(/^status\./, "")} ${valueText(is, path)}`);
  const more = changed.length > MAX_CHANGES ? ", …" : "";
  return `${text}: ${changed.slice(0, MAX_CHANGES).join(", ")}${more}`;
}
