// A fake kubectl for tests: responds with values and records its calls.
import { runCommand, type TestEnvironment } from "../../testing.ts";
import type { createKubectl } from "../kubectl.ts";

/** The fake kubectl's behavior for a resource. */
export type FakeKubectlResult =
  | { readonly items: readonly object[] }
  | { readonly prints: string; readonly exitCode?: number }
  | { readonly says: string; readonly prints?: string; readonly exitCode?: number };

/** The fake kubectl's default output for calls that do not list objects, by a word of the call. */
const defaults: Readonly<Record<string, FakeKubectlResult>> = {
  view: { prints: "ml" },
  "api-resources": { prints: "pods  po  v1  true  Pod\n" },
};

/**
 * Runs the command with a fake kubectl.
 *
 * @param answers - responses by resource and group, as in `jobs.batch`, or by `view` or `api-resources` for the calls of
 *   these names; other resources have no objects
 * @returns also the calls of kubectl
 */
export async function runLive(
  args: readonly string[],
  answers: Readonly<Record<string, FakeKubectlResult>>,
  world: TestEnvironment = {},
) {
  const calls: string[] = [];
  const createFake: typeof createKubectl =
    (_env, prompt) =>
    async (words, { onStdout, canPrompt }) => {
      calls.push(words.join(" "));
      const { prints, stderr, exitCode } = createResponse(words, answers);
      // A process responds some time after its start.
      await undefined;
      if (canPrompt && stderr !== "") prompt?.(stderr);
      onStdout(new TextEncoder().encode(prints));
      return { stderr, exitCode };
    };
  const result = await runCommand(args, { ...world, createKubectl: createFake });
  return { ...result, calls };
}

/** Returns the calls of kubectl that list a resource. */
export function findListCalls(calls: readonly string[], resource: string): readonly string[] {
  return calls.filter((call) => parseListPath(call.split(" "))?.resource === resource);
}

function createResponse(
  words: readonly string[],
  answers: Readonly<Record<string, FakeKubectlResult>>,
) {
  const path = parseListPath(words);
  const key = path?.resource ?? words.find((word) => word in defaults) ?? "";
  const answer = answers[key] ?? defaults[key] ?? { items: [] };
  const prints = "items" in answer ? createList(answer.items, path) : (answer.prints ?? "");
  const stderr = "says" in answer ? answer.says : "";
  const exitCode = "items" in answer ? 0 : (answer.exitCode ?? ("says" in answer ? 1 : 0));
  return { prints, stderr, exitCode };
}

/** A path of the API server that lists objects. */
interface ListPath {
  readonly apiVersion: string;
  /** The resource with its group, such as `jobs.batch`. */
  readonly resource: string;
  readonly namespace: string | undefined;
  readonly labelSelector: string | undefined;
}

/** Parses a call of `kubectl get --raw`. */
function parseListPath(words: readonly string[]): ListPath | undefined {
  const [verb, raw, path = ""] = words;
  const [, group, version, namespace, plural] =
    /^\/apis?(?:\/([^/]+(?=\/v)))?\/(v[^/]+)(?:\/namespaces\/([^/]+))?\/([^/?]+)/.exec(path) ?? [];
  if (verb !== "get" || raw !== "--raw" || version === undefined) return undefined;
  const query = new URLSearchParams(path.slice(path.indexOf("?")));
  return {
    apiVersion: group === undefined ? version : `${group}/${version}`,
    resource: group === undefined ? `${plural}` : `${plural}.${group}`,
    namespace: namespace === undefined ? undefined : decodeURIComponent(namespace),
    labelSelector: query.get("labelSelector") ?? undefined,
  };
}

interface Listed {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: {
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

/** Returns a list as the API server does. The items of its built-in kinds have no kind. */
function createList(items: readonly object[], path: ListPath | undefined): string {
  const selected = (items as readonly Listed[]).filter((item) => isListed(item, path));
  const listed = selected.map(({ apiVersion, kind, ...item }) =>
    apiVersion === path?.apiVersion && !apiVersion?.includes(".x-k8s.io/")
      ? item
      : { apiVersion, kind, ...item },
  );
  const metadata = { resourceVersion: "7" };
  return JSON.stringify({
    kind: "TestList",
    apiVersion: path?.apiVersion,
    metadata,
    items: listed,
  });
}

function isListed({ metadata = {} }: Listed, path: ListPath | undefined): boolean {
  const { namespace, labels = {} } = metadata;
  if (path?.namespace !== undefined && namespace !== path.namespace) return false;
  if (path?.labelSelector === undefined) return true;
  const [, key = path.labelSelector, values] = /^(\S+) in \((.*)\)$/.exec(path.labelSelector) ?? [];
  const value = labels[key];
  return value !== undefined && (values === undefined || values.split(",").includes(value));
}
