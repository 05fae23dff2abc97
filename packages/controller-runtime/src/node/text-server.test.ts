import { expect, it, onTestFinished } from "vitest";
import { serveTextEndpoints, type TextResponse } from "./text-server.ts";

async function startServer() {
  const served = await serveTextEndpoints(
    0,
    new Map<string, () => TextResponse | Promise<TextResponse>>([
      ["/text", () => ({ code: 200, text: "x\n" })],
      ["/later", async () => ({ code: 503, text: "{}", type: "application/json" })],
      ["/mistake", () => Promise.reject(new TypeError("a bug"))],
    ]),
  );
  onTestFinished(() => served.close());
  return async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${served.port}${path}`);
    return [response.status, response.headers.get("content-type"), await response.text()];
  };
}

it("serveTextEndpoints ignores queries, and returns 404 for an unknown path and 500 for an error", async () => {
  const get = await startServer();
  const text = "text/plain; charset=utf-8";
  expect(await get("/text?verbose")).toEqual([200, text, "x\n"]);
  expect(await get("/later")).toEqual([503, "application/json", "{}"]);
  expect(await get("/mistake")).toEqual([500, text, "TypeError: a bug\n"]);
  for (const path of ["/", "/toString", "/text/"]) expect((await get(path))[0]).toBe(404);
});

it("serveTextEndpoints reports a port that is in use", async () => {
  const { port, close } = await serveTextEndpoints(0, new Map());
  onTestFinished(close);
  await expect(serveTextEndpoints(port, new Map())).rejects.toThrow("EADDRINUSE");
});
