import assert from 'node:assert/strict';
import { conflicts, rebased } from '../../../webview/src/dialogs/dialog-draft.ts';
import { elementPatch, missingOf } from '../../../webview/src/dialogs/element-draft.ts';
import { relationshipPatch, draftReason } from '../../../webview/src/dialogs/relationship-draft.ts';
import { alignBoxes } from '../../../webview/src/canvas/align.ts';
import { sqlTokens } from '../../../webview/src/ui/sql-tokens.ts';

describe('dialog changes', () => {
  const before = { activityName: 'Pay', dataObject: 'bills', startTimestamp: 'paid_at', properties: ['a'] };

  it('contain changed fields only, null for removed ones', () => {
    assert.deepEqual(elementPatch(before, { ...before, changeTimestamp: 'x' }), { changeTimestamp: 'x' });
    const { properties: _gone, ...without } = before;
    assert.deepEqual(elementPatch(before, { ...without, where: '' }), { properties: null });
    assert.deepEqual(elementPatch(before, { ...before }), {});
  });

  it('keep concurrent changes of other fields, and report conflicts', () => {
    const mine = { ...before, startTimestamp: 'mine' };
    const theirs = { ...before, activityName: 'Pay Bill', startTimestamp: 'theirs' };
    assert.deepEqual(conflicts(elementPatch, before, mine, theirs), ['startTimestamp']);
    assert.deepEqual(rebased(elementPatch, before, mine, theirs), { ...theirs, startTimestamp: 'mine' });
    assert.deepEqual(conflicts(elementPatch, before, mine, { ...before, activityName: 'Pay Bill' }), []);
  });

  it('are incomplete without name, object and start', () => {
    assert.match(missingOf({}) ?? '', /Activity Name/);
    assert.match(missingOf({ activityName: 'Pay' }) ?? '', /Data Object/);
    assert.match(missingOf({ activityName: 'Pay', dataObject: 'bills' }) ?? '', /Start Timestamp/);
    assert.equal(missingOf(before), undefined);
  });

  it('are incomplete without a complete join', () => {
    assert.match(draftReason({ mappings: [] }) ?? '', /Add a mapping/);
    assert.match(draftReason({ mappings: [{ source: 'a', target: '' }] }) ?? '', /Complete each mapping/);
    assert.match(draftReason({ mappings: [{ expression: ' ' }] }) ?? '', /Complete each mapping/);
    const mapping = { column: 'a', cross: 'b' };
    const cross = { dataObject: 'x', sourceMappings: [mapping], targetMappings: [] };
    assert.match(draftReason({ mappings: [], crossTable: cross }) ?? '', /each side/);
    assert.equal(draftReason({ mappings: [], crossTable: { ...cross, targetMappings: [mapping] } }), undefined);
    assert.equal(draftReason({ mappings: [{ source: 'a', target: 'b' }] }), undefined);
  });

  it('report which join parts both sides changed', () => {
    const join = { mappings: [{ source: 'a', target: 'b' }] };
    const mine = { mappings: [] };
    assert.deepEqual(relationshipPatch(join, { ...join, name: 'n' }), { name: 'n' });
    assert.deepEqual(conflicts(relationshipPatch, join, mine, { ...join, correlate: 'none' }), []);
    assert.deepEqual(conflicts(relationshipPatch, join, mine, { mappings: [{ source: 'c', target: 'd' }] }), [
      'mappings',
    ]);
  });
});

describe('alignment', () => {
  const boxes = new Map([
    ['a', { x: 10, y: 20, width: 100, height: 50 }],
    ['b', { x: 50, y: 90, width: 40, height: 30 }],
  ]);
  const cases = [
    ['left', [10, 20], [10, 90]],
    ['right', [10, 20], [70, 90]],
    ['top', [10, 20], [50, 20]],
    ['bottom', [10, 70], [50, 90]],
    ['row', [10, 20], [150, 20]],
    ['column', [10, 20], [10, 110]],
  ] as const;
  for (const [edge, a, b] of cases) {
    it(edge, () => {
      const corners = alignBoxes(boxes, edge);
      assert.deepEqual(
        [...corners.values()].map(({ x, y }) => [x, y]),
        [a, b],
      );
    });
  }
});

describe('SQL highlighting', () => {
  it('distinguishes words, and keeps the whole text', () => {
    const sql = `a."x y" = 'it''s' AND \`or "b\` >= 1.5 -- why\n/* open`;
    const tokens = sqlTokens(sql);
    assert.equal(tokens.map(({ text }) => text).join(''), sql);
    const kinds = tokens.filter(({ kind }) => kind !== 'other').map(({ kind, text }) => `${kind} ${text}`);
    assert.deepEqual(kinds, [
      'name a',
      'name "x y"',
      `string 'it''s'`,
      'keyword AND',
      'name `or "b`',
      'number 1.5',
      'comment -- why',
      'comment /* open',
    ]);
  });
});
