import { readCertificate } from "./certificate.ts";
import { runProgram } from "./program.ts";

/** The part of Bun's API that is used here. */
declare const Bun: {
  serve(options: {
    readonly hostname: string;
    readonly port: number;
    readonly tls: { readonly cert: string; readonly key: string };
    readonly fetch: (request: Request) => Promise<Response>;
  }): { stop(): Promise<void> };
};

await runProgram(async (respond, { host, port, certDir }) =>
  Bun.serve({ hostname: host, port, tls: readCertificate(certDir), fetch: respond }),
);
