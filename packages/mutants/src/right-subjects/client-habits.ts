import type { CreateController } from "../wrapped-controllers.ts";
import { additionalRequests } from "./additional-requests.ts";
import { clientLibraryHabits } from "./client-library-habits.ts";
import { patchHabits } from "./patch-habits.ts";
import { serializationHabits } from "./serialization-habits.ts";

/** Correct controllers, each with one habit of a client library or a framework. */
export const clientHabits: Readonly<Record<string, CreateController>> = {
  ...clientLibraryHabits,
  ...serializationHabits,
  ...patchHabits,
  ...additionalRequests,
};
