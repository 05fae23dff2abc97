import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { aClient, getListError, list, startServer } from "../testing/a-client.ts";
import {
  clientCertificate,
  expiredCertificate,
  serverCertificate,
} from "../testing/certificates.ts";
import { FakeApiServer } from "../testing/fake-api-server.ts";
import { status } from "../testing/fake-responses.ts";
import { temporaryFolder, writeKubeConfig } from "../testing/kubeconfig.ts";

let server: FakeApiServer;

beforeEach(async () => {
  server = await startServer(new FakeApiServer());
});

describe("credentials", () => {
  const { cert, key } = serverCertificate;
  const base64 = (text: string) => Buffer.from(text).toString("base64");

  it("ApiClient sends a token and reads the certificate authority from a file", async () => {
    const tls = await startServer(new FakeApiServer(serverCertificate));
    const file = join(temporaryFolder(), "ca.crt");
    writeFileSync(file, cert);
    const cluster = { "certificate-authority": file };
    const client = aClient({ url: tls.url, cluster, user: { token: "abc" } });
    expect(await client.send(list)).toMatchObject({ ok: true });
    expect(tls.lastHeaders.authorization).toBe("Bearer abc");
    await client.send(list);
    expect(await tls.openSockets).toBe(1);
  });

  it("ApiClient uses a client certificate and an authority from inline data", async () => {
    const ca = clientCertificate.cert;
    const tls = await startServer(
      new FakeApiServer({ cert, key, ca, requestCert: true, rejectUnauthorized: true }),
    );
    const cluster = { "certificate-authority-data": base64(cert) };
    const user = {
      "client-certificate-data": base64(clientCertificate.cert),
      "client-key-data": base64(clientCertificate.key),
    };
    expect(await aClient({ url: tls.url, cluster, user }).send(list)).toMatchObject({ ok: true });
    expect(await aClient({ url: tls.url, cluster }).send(list)).toMatchObject({ ok: false });
  });

  it("ApiClient verifies the server certificate unless the kubeconfig disables it", async () => {
    const tls = await startServer(new FakeApiServer(serverCertificate));
    const { message } = await getListError(aClient({ url: tls.url, cluster: {} }));
    // Newer releases of Node append advice.
    const [cause] = message.split(";");
    expect(cause).toBe(`${tls.url} cannot be reached: self-signed certificate`);
    expect(await aClient({ url: tls.url }).send(list)).toMatchObject({ ok: true });
  });

  it("ApiClient reports an expired server certificate", async () => {
    const tls = await startServer(new FakeApiServer(expiredCertificate));
    const cluster = { "certificate-authority-data": base64(expiredCertificate.cert) };
    const client = aClient({ url: tls.url, cluster });
    const { message } = await getListError(client);
    expect(message).toBe(`${tls.url} cannot be reached: certificate has expired`);
  });

  it("credentials in a missing file are reported with the file name, and used once the file exists", async () => {
    const tls = await startServer(new FakeApiServer(serverCertificate));
    const file = join(temporaryFolder(), "ca.crt");
    const client = aClient({ url: tls.url, cluster: { "certificate-authority": file } });
    expect((await getListError(client)).message).toContain(
      `ENOENT: no such file or directory, open '${file}'`,
    );
    writeFileSync(file, cert);
    expect(await client.send(list)).toMatchObject({ ok: true });
  });

  it("ApiClient reloads the credentials after a 401 response, once per request", async () => {
    const file = join(temporaryFolder(), "config");
    const client = aClient({ url: server.url, file, user: { token: "old" } });
    const unauthorized = status(401, "Unauthorized", "Unauthorized");
    server.injectFault(/./, (request, response) =>
      request.headers.authorization === "Bearer new"
        ? void response.end("{}")
        : unauthorized(request, response),
    );
    expect(await getListError(client)).toMatchObject({
      code: 401,
      message: `${server.url} returned 401: Unauthorized`,
      isServerResponse: true,
    });
    expect(server.requests).toHaveLength(2);
    writeKubeConfig(file, server.url, { user: { token: "new" } });
    expect(await client.send(list)).toMatchObject({ ok: true });
    await client.send(list);
    expect(server.requests).toHaveLength(5);
  });

  it("ApiClient keeps its credentials if it cannot reload them", async () => {
    const file = join(temporaryFolder(), "config");
    const client = aClient({ url: server.url, file });
    server.injectFault(/./, status(401, "Unauthorized", "Unauthorized"), 1);
    rmSync(file);
    expect(await getListError(client)).toMatchObject({ code: 401 });
  });
});
