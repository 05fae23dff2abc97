import { readCertificate } from "./certificate.ts";
import { runProgram } from "./program.ts";

/** The part of Deno's API that is used here. */
declare const Deno: {
  serve(
    options: {
      readonly hostname: string;
      readonly port: number;
      readonly cert: string;
      readonly key: string;
      readonly onListen: () => void;
    },
    answer: (request: Request) => Promise<Response>,
  ): { shutdown(): Promise<void> };
};

await runProgram(async (answer, { host, port, certDir }) => {
  const onListen = () => {}; // Without this callback, Deno prints a message to standard output.
  const server = Deno.serve(
    { hostname: host, port, ...readCertificate(certDir), onListen },
    answer,
  );
  return { stop: () => server.shutdown() };
});
