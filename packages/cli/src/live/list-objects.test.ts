import { expect, it } from "vitest";
import type { Kubectl } from "./kubectl.ts";
import { type ListCall, listObjects } from "./list-objects.ts";

const call: ListCall = {
  kind: "Pod",
  apiVersion: "v1",
  namespace: "ml",
  isNeeded: false,
  selector: { labelSelector: "app in (a,b)" },
  flags: ["--context=c"],
};
const path = "/api/v1/namespaces/ml/pods?labelSelector=app+in+%28a%2Cb%29";

/** Returns the JSON of a page with Pods of these names. */
function createPage(names: readonly string[], next?: string): string {
  const items = names.map((name) => ({ metadata: { name } }));
  const metadata = next === undefined ? {} : { continue: next };
  return JSON.stringify({ kind: "PodList", apiVersion: "v1", metadata, items });
}

/** Lists objects with a kubectl that prints these pages or fails with these errors, one after the other. */
async function list(responses: readonly (string | { readonly says: string })[]) {
  const paths: string[] = [];
  const kubectl: Kubectl = async (args, { onStdout }) => {
    const response = responses[paths.length] ?? "";
    paths.push(args[2] ?? "");
    expect([args.slice(0, 2), args.slice(3)]).toEqual([["get", "--raw"], ["--context=c"]]);
    if (typeof response !== "string") return { exitCode: 1, stderr: response.says };
    onStdout(new TextEncoder().encode(response));
    return { exitCode: 0, stderr: "" };
  };
  const result = await listObjects(call, kubectl, { canPrompt: false });
  return { result, paths };
}

const aPod = (name: string) => ({ apiVersion: "v1", kind: "Pod", metadata: { name } });
const expired = {
  says: "Error from server (Expired): The provided continue parameter is too old\n",
};

it("listObjects reads page by page, and adds the kind to each object", async () => {
  const { result, paths } = await list([
    createPage(["a", "b"], "x/1=="),
    createPage([], "x/2"),
    createPage(["c"]),
  ]);
  expect(result).toEqual({ objects: ["a", "b", "c"].map(aPod) });
  expect(paths).toEqual([
    `${path}&limit=5000`,
    `${path}&limit=5000&continue=x%2F1%3D%3D`,
    `${path}&limit=5000&continue=x%2F2`,
  ]);
});

it("listObjects starts again without pages if the token of a page has expired", async () => {
  const { result, paths } = await list([
    createPage(["a", "deleted"], "1"),
    expired,
    createPage(["a", "b"]),
  ]);
  expect(result).toEqual({ objects: ["a", "b"].map(aPod) });
  expect(paths).toEqual([`${path}&limit=5000`, `${path}&limit=5000&continue=1`, path]);
});

it("listObjects ends if a server repeats a token or reports every list as expired", async () => {
  const page = createPage(["a"], "1");
  const repeated = await list([page, page, page]);
  expect(repeated.result).toMatchObject({ failure: { severity: "error" } });
  expect(repeated.paths).toHaveLength(2);
  const { result } = await list([expired, expired]);
  expect(result).toMatchObject({ objects: [], error: { reason: "Expired", code: 410 } });
});

it("listObjects returns no objects of a page that fails", async () => {
  const says = "Error from server (Forbidden): pods is forbidden\n";
  const { result } = await list([createPage(["a"], "1"), { says }]);
  const error = { message: "pods is forbidden", reason: "Forbidden", code: 403 };
  expect(result).toEqual({ objects: [], error });
});

/** Lists objects with a kubectl whose calls print the start of a page, and end when the test says so. */
function listInSteps() {
  const calls: { readonly end: (exitCode: number) => void; readonly signal?: AbortSignal }[] = [];
  const kubectl: Kubectl = (_args, { onStdout, signal }) => {
    const page = createPage(["a"], `token-${calls.length}`);
    onStdout(new TextEncoder().encode(page.slice(0, -2)));
    return new Promise((resolve) => {
      const end = (exitCode: number) => {
        if (exitCode === 0) onStdout(new TextEncoder().encode(page.slice(-2)));
        resolve({ exitCode, stderr: "Error from server (Forbidden): pods is forbidden\n" });
      };
      signal?.addEventListener("abort", () => end(1));
      calls.push({ end, ...(signal !== undefined && { signal }) });
    });
  };
  return { calls, result: listObjects(call, kubectl, { canPrompt: false }) };
}

/** Waits until all promises that can settle have settled. */
const waitForImmediate = () => new Promise((resolve) => setImmediate(resolve));

it("listObjects requests the next page while it reads a page, and no further page", async () => {
  const { calls } = listInSteps();
  await waitForImmediate();
  expect(calls).toHaveLength(2);
  calls[0]?.end(0);
  await waitForImmediate();
  expect(calls).toHaveLength(3);
});

it("listObjects ends the call for the next page if a page fails", async () => {
  const { calls, result } = listInSteps();
  await waitForImmediate();
  calls[0]?.end(1);
  expect(await result).toMatchObject({ objects: [], error: { reason: "Forbidden" } });
  expect(calls.map(({ signal }) => signal?.aborted)).toEqual([false, true]);
});
