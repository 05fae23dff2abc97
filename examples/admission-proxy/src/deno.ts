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
    respond: (request: Request) => Promise<Response>,
  ): { shutdown(): Promise<void> };
};

await runProgram(async (respond, { host, port, certDir }) => {
  const onListen = () => {}; // Without this callback, Deno prints a message to standard output.
  const server = Deno.serve(
    { hostname: host, port, ...readCertificate(certDir), onListen },
    respond,
  );
  return { stop: () => server.shutdown() };
});
