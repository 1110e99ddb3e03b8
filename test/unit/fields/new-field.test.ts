import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Shapes from '../../../protocol/shapes/canvas-shapes.ts';
import type { CanvasIntent } from '../../../protocol/shapes/canvas-shapes.ts';
import type * as ToGraphView from '../../../server/src/language/to-graph-view.ts';
import type * as Complete from '../../../server/src/language/completion/complete.ts';
import type * as InlayHints from '../../../server/src/language/inlay-hints.ts';
import type * as SemanticTokens from '../../../server/src/language/semantic-tokens.ts';
import type * as EditGraph from '../../../server/src/model/edits/edit-graph.ts';
import type * as ParseModel from '../../../server/src/model/parse-model.ts';
import type * as ElementQuery from '../../../server/src/query/element-query.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { toEnd } from '../../../server/src/model/steps.ts';
import { withCursor } from '../language/marked-text.ts';
import { catalog, sources } from '../language/shop-catalog.ts';

const root = join(import.meta.dirname, '../../..');

/** The rows that a field costs, in the table of its entry. */
const rows = {
  'process-context': `  approver: { type: 'text', label: 'Approver', description: 'Who approves it.' },\n`,
  element: `  priority: { type: 'column', label: 'Priority', counts: 'value', description: 'Orders urgent events first.' },\n`,
  relationship: `  purpose: { type: 'text', label: 'Purpose', description: 'Why it matters.' },\n`,
};

const text = `version: 1
dataSource: shop
dataObjects: [orders]
elements:
  - activityName: Place Order
    dataObject: orders
    startTimestamp: placed_at
    priority: customer_id
    processContext: { approver: Ann }
relationships:
  - source: Place Order
    target: Place Order
    mappings: [{ source: id }]
    purpose: Loops
`;

describe('a new field', () => {
  let copy: string;
  const load = async <Module>(path: string): Promise<Module> =>
    (await import(pathToFileURL(join(copy, path)).href)) as Module;
  const parsed = async (): Promise<ParseModel.ParsedEntityGraph> =>
    (await load<typeof ParseModel>('server/src/model/parse-model.ts')).parseEntityGraph(text);
  const entry = async () => (await parsed()).graph.elements[0] ?? assert.fail();

  before('adds three rows to a copy of the sources', () => {
    copy = mkdtempSync(join(tmpdir(), 'eg-new-field-'));
    for (const folder of ['protocol', 'server/src', 'schemas', 'scripts', 'package.json']) {
      cpSync(join(root, folder), join(copy, folder), { recursive: true });
    }
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
    for (const [table, row] of Object.entries(rows)) {
      const path = join(copy, 'protocol/fields', `${table}.ts`);
      writeFileSync(path, readFileSync(path, 'utf8').replace('} as const', `${row}} as const`));
    }
    execFileSync(process.execPath, [join(copy, 'scripts/schemas.mjs')]);
  });

  after(() => rmSync(copy, { recursive: true, force: true }));

  it('is in the schema', () => {
    const { definitions } = JSON.parse(readFileSync(join(copy, 'schemas/entity-graph.schema.json'), 'utf8')) as {
      definitions: Record<string, { properties: Record<string, unknown> }>;
    };
    assert.deepEqual(definitions['processContext']?.properties['approver'], {
      description: 'Who approves it.',
      type: 'string',
    });
    assert.deepEqual(definitions['element']?.properties['priority'], {
      description: 'Orders urgent events first.',
      type: 'string',
    });
    assert.ok(definitions['relationship']?.properties['purpose']);
  });

  it('is read, and is a value of the dialog', async () => {
    const { toGraphView } = await load<typeof ToGraphView>('server/src/language/to-graph-view.ts');
    const { elements, relationships } = toGraphView(await parsed(), { uri: 'file:///shop.entity-graph', version: 1 });
    // Unfinished mappings are values of the dialog, too.
    assert.deepEqual(relationships[0]?.values, {
      source: 'Place Order',
      target: 'Place Order',
      mappings: [{ source: 'id', target: '' }],
      purpose: 'Loops',
    });
    assert.deepEqual(elements[0]?.values, {
      activityName: 'Place Order',
      dataObject: 'orders',
      startTimestamp: 'placed_at',
      priority: 'customer_id',
      processContext: { approver: 'Ann' },
    });
  });

  it('is checked and written when the dialog changes it', async () => {
    const values = { priority: 'id', processContext: { approver: 'Bo' } };
    const intent = { kind: 'configureElement', element: 'Place Order', values } as const;
    const { canvasIntent } = await load<typeof Shapes>('protocol/shapes/canvas-shapes.ts');
    assert.equal(canvasIntent(intent, ''), undefined);
    assert.equal(
      canvasIntent({ ...intent, values: { processContext: { approver: 1 } } }, ''),
      '"values.processContext.approver" must be a text, not 1.',
    );
    const { editGraph } = await load<typeof EditGraph>('server/src/model/edits/edit-graph.ts');
    const edit = editGraph({ text }, intent);
    assert.ok('edits' in edit);
    assert.equal(
      applyEdits(text, edit.edits),
      text.replace('priority: customer_id', 'priority: id').replace('Ann', 'Bo'),
    );
    const [relationship, purpose] = ['Place Order → Place Order', 'Shows repeats'] as const;
    const ofRelationship = { kind: 'configureRelationship', relationship, values: { purpose } } as const;
    assert.equal(canvasIntent(ofRelationship, ''), undefined);
    const changed = editGraph({ text }, ofRelationship as CanvasIntent);
    assert.ok('edits' in changed);
    assert.equal(applyEdits(text, changed.edits), text.replace('Loops', purpose));
  });

  it('is completed: its key, and columns for its value', async () => {
    const { completeEntityGraph } = await load<typeof Complete>('server/src/language/completion/complete.ts');
    const { parseEntityGraph } = await load<typeof ParseModel>('server/src/model/parse-model.ts');
    const labels = (marked: string): readonly string[] => {
      const { text: before, offset } = withCursor(marked);
      return completeEntityGraph({ parsed: parseEntityGraph(before), sources, catalog }, offset)
        .toSorted((left, right) => ((left.sortText ?? left.label) < (right.sortText ?? right.label) ? -1 : 1))
        .map(({ label }) => label);
    };
    assert.deepEqual(labels(text.replace('customer_id', '<|>')).slice(0, 2), ['id', 'customer_id']);
    assert.ok(labels(text.replace('approver: Ann', '<|>')).includes('approver'));
  });

  it('has tokens and a type hint', async () => {
    const { columnTypeHints } = await load<typeof InlayHints>('server/src/language/inlay-hints.ts');
    const { findingGraphTokens, wholeOrder } = await load<typeof SemanticTokens>(
      'server/src/language/semantic-tokens.ts',
    );
    const place = text.indexOf('customer_id');
    const { graph } = await parsed();
    assert.deepEqual(
      columnTypeHints(graph, catalog).find(({ offset }) => offset === place + 'customer_id'.length)?.label,
      'integer',
    );
    const tokens = wholeOrder(toEnd(findingGraphTokens(await parsed(), new WeakMap())));
    assert.equal(tokens.find(({ range }) => range.start === place)?.type, 'property');
  });

  it('is selected by the query, with its value', async () => {
    const { buildElementQuery } = await load<typeof ElementQuery>('server/src/query/element-query.ts');
    const built = buildElementQuery((await parsed()).graph, await entry(), catalog);
    assert.ok('query' in built);
    assert.equal((built.query.roles as unknown as Record<string, unknown>)['priority'], 'customer_id');
    assert.deepEqual(built.query.columns, ['id', 'placed_at', 'customer_id']);
  });
});

describe('the files that name a field', () => {
  const naming = (field: string): readonly string[] =>
    execFileSync(
      'git',
      ['grep', '-lw', field, '--', 'protocol', 'schemas', 'l10n', 'server/src', 'client/src', 'webview/src'],
      {
        cwd: root,
        encoding: 'utf8',
      },
    )
      .trim()
      .split('\n');

  it('are three for one that documents: its row, the generated schema, and where its indentation is guessed', () => {
    assert.deepEqual(naming('procedures'), [
      'protocol/fields/process-context.ts',
      'schemas/entity-graph.schema.json',
      'server/src/model/missing-list-key.ts',
    ]);
  });
});
