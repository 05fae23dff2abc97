// Headlamp's tools depend on all that Headlamp is made of, 850 MB. A plugin finds that in Headlamp when it runs; what builds
// and checks one is an eighth of it, and only that is installed.
const building = new Set([
  "@headlamp-k8s/pluginctl",
  "@types/react",
  "@types/react-dom",
  "@vitejs/plugin-react",
  "env-paths",
  "fs-extra",
  "table",
  "tar",
  "validate-npm-package-name",
  "vite",
  "vite-plugin-css-injected-by-js",
  "vite-plugin-node-polyfills",
  "vite-plugin-static-copy",
  "vite-plugin-svgr",
  "yargs",
]);

module.exports = {
  hooks: {
    readPackage(manifest) {
      if (manifest.name !== "@kinvolk/headlamp-plugin") return manifest;
      const needed = Object.entries(manifest.dependencies).filter(([name]) => building.has(name));
      return { ...manifest, dependencies: Object.fromEntries(needed) };
    },
  },
};
