// The Headlamp tools depend on all of Headlamp, which is 850 MB. Headlamp provides these packages to plugins at run time, so this
// file removes them from the installation. The rest is enough to build and check a plugin and takes an eighth of the space.
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
