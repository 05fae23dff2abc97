import {
  type ControllerSubject,
  createTestClient,
  listAllObjects,
  type ReconcileRequest,
  type TestApiRequest,
  TestApiServer,
} from "@jobset-ts/testing/reconcile";

/**
 * Requests of one pass, changed on their way to the server.
 *
 * @param next - those of the pass after it, if nothing else happens
 */
export type Mutate = (
  requests: readonly TestApiRequest[],
  next: readonly TestApiRequest[],
) => readonly TestApiRequest[];

/** A right controller with changed requests. */
export interface MutatedController {
  readonly controller: ControllerSubject;
  /** Whether it has made a difference yet to what is stored or told. */
  readonly hasEffect: () => boolean;
}

export function mutatedController(right: ControllerSubject, mutate: Mutate): MutatedController {
  let hasEffect = false;
  const controller: ControllerSubject = async (client, pass) => {
    const objects = await listAllObjects(client);
    // What follows depends on what the server says; a server of the same state says the same.
    const server = new TestApiServer(objects, pass.namespace);
    await passOver(server, pass);
    const asked = requestsTo(server);
    const next = mutate.length > 1 ? await nextRequests(server, pass) : [];
    const sent = mutate(asked, next);
    if (!hasEffect && sent !== asked) {
      const other = new TestApiServer(objects, pass.namespace);
      for (const request of sent) other.perform(request);
      hasEffect = effectText(server) !== effectText(other);
    }
    for (const request of sent) await client.send(request);
  };
  return { controller, hasEffect: () => hasEffect };

  async function nextRequests(
    server: TestApiServer,
    pass: ReconcileRequest,
  ): Promise<readonly TestApiRequest[]> {
    const after = new TestApiServer(server.state, pass.namespace);
    after.endDeletions();
    await passOver(after, pass);
    return requestsTo(after);
  }

  /** A pass of which something is refused fails; what it has asked for counts all the same. */
  async function passOver(server: TestApiServer, pass: ReconcileRequest): Promise<void> {
    try {
      await right(createTestClient(server), pass);
    } catch {}
  }
}

function requestsTo({ exchanges }: TestApiServer): readonly TestApiRequest[] {
  return exchanges.map(({ request }) => request);
}

/** What is stored and told in the end, and how deletions were asked for. */
function effectText({ state, exchanges }: TestApiServer): string {
  const deletions = exchanges.flatMap(({ request, outcome }) =>
    request.verb === "delete" ? [[request, outcome.ok]] : [],
  );
  const events = exchanges.flatMap(({ request: { object } }) =>
    object.kind === "Event" ? [object] : [],
  );
  const text = JSON.stringify([state, deletions, events]);
  return text.replace(/"(resourceVersion|uid)":"(made-)?\d+"/g, "");
}
