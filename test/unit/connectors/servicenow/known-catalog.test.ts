import assert from 'node:assert/strict';
import type { Catalog } from '../../../../server/src/catalog/catalog.ts';
import { asCached, withoutCached } from '../../../../server/src/connectors/servicenow/catalog/introspect.ts';

const hidden = 'The user may not read what the dictionary says of these columns of incident.';

const known: Catalog = {
  dataSource: 'itsm',
  kind: 'servicenow',
  dialect: 'duckdb',
  objects: [],
  complete: true,
  readAt: '2026-03-04T05:06:07.000Z',
  warnings: [hidden],
};

const kept = (cancelled: string): string =>
  `The instance cancels queries of its dictionary, as they take longer than it allows (${cancelled}): all is as it was on 2026-03-04.`;

describe('cached ServiceNow catalog when the dictionary is not readable', () => {
  it('adds a warning to the existing ones', () => {
    assert.deepEqual(asCached(known, ['columns']).warnings, [hidden, kept('columns')]);
  });

  it('adds the warning once', () => {
    const again = asCached(asCached(known, ['columns']), ['choices', 'columns']);
    assert.deepEqual(again.warnings, [hidden, kept('choices, columns')]);
  });

  it('removes the warning that nothing was known', () => {
    const outdatedBecause = withoutCached(['columns']);
    const first = { ...known, warnings: [outdatedBecause, hidden], outdatedBecause };
    assert.deepEqual(asCached(first, ['choices']).warnings, [hidden, kept('choices')]);
  });
});
