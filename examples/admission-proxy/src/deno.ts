import { readCertificate } from "./certificate.ts";
import { runProgram } from "./program.ts";

/** As much of Deno as is used here. */
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
  const onListen = () => {}; // else it says so on standard output
  const server = Deno.serve(
    { hostname: host, port, ...readCertificate(certDir), onListen },
    answer,
  );
  return { stop: () => server.shutdown() };
});
