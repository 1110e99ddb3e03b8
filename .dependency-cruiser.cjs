/**
 * Who may import whom. A new direction is a commit of its own that changes this table and docs/architecture/rooms.md together.
 */

const { existsSync, readdirSync } = require('node:fs');
const { join } = require('node:path');

/** Every room of the server and the rooms that it may import beside itself and `protocol`. */
const pure = [
  'model',
  'catalog',
  'dialects',
  'query',
  'lineage',
  'rule-kinds',
  'measure-kinds',
  'language',
  'draft',
  'graph-tests',
];
const below = [
  'model',
  'catalog',
  'dialects',
  'query',
  'graph-schema',
  'files',
  'connectors',
  'store',
  'state',
  'export',
];
/** Descriptors of source kinds; their connectors are loaded on first use. */
const sourceKinds = 'connectors/(source-kinds?|sources-schema)';
const serverRooms = {
  model: [],
  catalog: ['model'],
  dialects: ['model', 'catalog'],
  query: ['model', 'catalog', 'dialects'],
  'rule-kinds': ['model', 'dialects', 'query/sql-tokens'],
  'measure-kinds': ['model', 'dialects', 'rule-kinds'],
  lineage: ['model', 'catalog', 'dialects', 'query'],
  draft: ['model', 'catalog', 'dialects'],
  language: ['model', 'catalog', 'dialects', 'query', 'lineage', 'rule-kinds', 'measure-kinds', sourceKinds],
  'graph-tests': ['model', 'catalog', 'dialects', 'query', 'language', 'connectors/utc-text'],
  sql: ['model', 'dialects', 'query', 'language/sql', sourceKinds],
  'graph-schema': [],
  'code-cache': ['files'],
  files: [],
  connectors: [
    ...['model', 'catalog', 'dialects', 'query', 'files', 'store', 'event-logs', 'draft/draft-model'],
    ...['state/(status-file|state-folder|inside-state-folder|entity-id)', 'sql/syntax-tree'],
  ],
  store: ['model', 'catalog', 'dialects'],
  state: ['model', 'catalog', 'files'],
  export: ['model', 'dialects', 'query', 'graph-schema', 'store', 'event-logs'],
  'event-logs': ['dialects', 'store'],
  check: ['dialects', 'graph-schema', 'store', 'event-logs'],
  analysis: ['model', 'dialects', 'query', 'rule-kinds', 'measure-kinds', 'graph-schema', 'store', 'process-rules'],
  'graph-changes': ['query', 'graph-schema', 'store', 'analysis/variant-sql'],
  'event-graph': ['model', 'dialects', 'graph-schema', 'store', 'process-rules', 'analysis', 'findings', 'code-cache'],
  findings: ['model', 'dialects', 'graph-schema', 'store', 'analysis/event-place'],
  'process-rules': ['model', 'dialects', 'query', 'rule-kinds', 'measure-kinds', 'graph-schema', 'store'],
  import: [...below, 'rule-kinds'],
  project: [...pure, 'files', 'connectors', 'state'],
  engine: [...below, 'event-graph', 'import', 'project', 'operations', 'language/sql'],
  operations: [
    ...below,
    'event-logs',
    'check',
    'analysis',
    'graph-changes',
    'lineage',
    'event-graph',
    'rule-kinds',
    'measure-kinds',
    'process-rules',
    'findings',
    'draft',
    'language',
    'graph-tests',
    'sql',
    'import',
    'project',
    'engine',
  ],
  lsp: [
    ...pure,
    'sql',
    'files',
    'services',
    'operations',
    'project',
    'engine',
    'connectors/(source-error|connector-context|permit-use|source-kinds?)',
  ],
  mcp: ['project/(list-entity-files|allowed-values)', 'files/(write-atomic|follow-links)', 'cli/terminal'],
  cli: [
    ...pure,
    'services',
    'operations',
    'project',
    'engine',
    'export',
    'files',
    'state',
    'connectors/(source-error|connector-context|permit-use|source-kinds?)',
  ],
};

const roomRules = Object.entries(serverRooms).map(([room, allowed]) => ({
  name: `room-${room}`,
  comment: `server/src/${room} may import only ${['itself', 'protocol', ...allowed].join(', ')}.`,
  severity: 'error',
  from: { path: `^server/src/${room}/` },
  to: {
    path: '^(server|client|webview|test|bench|scripts)/',
    pathNot: [room, ...allowed].map((name) => `^server/src/${name}[/.]`),
  },
}));

/** The source kinds, by their folders. Shared code of kinds, such as `http/`, has no description of a kind. */
const connectors = join(__dirname, 'server/src/connectors');
const kinds = readdirSync(connectors).filter((name) => existsSync(join(connectors, name, 'source-kind.ts')));

/** What is true of one kind stays in its folder: all others ask its description, which the registry lists. */
const registry = '^server/src/connectors/source-kinds[.]ts$';
const kindRules = kinds.map((kind) => ({
  name: `kind-${kind}`,
  comment: `Ask the description of the kind (server/src/connectors/source-kind.ts) instead of server/src/connectors/${kind}.`,
  severity: 'error',
  from: { path: '^server/src/', pathNot: [`^server/src/connectors/${kind}/`, registry] },
  to: { path: `^server/src/connectors/${kind}/` },
}));
const registryRule = {
  name: 'registry-of-kinds',
  comment: 'server/src/connectors/source-kinds.ts imports the description of a kind and nothing else of it.',
  severity: 'error',
  from: { path: registry },
  to: { path: `^server/src/connectors/(${kinds.join('|')})/`, pathNot: '/source-kind[.]ts$' },
};

/** A program of its own imports nothing of the other programs but their shared types. */
const programRule = (program, allowed) => ({
  name: `program-${program}`,
  comment: `${program} may import only ${allowed.length ? allowed.join(' and ') : 'nothing'} of this project.`,
  severity: 'error',
  from: { path: `^${program}/` },
  to: {
    path: '^(protocol|server|client|webview|test|bench|scripts)/',
    pathNot: [program, ...allowed].map((name) => `^${name}/`),
  },
});

module.exports = {
  forbidden: [
    ...roomRules,
    ...kindRules,
    registryRule,
    programRule('protocol', []),
    programRule('client', ['protocol']),
    programRule('webview', ['protocol']),
    programRule('server', ['protocol']),
    {
      name: 'protocol-has-no-packages',
      comment: 'protocol is types, names and how data is escaped: it imports no package and nothing of Node.',
      severity: 'error',
      from: { path: '^protocol/' },
      to: { pathNot: '^protocol/' },
    },
    {
      name: 'duckdb-in-store',
      comment: 'Only server/src/store imports DuckDB.',
      severity: 'error',
      from: { path: '^(client|webview|server)/', pathNot: '^server/src/store/' },
      to: { path: '@duckdb/' },
    },
    {
      name: 'sqlite-in-store',
      comment: 'Only server/src/store imports SQLite.',
      severity: 'error',
      from: { path: '^(client|webview|server)/', pathNot: '^server/src/store/' },
      to: { path: ['node-sqlite3-wasm', '@photostructure/sqlite'] },
    },
    {
      name: 'postgresql-in-connector',
      comment: 'Only the PostgreSQL connector speaks to PostgreSQL.',
      severity: 'error',
      from: { path: '^(client|webview|server)/', pathNot: '^server/src/connectors/postgresql/' },
      to: { path: 'node_modules/((@types/)?(pg|pg-copy-streams)|@electric-sql)/' },
    },
    {
      name: 'toolkit-in-ui',
      comment: 'The archived webview toolkit is imported by webview/src/ui alone.',
      severity: 'error',
      from: { path: '^webview/', pathNot: '^webview/src/ui/' },
      to: { path: '@vscode/webview-ui-toolkit' },
    },
    {
      name: 'client-knows-no-yaml-and-no-sql',
      comment: 'The client leaves YAML and SQL to the server.',
      severity: 'error',
      from: { path: '^client/' },
      to: { path: 'node_modules/(@types/)?(yaml|pg|pg-copy-streams|ajv)/' },
    },
    {
      name: 'vscode-in-client',
      comment: 'Only the client knows VS Code.',
      severity: 'error',
      from: { path: '^(protocol|server|webview)/' },
      to: { path: '^vscode$|node_modules/(@types/vscode|vscode-languageclient)/' },
    },
    {
      name: 'language-server-in-lsp',
      comment: 'Only server/src/lsp speaks the protocol; language features use its plain types.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: '^server/src/lsp/' },
      to: { path: 'node_modules/vscode-languageserver/' },
    },
    {
      name: 'pure-rooms-do-no-io',
      comment: 'The pure rooms do no I/O: a keystroke must not wait for a disk.',
      severity: 'error',
      from: { path: `^server/src/(${[...pure, 'graph-schema'].join('|')})/` },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-circular',
      comment:
        'Modules form no circle, imports of types included: a part can be read, moved and tested without its users.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'Every import leads to a file.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^vscode$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^[^/]+/dist/' },
    tsPreCompilationDeps: true,
    // Without these two, vscode-languageserver/node and its like do not resolve.
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
