import assert from 'node:assert/strict';
import { completeDataSources } from '../../../server/src/language/completion/complete-data-sources.ts';
import { completeEntityGraph } from '../../../server/src/language/completion/complete.ts';
import type { CompletionProposal } from '../../../server/src/language/completion/completion-proposal.ts';
import { withoutStops } from '../../../server/src/language/completion/snippet-text.ts';
import { parseDataSources } from '../../../server/src/model/parse-data-sources.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { withCursor } from './marked-text.ts';
import { catalog, sources } from './shop-catalog.ts';

const order = '{ "activityName": "A", "dataObject": "orders", "startTimestamp": "placed_at" }';
const customer = '{ "activityName": "B", "dataObject": "customers", "startTimestamp": "since" }';
const graph = (more: string): string =>
  `{\n  "version": 1,\n  "dataSource": "shop",\n  "elements": [\n    ${order},\n    ${customer}\n  ]${more}\n}\n`;
const element = (marked: string): string => graph('').replace(customer, marked);
const relationship = (marked: string): string => graph(`,\n  "relationships": [\n    ${marked}\n  ]`);
const source = (marked: string): string => `{\n  "version": 1,\n  "dataSources": {\n    ${marked}\n  }\n}\n`;

/**
 * The cursor's position, the chosen proposal, and the resulting line; the complete JSON text if anything else changes.
 */
const cases: readonly (readonly [marked: string, label: string, line: string])[] = [
  [graph(',\n  <|>'), 'relationships', '"relationships": [$0]'],
  [graph(',\n  "<|>"'), 'import', '"import": { $0 }'],
  [graph('').replace('"dataSource"', '<|>\n  "dataSource"'), 'name', '"name": "$0",'],
  [graph('').replace('"dataSource"', '"na<|>"\n  "dataSource"'), 'name', '"name": "$0",'],
  [element('{ "activityName": "B", <|> }'), 'dataObject', '{ "activityName": "B", "dataObject": "$0" }'],
  [element('{ "activityName": "B", "da<|>" }'), 'dataObject', '{ "activityName": "B", "dataObject": "$0" }'],
  [element('{ "activityName": "B", "da<|> }'), 'dataObject', '{ "activityName": "B", "dataObject": "$0" }'],
  [element('{ "activityName": "B", "<|>": "x" }'), 'dataObject', '{ "activityName": "B", "dataObject": "x" }'],
  [graph(',\n  "import": { <|> }'), 'engine', '"import": { "engine": "$0" }'],
  [graph(',\n  "import": { "engine": <|> }'), 'embedded', '"import": { "engine": "embedded" }'],
  [graph('').replace('"shop",', '<|>'), 'shop', '"dataSource": "shop",'],
  [
    element('{ "dataObject": "orders", "properties": <|> }'),
    'note',
    '{ "dataObject": "orders", "properties": ["note"] }',
  ],
  [element('{ "dataObject": "orders", "properties": <|> }'), 'all', '{ "dataObject": "orders", "properties": "all" }'],
  [
    element('{ "dataObject": "orders", "properties": ["id", <|>] }'),
    'note',
    '{ "dataObject": "orders", "properties": ["id", "note"] }',
  ],
  [
    element('{ "dataObject": "orders", "properties": ["id"<|>] }'),
    'note',
    '{ "dataObject": "orders", "properties": ["id", "note"] }',
  ],
  [element('{ "dataObject": "orders", "where": <|> }'), 'note', '{ "dataObject": "orders", "where": "note" }'],
  [relationship('{ "source": <|> }'), 'A', '{ "source": "A" }'],
  [relationship('{ "source": "<|> }'), 'A', '{ "source": "A" }'],
  [relationship('{ "source": "A", "correlate": "<|>" }'), 'both', '{ "source": "A", "correlate": "both" }'],
  [
    relationship('{ "source": "A", "target": "B", "mappings": [<|>] }'),
    'id = id',
    '{ "source": "A", "target": "B", "mappings": [{ "source": "id", "target": "id" }] }',
  ],
  [source('"a": { "kind": <|> }'), 'csv', '"a": { "kind": "csv" }'],
  [source('"a": { "kind": "csv", "<|>" }'), 'path', '"a": { "kind": "csv", "path": "$0" }'],
  [source('"a": { "kind": "csv", "header": <|> }'), 'true', '"a": { "kind": "csv", "header": true }'],
];

/** Where whole entries may be added: after what, before what, and the proposals. */
const entries: readonly (readonly [marked: string, label: string, entry: string])[] = [
  [element('<|>'), 'New element', '{"activityName":"","dataObject":"","startTimestamp":""}'],
  [
    graph('').replace(order, `<|>\n    ${order}`),
    'New element',
    '{"activityName":"","dataObject":"","startTimestamp":""}',
  ],
  [relationship('<|>'), 'New relationship', '{"source":"","target":"","mappings":[{"source":"","target":""}]}'],
  [relationship('{ "source": "A", "target": "B", "mappings": [<|>] }'), 'New mapping', '{"source":"","target":""}'],
  [source('<|>'), 'New source of files', '"name":{"kind":"csv","path":"data/*.csv"}'],
  [
    source('<|>'),
    'New PostgreSQL source',
    '"name":{"kind":"postgresql","host":"localhost","database":"","user":"","password":"${secret:name}"}',
  ],
];

describe('completion in JSON files', () => {
  for (const [marked, label, line] of cases) {
    it(`inserts ${line} for ${label}`, () => {
      const { text, proposals } = proposalsAt(marked);
      const after = taken(text, proposals, label);
      assert.ok(
        after.split('\n').some((each) => each.trim().replace(/,$/, '') === line.replace(/,$/, '')),
        after,
      );
      for (const each of proposals) assertJson(taken(text, proposals, each.label), each.label);
    });
  }

  for (const [marked, label, entry] of entries) {
    it(`inserts whole entries: ${label} in ${marked
      .split('\n')
      .find((line) => line.includes('<|>'))
      ?.trim()}`, () => {
      const { text, proposals } = proposalsAt(marked);
      const written = JSON.stringify(assertJson(taken(text, proposals, label), label));
      assert.ok(written.includes(entry), written);
    });
  }

  it('offers no whole entry inside an entry', () => {
    for (const marked of [element('{ <|> }'), element('"<|>"'), graph(',\n  <|>')]) {
      assert.deepEqual(
        proposalsAt(marked).proposals.filter(({ label }) => label.startsWith('New ')),
        [],
      );
    }
  });
});

function proposalsAt(marked: string): { readonly text: string; readonly proposals: readonly CompletionProposal[] } {
  const { text, offset } = withCursor(marked);
  const proposals = text.includes('"dataSources"')
    ? completeDataSources({ parsed: parseDataSources(text) }, offset)
    : completeEntityGraph({ parsed: parseEntityGraph(text), catalog, sources }, offset);
  return { text, proposals };
}

function taken(text: string, proposals: readonly CompletionProposal[], label: string): string {
  const proposal = proposals.find((each) => each.label === label);
  assert.ok(proposal, `${label} is not among ${proposals.map((each) => each.label).join(', ')}`);
  return text.slice(0, proposal.replace.start) + proposal.insertText + text.slice(proposal.replace.end);
}

/** With the first choices; values that are not texts are still missing. */
function assertJson(snippet: string, label: string): unknown {
  const text = withoutStops(snippet.replace(/: \$0/, ': 0'));
  try {
    return JSON.parse(text);
  } catch {
    return assert.fail(`${label}: ${text}`);
  }
}
