import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import * as http from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { createInterface } from "node:readline";
import { median } from "./measure.ts";

/** Two servers that receive the same requests, each in its own process. */
export interface MemoryBenchmark {
  /** The names of the server program and of the minimal program to compare with. */
  readonly program: string;
  readonly floorProgram: string;
  /** A description of the floor for the report. */
  readonly floor: string;
  readonly path: string;
  readonly body: string;
  readonly count: number;
  /** The number of concurrent requests. */
  readonly concurrency: number;
}

/** The median of the peaks, the median of the floor's peaks, and their ratio. */
export interface MemoryMeasurement {
  readonly size: number;
  readonly ratio: number;
  readonly floor: string;
  /** Peak resident memory in megabytes. */
  readonly mb: number;
  readonly floorMb: number;
}

const rounds = 3;

/** Measures both programs alternately, each time in new processes. */
export async function measureMemory(benchmark: MemoryBenchmark): Promise<MemoryMeasurement> {
  const { program, floorProgram, floor, body } = benchmark;
  const peaks: number[] = [];
  const floorPeaks: number[] = [];
  for (let round = 0; round < rounds; round++) {
    peaks.push(await peakMb(program, benchmark));
    floorPeaks.push(await peakMb(floorProgram, benchmark));
  }
  const [mb, floorMb] = [median(peaks), median(floorPeaks)];
  return { size: Buffer.byteLength(body), ratio: mb / floorMb, floor, mb, floorMb };
}

/** Runs a process of {@link measureMemory}: it reports its port, and returns its peak memory on POST /peak. */
export async function serve(respond: (request: Request) => Promise<Response>): Promise<void> {
  const server = http.createServer(async (incoming, outgoing) => {
    if (incoming.url === "/peak") {
      outgoing.end(String(readOwnPeakMb()));
      return;
    }
    const { status, ...response } = await forwardRequest(respond, incoming);
    outgoing.writeHead(status, response.headers).end(response.body);
  });
  server.keepAliveTimeout = 0; // On a busy machine, the client may reuse a connection late.
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
  process.stdin.on("end", () => process.exit()).resume();
}

async function forwardRequest(
  respond: (request: Request) => Promise<Response>,
  incoming: http.IncomingMessage,
) {
  const { url, headers } = incoming;
  const request = new Request(`http://localhost${url}`, {
    method: "POST",
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
    body: ReadableStream.from(incoming),
    duplex: "half",
  } as RequestInit);
  const response = await respond(request);
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: new Uint8Array(await response.arrayBuffer()),
  };
}

async function peakMb(
  program: string,
  { path, body, count, concurrency }: MemoryBenchmark,
): Promise<number> {
  const [, self = ""] = process.argv;
  const stdio = ["pipe", "pipe", "inherit"] as const;
  const child = spawn(process.execPath, [self, "--serve", program], { stdio: [...stdio] });
  try {
    const [port] = await once(createInterface(child.stdout), "line");
    const agent = new http.Agent({ keepAlive: true, maxSockets: concurrency });
    const to = { host: "127.0.0.1", port: Number(port), agent };
    const bytes = Buffer.from(body);
    await Promise.all(
      Array.from({ length: count }, async () => {
        const { status } = await createPost({ ...to, path }, bytes);
        if (status !== 200) throw new Error(`${program} answers ${status}`);
      }),
    );
    const { text } = await createPost({ ...to, path: "/peak" }, Buffer.alloc(0));
    agent.destroy();
    return Number(text);
  } finally {
    child.kill();
  }
}

function createPost(
  options: http.RequestOptions,
  body: Buffer,
): Promise<{ readonly status: number | undefined; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": body.length };
    const request = http.request({ ...options, method: "POST", headers }, async (response) => {
      let text = "";
      for await (const piece of response) text += piece;
      resolve({ status: response.statusCode, text });
    });
    request.on("error", reject);
    request.end(body);
  });
}

/** Linux reports the peak of this program. `resourceUsage` also includes the process that started it. */
function readOwnPeakMb(): number {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    return Number(kilobytes) / 1000;
  } catch {
    return process.resourceUsage().maxRSS / 1000;
  }
}
