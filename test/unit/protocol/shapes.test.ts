import assert from 'node:assert/strict';
import fc from 'fast-check';
import { canvasRequests } from '../../../protocol/requests/canvas-requests.ts';
import { clientRequests } from '../../../protocol/requests/client-requests.ts';
import { eventGraphPageRequests } from '../../../protocol/requests/event-graph-requests.ts';
import { fromWebview } from '../../../protocol/shapes/webview-shapes.ts';
import { canvasIntent } from '../../../protocol/shapes/canvas-shapes.ts';
import type { Shape } from '../../../protocol/shapes/shape.ts';
import type { FromWebview } from '../../../protocol/webview-messages.ts';
import type { CanvasIntent } from '../../../protocol/shapes/canvas-shapes.ts';

const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
const request = { method: 'GET', path: '/a', parameters: [{ name: 'a', value: 'b' }], body: '' } as const;

const messages: readonly FromWebview[] = [
  { type: 'ready' },
  { type: 'revealRange', range, file: '/a', quiet: true },
  { type: 'request', id: 1, method: 'edit', params: {} },
  { type: 'cancelRequest', id: 1 },
  { type: 'explore', action: { kind: 'preview', request } },
  { type: 'explore', action: { kind: 'add', request, list: { records: 'a', pagination: { size: 5 }, hasMore: true } } },
  { type: 'explore', action: { kind: 'cancel' } },
  { type: 'entityAction', action: 'import', uri: 'file:///a' },
  { type: 'showRun', id: 3 },
  { type: 'rerun' },
  { type: 'saveRows', name: 'a', format: 'csv', text: '' },
  { type: 'cancel' },
  { type: 'copy', text: 'a' },
];

const mapping = { source: 'a', target: 'b' };
const intents: readonly CanvasIntent[] = [
  { kind: 'selectDataObjects', dataObjects: [{ name: 'a' }, { name: 'a', dataSource: 'b' }] },
  { kind: 'addElement', dataObject: 'a', dataSource: 'b' },
  { kind: 'configureElement', element: 'A', values: { activityName: null, key: ['a'], properties: 'all', joins: '' } },
  { kind: 'configureElement', element: 'A', values: { properties: ['a'], processContext: { links: ['x'] } } },
  {
    kind: 'configureElement',
    element: 'A',
    values: { correlatesWith: [{ key: ['a'], each: 'list' }], ownEntity: false },
  },
  { kind: 'duplicateElement', element: 'A' },
  { kind: 'setGraphText', field: 'description', text: 'Orders' },
  { kind: 'addGraphEntry', list: 'guards' },
  { kind: 'removeGraphEntry', list: 'calendars', index: 1 },
  { kind: 'addRules', rules: [{ name: 'a', each: { entityType: 'b' }, expect: [{ activity: 'A' }], atLeast: '95%' }] },
  { kind: 'acceptFinding', finding: 'midnight-times', element: 'A', reason: 'so' },
  { kind: 'addMasterData', dataObject: 'a' },
  { kind: 'configureMasterData', entry: 'A', values: { name: null, entityType: 'a', properties: 'all' } },
  { kind: 'addRelationship', source: 'A', target: 'B', mappings: [mapping, { expression: '1 = 1' }] },
  {
    kind: 'configureRelationship',
    relationship: 'R',
    values: { crossTable: { sourceMappings: [{ column: 'a', cross: 'b' }], targetMappings: [] }, correlate: null },
  },
  { kind: 'remove', elements: [], relationships: ['R'] },
  { kind: 'remove', elements: ['A'], relationships: [], correlations: [{ element: 'B', index: 0 }] },
];

/** Invalid messages, and the errors. */
const wrong: readonly (readonly [message: unknown, said: RegExp])[] = [
  [undefined, /^The message is missing: it must be an object\.$/],
  [null, /^The message must be an object, not null\.$/],
  [[], /^The message must be an object, not a list\.$/],
  [{}, /^"type" is missing: it must be one of "ready", /],
  [{ type: 'toString' }, /^"type" must be one of .*, not "toString"\.$/],
  [{ type: '__proto__' }, /^"type" must be one of /],
  [{ type: 'request', id: 1.5, method: 'edit' }, /^"id" must be a whole number of at least 0, not 1\.5\.$/],
  [{ type: 'copy', text: { toString: 'x' } }, /^"text" must be a text, not an object\.$/],
  [{ type: 'revealRange', range: { start: range.start } }, /^"range\.end" is missing: it must be an object\.$/],
  [{ type: 'entityAction', action: 'constructor' }, /^"action" must be one of .*, not "constructor"\.$/],
  [
    { type: 'explore', action: { kind: 'send', request: { ...request, parameters: [{ name: 1, value: '' }] } } },
    /^"action\.request\.parameters\.0\.name" must be a text, not 1\.$/,
  ],
];

describe('message shapes', () => {
  for (const message of messages) {
    it(`${JSON.stringify(message).slice(0, 60)} is accepted from a webview`, () =>
      assert.equal(fromWebview(message, ''), undefined));
  }
  for (const intent of intents) {
    it(`${JSON.stringify(intent).slice(0, 60)} is accepted as an intent`, () =>
      assert.equal(canvasIntent(intent, ''), undefined));
  }
  for (const [message, said] of wrong) {
    it(`${JSON.stringify(message)} is rejected`, () => assert.match(fromWebview(message, '') ?? '', said));
  }

  it('never throw for any value', () => {
    const shapes: readonly Shape<unknown>[] = [
      ...Object.values({ ...canvasRequests, ...eventGraphPageRequests }).map(({ params }) => params),
      ...Object.values(clientRequests).map(({ result }) => result),
      fromWebview,
    ];
    fc.assert(
      fc.property(fc.constantFrom(...shapes), fc.anything(), (shape, value) => {
        const mistake = shape(value, '');
        assert.ok(
          mistake === undefined || /^(?:The message|"[^]*") (?:must be|is missing: it must be) [^]+\.$/.test(mistake),
          mistake,
        );
      }),
      { numRuns: 3000 },
    );
  });
});
