/**
 * The kinds of cases of `npm run soak`: for each test file, or the tests of it whose titles contain a text, how many
 * cases it has at least. Tests count them with `countSoak`.
 */
export const kinds = {
  texts: {
    what: 'texts changed at random and compared with a fresh document',
    files: {
      'unit/model/incremental-yaml › random edits': 60_000,
      'unit/model/incremental-json › random edits': 30_000,
      'unit/language/incremental-validation › after any edits': 10_000,
      'unit/language/focus › right after typing': 1_000,
      'unit/lsp/open-documents': 100,
      'server/fuzz': 1_000,
    },
  },
  edits: {
    what: 'edits written and read again',
    files: {
      'unit/model/edit-graph': 2_500,
      'unit/model/edit-text': 5_000,
      'unit/model/nasty-writers': 25_000,
      'unit/language/nasty-fixes': 25_000,
      'unit/language/changes-of-damage › introduce no problem': 500,
    },
  },
  kills: {
    what: 'programs killed while they wrote',
    files: {
      'engine/kill': 125,
      'engine/killed-writes': 60,
      'engine/cached-rows › cancelled at any moment': 6,
      'engine/source-engine › killed import': 3,
      'server/killed-imports › import killed': 2,
    },
  },
  halts: {
    what: 'servers stopped while they were read',
    files: { 'engine/postgresql-halted': 60, 'engine/reliability › restarted': 1 },
  },
  disks: {
    what: 'full disks',
    files: { 'engine/full-disk': 100, 'engine/reliability › full disk': 7 },
  },
  damage: { what: 'blocks of a row cache damaged', files: { 'engine/damaged-row-cache › is damaged': 40 } },
  clocks: { what: 'imports with a clock that jumps', files: { 'engine/clock': 8 } },
  sizes: { what: 'imports of ten million rows', files: { 'engine/ten-million-rows': 1 } },
  growth: { what: 'imports of twice and four times as much', files: { 'engine/doublings › imports by': 12 } },
  seeds: {
    what: 'seeds of faults and changes during imports',
    files: {
      'engine/servicenow-faults': 320,
      'engine/servicenow-incremental › seeds of changes': 80,
      'engine/rest-shifting-lists › seeds of changes': 40,
      'engine/files-in-parts › any changes of files': 40,
      'engine/postgresql-watermarks › random changes': 40,
      'engine/incremental-import › random': 40,
      'engine/cached-rows › random changes': 40,
    },
  },
  graphs: {
    what: 'random graphs, rules and values in two engines',
    files: {
      'engine/graph-changes › random data and edits': 200,
      'engine/graph-changes › random edits are told by effect': 500,
      'engine/thin-import › random graphs': 200,
      'engine/source-engine › random graphs': 100,
      'engine/process-rules › random rules': 50,
      'engine/source-rules › random rules': 20,
      'engine/postgresql-values › of random content': 50,
      'engine/csv-values › fit every value': 500,
      'engine/json-values › do not depend': 500,
      'engine/text-keys › of random texts': 100,
      'engine/causes › planted causes': 200,
    },
  },
  effects: { what: 'edits of samples told by effect, one by one', files: { 'engine/effect-golden': 32 } },
  logs: {
    what: 'samples exported as event logs, imported from each form and exported again',
    files: { 'engine/log-identity › the sample': 12 },
  },
  pages: {
    what: 'styles, ends and faults of paging in REST interfaces, and charsets',
    files: { 'engine/paging-matrix › loses no row': 4_000 },
  },
  splits: {
    what: 'random graphs split over data sources and compared with the unsplit graph',
    files: { 'databases/split-random': 200 },
  },
  layouts: {
    what: 'random graphs laid out on the canvas and edited',
    files: { 'unit/webview/canvas/no-overlaps': 2_000, 'unit/webview/canvas/room › random graphs': 500 },
  },
  workspaces: {
    what: 'hostile workspaces opened, or malformed messages sent',
    files: { 'server/hostile-workspaces › sends nothing': 200, 'server/malformed-messages › random JSON': 10_000 },
  },
};
