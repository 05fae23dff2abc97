// Serves the tarballs from a local registry, so `npm install` and `npx` find the packages by name, as after publishing. All other
// packages come from the configured registry.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { tarballsIn } from "../pack.mjs";

/** Serves the tarballs in a folder. Returns `{ url, close }`. */
async function serveTarballs(folder) {
  const tarballs = new Map(tarballsIn(folder).map((file) => [basename(file), readFileSync(file)]));
  // npm caches by URL, so each run has a different path.
  const path = `/${basename(folder)}/`;
  const server = createServer(({ url: requestUrl }, response) => {
    const wanted = decodeURIComponent(requestUrl.slice(path.length));
    const tarball = tarballs.get(wanted);
    const document = tarball === undefined ? documents.get(wanted) : undefined;
    const isFound = requestUrl.startsWith(path) && (tarball ?? document) !== undefined;
    response.writeHead(isFound ? 200 : 404, { "cache-control": "no-store" });
    response.end(isFound ? (tarball ?? document) : "{}");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  const url = `http://127.0.0.1:${server.address().port}${path}`;
  const documents = new Map(
    [...tarballs].map(([file, bytes]) => createDocument(bytes, `${url}${file}`)),
  );
  return { url, close: () => server.close() };
}

/** Returns the package name and its registry document, with one version that is also the latest. */
function createDocument(bytes, tarball) {
  const manifest = JSON.parse(fileIn(gunzipSync(bytes), "package/package.json"));
  const { name, version } = manifest;
  const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
  const shasum = createHash("sha1").update(bytes).digest("hex");
  const versions = { [version]: { ...manifest, dist: { tarball, integrity, shasum } } };
  return [name, JSON.stringify({ name, "dist-tags": { latest: version }, versions })];
}

/** Returns the text of a file in a tar archive. */
function fileIn(archive, name) {
  let at = 0;
  while (at < archive.length) {
    const header = archive.subarray(at, at + 512);
    const size = Number.parseInt(header.toString("latin1", 124, 136), 8) || 0;
    const content = archive.subarray(at + 512, at + 512 + size);
    if (header.toString("utf8", 0, 100).replace(/\0.*$/s, "") === name) return content.toString();
    at += 512 + Math.ceil(size / 512) * 512;
  }
  throw new Error(`the archive does not contain ${name}`);
}

/**
 * Serves the tarballs in a folder while `use` runs. `use` gets the environment variables that configure npm. npm uses its cache, and
 * `npx` does not see packages from earlier runs.
 */
export async function withRegistry(folder, use) {
  const { url, close } = await serveTarballs(folder);
  const settings = mkdtempSync(join(tmpdir(), "jobset-ts-npm-"));
  try {
    const { cache, globalconfig, userconfig } = npmConfiguration();
    const before = existsSync(globalconfig) ? readFileSync(globalconfig, "utf8") : "";
    const file = join(settings, "npmrc");
    writeFileSync(file, `${before}\n@jobset-ts:registry=${url}\n`);
    // The npm cache also has the packages that npx has installed. Only the downloads are shared.
    mkdirSync(join(cache, "_cacache"), { recursive: true });
    symlinkSync(join(cache, "_cacache"), join(settings, "_cacache"), "junction");
    return await use({
      npm_config_globalconfig: file,
      npm_config_userconfig: userconfig,
      npm_config_cache: settings,
      npm_config_prefer_offline: "true",
      npm_config_audit: "false",
      npm_config_fund: "false",
      npm_config_update_notifier: "false",
      npm_config_loglevel: "error",
    });
  } finally {
    close();
    rmSync(settings, { recursive: true });
  }
}

/** Returns the npm configuration outside this workspace. */
function npmConfiguration() {
  const args = ["config", "list", "--json"];
  const shell = process.platform === "win32";
  const { stdout } = spawnSync("npm", args, { cwd: tmpdir(), encoding: "utf8", shell });
  return JSON.parse(stdout);
}
