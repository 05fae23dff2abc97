# The smoke suite as a worker. Beside this file lies worker.mjs, which has everything in it.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (services = [(name = "smoke", worker = .smoke)]);

const smoke :Workerd.Worker = (
  modules = [(name = "worker.mjs", esModule = embed "worker.mjs")],
  compatibilityDate = "2026-01-01",
);
