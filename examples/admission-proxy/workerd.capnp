# The proxy as a worker, in a Pod of the cluster. Beside this file lie worker.mjs, which bundle.mjs makes, the
# certificate tls.crt with its key tls.key, and ca.crt, the cluster's authority; workerd reads them when it starts.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "proxy", worker = .proxy),
    (
      name = "api-server",
      external = (
        address = "kubernetes.default.svc:443",
        https = (
          certificateHost = "kubernetes.default.svc",
          tlsOptions = (trustedCertificates = [embed "ca.crt"]),
        ),
      ),
    ),
    # Read again each time, for the token in it is renewed.
    (name = "service-account", disk = (path = "/var/run/secrets/kubernetes.io/serviceaccount")),
  ],
  sockets = [
    (
      name = "webhooks",
      address = "*:9443",
      service = "proxy",
      https = (
        tlsOptions = (
          keypair = (certificateChain = embed "tls.crt", privateKey = embed "tls.key"),
        ),
      ),
    ),
  ],
);

const proxy :Workerd.Worker = (
  modules = [(name = "worker.mjs", esModule = embed "worker.mjs")],
  compatibilityDate = "2026-01-01",
  bindings = [
    (name = "API_SERVER", service = "api-server"),
    (name = "SERVER", text = "https://kubernetes.default.svc"),
    (name = "SERVICE_ACCOUNT", service = "service-account"),
    (name = "FEATURE_GATES", text = ""),
    (name = "FAILURE_POLICY", text = "Fail"),
    (name = "UPSTREAM_MESSAGES", text = "false"),
  ],
);
