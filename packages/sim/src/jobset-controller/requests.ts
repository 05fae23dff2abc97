import type { ServerReply, ServerRequest } from "../api-server/api-request.ts";
import { TIMED_OUT } from "../api-server/rejections.ts";
import { withMember, withMembers } from "../with-members.ts";
import {
  keepAcrossRestart,
  type ManagerProcess,
  type Pass,
  type SentRequest,
  updateManagerMemory,
} from "./manager-memory.ts";
import type { ManagerSetup } from "./manager-setup.ts";
import { addNote } from "./pass-note.ts";
import { type PassAction, passId } from "./pass-run.ts";

/** The one-way latency of a request and of a reply, in milliseconds. */
const LATENCY_MS = 2;
/** How long a client waits for a reply. */
const TIMEOUT_MS = 30_000;

type PerformAction = Extract<PassAction, { action: "Perform" }>;

/** Sends a request of a pass to the API server. */
export function enqueueRequest(
  { id, request, effect }: PerformAction,
  { key, snapshot, context }: Pass,
  process: ManagerProcess,
  { faults }: ManagerSetup,
): void {
  const { life, requestCount, requests } = process.memory;
  addNote(process, { kind: "RequestNote", request, effect, pass: key, snapshot, context });
  const number = requestCount + 1;
  const sent: SentRequest = { life, key, id, request };
  updateManagerMemory(process, {
    requestCount: number,
    requests: requests.set(String(number), sent),
  });
  const { delayMs = 0 } = faults.getRequestFate(request, number, process.now);
  if (delayMs > 0) addNote(process, { kind: "FaultNote", until: process.now + delayMs });
  process.wake({ action: "Send", number }, LATENCY_MS + delayMs);
}

/** Handles a request that has reached the API server, and sends the reply. */
export function sendRequest(number: number, process: ManagerProcess, setup: ManagerSetup): void {
  const sent = process.memory.requests.get(String(number));
  if (sent === undefined) return;
  const { request } = sent;
  const fate = setup.faults.getRequestFate(request, number, process.now);
  const { crash: death, downMs = 0, rejection, hasConflictingWrite, replyLost } = fate;
  if (death === "Before") {
    crashManager(downMs, process);
    return;
  }
  if (hasConflictingWrite) writeAsOtherClient(request, number, process);
  const before = process.revision;
  if (sent.life !== process.memory.life) addNote(process, { kind: "LateRequestNote" });
  const reply = rejection ?? process.request(request);
  if (process.revision > before) recordWrite(sent, process);
  if (death === "After") {
    crashManager(downMs, process);
    return;
  }
  if (rejection !== undefined) {
    const about = { at: process.now, actor: setup.name, request, rejection };
    addNote(process, { kind: "FaultNote", rejectedRequest: about });
  } else if (replyLost) addNote(process, { kind: "FaultNote" });
  const repliedRequest = withMembers(sent, { reply: replyLost ? TIMED_OUT : reply });
  const { requests } = process.memory;
  updateManagerMemory(process, { requests: requests.set(String(number), repliedRequest) });
  process.wake({ action: "Receive", number }, replyLost ? TIMEOUT_MS : LATENCY_MS);
}

/** Consumes a reply that has arrived. `undefined` if the process that sent the request has crashed. */
export function consumeReply(
  number: number,
  process: ManagerProcess,
): (SentRequest & { readonly reply: ServerReply }) | undefined {
  const { requests, life } = process.memory;
  const sent = requests.get(String(number));
  updateManagerMemory(process, { requests: requests.delete(String(number)) });
  return sent !== undefined && isReplied(sent) && sent.life === life ? sent : undefined;
}

function isReplied(sent: SentRequest): sent is SentRequest & { readonly reply: ServerReply } {
  return sent.reply !== undefined;
}

/** Crashes the process, which restarts later. Requests in flight still reach the server. */
function crashManager(downMs: number, process: ManagerProcess): void {
  process.memory = keepAcrossRestart(process.memory);
  addNote(process, { kind: "FaultNote", until: process.now + downMs });
  process.wake({ action: "Start" }, downMs);
}

/** Records a write of a pass. The next pass over the key waits until the cache has it. */
function recordWrite({ key, request }: SentRequest, process: ManagerProcess): void {
  const { memory, revision } = process;
  const id = passId(key);
  const written = withMember(memory.written.get(id) ?? {}, request.object.kind, revision);
  updateManagerMemory(process, { written: memory.written.set(id, written) });
}

/** Writes to the object of a request, as another client does. */
function writeAsOtherClient(
  { object }: ServerRequest,
  number: number,
  process: ManagerProcess,
): void {
  const { kind, metadata } = object;
  const annotations = { "example.com/touched": String(number) };
  const { name, namespace } = metadata ?? {};
  const touched = { kind, metadata: { name, namespace, annotations } as never };
  process.request({ verb: "patch", object: touched }, "another-client");
}
