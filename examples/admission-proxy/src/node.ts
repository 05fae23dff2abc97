import process from "node:process";
import { isMainThread } from "node:worker_threads";
import { serveOverTls } from "./node-server.ts";
import { readOptions } from "./options.ts";
import { runProgram } from "./program.ts";
import { admissionProxy } from "./proxy.ts";
import { answerReviews, reviewsInThread } from "./review-thread.ts";

// The thread of the reviews runs the same file, with the same options.
if (isMainThread) {
  const file = new URL(import.meta.url);
  await runProgram((answer, options) => serveOverTls(reviewsInThread(file, answer), options));
} else {
  answerReviews(admissionProxy(readOptions(process.argv.slice(2), process.env).proxy));
}
