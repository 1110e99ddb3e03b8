import assert from 'node:assert/strict';
import { distributeOnCitus } from '../../../server/src/connectors/postgresql/distribute-on-citus.ts';
import type { BuildDialect } from '../../../server/src/import/build/build-dialect.ts';
import { sourceBuildDialect } from '../../../server/src/import/build/build-dialect.ts';
import { compileBuild } from '../../../server/src/import/build/compile-build.ts';
import type { StagedElement } from '../../../server/src/import/build/staged-element.ts';

/** Only what the statements need. */
function element(number: number, ownEntity: boolean): StagedElement {
  const key = { name: 'k', type: 'text', sense: 'text', nullable: true, stagedAs: 'c1', stagedType: 'text' };
  const start = { ...key, name: 't', sense: 'timestamp', stagedAs: 'c2', stagedType: 'timestamp' };
  return {
    plan: { number, activityName: `A${number}`, entityType: 'a', ownEntity, table: `element_${number}` },
    ...{ rows: 1, columns: [key, start], key: [key], start, correlations: [], properties: [] },
  } as unknown as StagedElement;
}

function stepsOf(dialect: BuildDialect, ownEntity = true, timeZone = 'UTC') {
  const elements = [element(1, true), element(2, ownEntity)];
  const empty = { entities: [], relationships: [], paths: [] };
  return compileBuild({ ...empty, elements, dialect, timeZone, hasRowOrder: false });
}

describe('tables of a build that are distributed from the start', () => {
  const citus = sourceBuildDialect('postgresql', ['ekg'], { distribute: distributeOnCitus('"ekg"') });

  const placesOf = (steps: ReturnType<typeof stepsOf>): readonly string[] =>
    steps.flatMap(({ sql }) => {
      const [, table = '', column = ''] = /create_distributed_table\('(?:"ekg"\.)?(\w+)', '(\w+)'/.exec(sql) ?? [];
      return table === '' ? [] : [`${table}: ${column}`];
    });

  it('are not distributed on a single node', () => {
    const single = stepsOf(sourceBuildDialect('postgresql', ['ekg']));
    assert.deepEqual(placesOf(single), []);
    assert.ok(single.every(({ sql }) => !sql.includes('WITH NO DATA')));
  });

  it('are distributed by row, key, range or entity, as the next statement needs them', () => {
    assert.deepEqual(placesOf(stepsOf(citus)), [
      ...['rows_1: row', 'keyed_1: key', 'rows_2: row', 'keyed_2: key'],
      ...['made_keys: key', 'entity_keys: key', 'entity_keys_placed: part', 'entity: id', 'entity_of_key: key'],
      ...['tied_1: row', 'ties_1: key', 'tied_2: row', 'ties_2: key'],
      ...['unranked: row', 'unranked_placed: part', 'ranked: row', 'event: entity_id'],
      ...['properties_1: event_id', 'properties_2: event_id'],
      ...['joined_pairs: source_entity_id', 'relation: source_entity_id'],
      ...['event_entity: entity_id', 'directly_follows: entity_id'],
    ]);
  });

  it('have events by their own id when some have no entity', () => {
    const places = placesOf(stepsOf(citus, false));
    assert.ok(places.includes('event: id'));
    assert.ok(places.includes('ties_2: row'));
    assert.ok(places.includes('correlated_events: event_id'));
  });

  it('are created without common table expressions in the value of a row, which Citus refuses', () => {
    const sqls = stepsOf(citus, true, 'Europe/Berlin').map(({ sql }) => sql);
    assert.ok(sqls.some((sql) => sql.includes("timezone('Europe/Berlin'")));
    assert.ok(sqls.every((sql) => !sql.includes('WITH given')));
  });
});
