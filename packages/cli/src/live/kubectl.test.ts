import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createKubectl, type KubectlCall } from "./kubectl.ts";

const folder = mkdtempSync(join(tmpdir(), "jobset-kubectl-"));

/** Prints its arguments, writes to standard error and fails. Hangs after that if the first argument is `wait`. */
const script = `#!/bin/sh
printf '%s|' "$@"
echo "$GREETING" >&2
if [ "$1" = wait ]; then exec /bin/sleep 600; fi
exit 3
`;

beforeAll(() => writeFileSync(join(folder, "kubectl"), script, { mode: 0o755 }));
afterAll(() => rmSync(folder, { recursive: true }));

async function call(args: readonly string[], options: Partial<KubectlCall> = {}) {
  let [printed, prompted] = ["", ""];
  const kubectl = createKubectl({ PATH: folder, GREETING: "hello" }, (text) => {
    prompted += text;
  });
  const onStdout = (bytes: Uint8Array) => {
    printed += new TextDecoder().decode(bytes);
    return true;
  };
  const result = await kubectl(args, { onStdout, canPrompt: false, ...options });
  return { result, printed, prompted };
}

it("kubectl gets the arguments and the environment, and its output and exit code are returned", async () => {
  expect(await call(["get", "a b"])).toEqual({
    result: { exitCode: 3, stderr: "hello\n" },
    printed: "get|a b|",
    prompted: "",
  });
});

it("kubectl shows its messages at once if it may prompt", async () => {
  expect(await call(["get"], { canPrompt: true })).toMatchObject({ prompted: "hello\n" });
});

it("kubectl ends on abort, or if its output is not wanted", async () => {
  const never = await call(["wait"], { signal: AbortSignal.abort() });
  expect(never.result).not.toHaveProperty("exitCode");
  const { result } = await call(["wait"], { onStdout: () => false });
  expect(result).not.toHaveProperty("exitCode");
  const controller = new AbortController();
  const onStdout = () => {
    controller.abort();
    return true;
  };
  const late = await call(["wait"], { signal: controller.signal, onStdout });
  expect(late.result).not.toHaveProperty("exitCode");
});

it("kubectl that cannot be started is reported with the error code of the system", async () => {
  const kubectl = createKubectl({ PATH: join(folder, "none") });
  const result = await kubectl([], { onStdout: () => true, canPrompt: false });
  expect(result).toEqual({ stderr: "", startError: "ENOENT" });
});
