import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, statfsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const KUBERNETES_VERSION = "1.36.3";
const GO_VERSION = [1, 26] as const;
const NEEDED_BYTES = 5e9;

/** The path of the binary, the reason why it is unavailable here, or the error of a failed build. */
export type FoundBinary =
  | { readonly outcome: "Found"; readonly path: string }
  | { readonly outcome: "Unavailable"; readonly reason: string }
  | { readonly outcome: "Failed"; readonly reason: string };

/**
 * Returns the control plane's binary. On first use, it builds the binary for this machine, which takes about ten
 * minutes.
 *
 * @param sources - the folder of the Go module
 * @param say - called before a build starts
 */
export function controlPlaneBinary(sources: string, say: (line: string) => void): FoundBinary {
  const named = process.env.JOBSET_E2E_CONTROLPLANE;
  if (named) {
    return existsSync(named)
      ? { outcome: "Found", path: named }
      : { outcome: "Failed", reason: `JOBSET_E2E_CONTROLPLANE: the file does not exist: ${named}` };
  }
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "jobset-ts");
  const { platform, arch } = process;
  const name = `controlplane-${KUBERNETES_VERSION}-${platform}-${arch}-${computeHash(sources)}`;
  const path = join(cache, name);
  if (existsSync(path)) return { outcome: "Found", path };

  const unable = findBuildObstacle(sources);
  if (unable !== undefined) return { outcome: "Unavailable", reason: unable };
  mkdirSync(cache, { recursive: true });
  const { bavail, bsize } = statfsSync(cache);
  if (bavail * bsize < NEEDED_BYTES)
    return { outcome: "Unavailable", reason: "a build requires 5 GB of disk space" };
  say(
    `building kube-apiserver ${KUBERNETES_VERSION} and the other components, once: about ten minutes`,
  );
  return build(sources, path);
}

function computeHash(sources: string): string {
  const hash = createHash("sha256");
  for (const file of ["main.go", "go.mod", "go.sum"])
    hash.update(readFileSync(join(sources, file)));
  return hash.digest("hex").slice(0, 12);
}

function findBuildObstacle(sources: string): string | undefined {
  const desired = GO_VERSION.join(".");
  const result = go(sources, "env", "GOVERSION");
  if (result.error !== undefined) {
    return `Go ${desired} or newer is not on the PATH, and JOBSET_E2E_CONTROLPLANE is not set`;
  }
  const [, major = 0, minor = 0] = /go(\d+)\.(\d+)/.exec(result.stdout)?.map(Number) ?? [];
  const isOld = major < GO_VERSION[0] || (major === GO_VERSION[0] && minor < GO_VERSION[1]);
  return isOld ? `${result.stdout.trim()} is older than Go ${desired}` : undefined;
}

function build(sources: string, path: string): FoundBinary {
  const downloaded = go(sources, "mod", "download");
  if (downloaded.status !== 0) {
    const [last = ""] = downloaded.stderr.trim().split("\n").slice(-1);
    const reason = `the Go modules cannot be downloaded: ${last.slice(0, 200)}`;
    return { outcome: "Unavailable", reason };
  }
  // Clients see these values as the version of the server.
  const [major, minor] = KUBERNETES_VERSION.split(".");
  const flags = ["k8s.io/component-base/version", "k8s.io/client-go/pkg/version"].flatMap(
    (name) => [
      `-X ${name}.gitVersion=v${KUBERNETES_VERSION}`,
      `-X ${name}.gitMajor=${major}`,
      `-X ${name}.gitMinor=${minor}`,
    ],
  );
  const unfinished = `${path}.${process.pid}`;
  const built = go(
    sources,
    ...["build", "-trimpath", "-ldflags", `-s -w ${flags.join(" ")}`, "-o", unfinished, "."],
  );
  if (built.status !== 0) {
    return { outcome: "Failed", reason: `the build failed: ${built.stderr.trim()}` };
  }
  renameSync(unfinished, path);
  return { outcome: "Found", path };
}

function go(cwd: string, ...args: string[]) {
  const env = {
    ...process.env,
    CGO_ENABLED: "0",
    GOTOOLCHAIN: "local",
    GOFLAGS: "-buildvcs=false -mod=readonly",
  };
  return spawnSync("go", args, { cwd, env, encoding: "utf8", maxBuffer: 2 ** 26 });
}
