import process from "node:process";
import { isMainThread } from "node:worker_threads";
import { ConditionLog } from "@jobset-ts/controller-runtime";
import { WebhookServer } from "@jobset-ts/controller-runtime/node";
import { readCertificate } from "./certificate.ts";
import { readOptions } from "./options.ts";
import { runProgram } from "./program.ts";
import { admissionProxy } from "./proxy.ts";
import { answerReviews, reviewsInThread } from "./review-thread.ts";

// The review thread runs the same file with the same options.
if (isMainThread) {
  const file = new URL(import.meta.url);
  await runProgram(async (respond, { host, port, certDir }) => {
    readCertificate(certDir); // Fail early if a file is missing.
    const server = new WebhookServer(reviewsInThread(file, respond), certDir, new ConditionLog());
    await server.listen(host, port);
    return { stop: () => server.close() };
  });
} else {
  answerReviews(admissionProxy(readOptions(process.argv.slice(2), process.env).proxy));
}
