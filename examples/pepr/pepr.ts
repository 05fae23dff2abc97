import { PeprModule } from "pepr";
import { JobSetWebhooks } from "./capabilities/jobset-webhooks.ts";
import settings from "./package.json";

// The tests use another port. Pepr's Service expects 3000.
const module = new PeprModule(settings, [JobSetWebhooks], { deferStart: true });
if (process.env.PEPR_MODE !== "build") module.start(Number(process.env.PORT ?? 3000));
