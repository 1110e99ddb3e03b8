import assert from 'node:assert/strict';
import { distributeOnCitus } from '../../../server/src/connectors/postgresql/distribute-on-citus.ts';
import { duckdbBuild, sourceBuildDialect } from '../../../server/src/import/build/build-dialect.ts';
import { compileDistribution } from '../../../server/src/import/build/distribute-tables.ts';

describe('distribution of graph tables over cluster nodes', () => {
  const graph = {
    elements: [{ plan: { number: 1, ownEntity: true } }, { plan: { number: 2, ownEntity: true } }],
    entities: [{ plan: { number: 1 } }],
  };

  it('is skipped on a single node', () => {
    assert.deepEqual(compileDistribution(graph, duckdbBuild), []);
    assert.deepEqual(compileDistribution(graph, sourceBuildDialect('postgresql', ['ekg'])), []);
  });

  it('colocates the rows of an entity on Citus, and properties with their event', () => {
    const steps = compileDistribution(
      graph,
      sourceBuildDialect('postgresql', ['my "ekg"'], { distribute: distributeOnCitus }),
    );
    assert.deepEqual(
      steps.map(({ name, title }) => `${name}: ${title}`),
      [
        'spread_entity: Spreads entity over the nodes by id',
        'spread_event: Spreads event over the nodes by entity_id',
        'spread_relation: Spreads relation over the nodes by source_entity_id',
        'spread_event_entity: Spreads event_entity over the nodes by entity_id',
        'spread_directly_follows: Spreads directly_follows over the nodes by entity_id',
        'spread_properties_1: Spreads properties_1 over the nodes by event_id',
        'spread_properties_2: Spreads properties_2 over the nodes by event_id',
        'spread_entity_properties_1: Spreads entity_properties_1 over the nodes by entity_id',
      ],
    );
    assert.equal(
      steps[1]?.sql,
      `SELECT create_distributed_table('"my ""ekg""".event', 'entity_id', colocate_with => '"my ""ekg""".entity');
SELECT truncate_local_data_after_distributing_table('"my ""ekg""".event')`,
    );
  });

  it('distributes events by their own id when some have no entity', () => {
    const steps = compileDistribution(
      { elements: [{ plan: { number: 1, ownEntity: false } }], entities: [] },
      sourceBuildDialect('postgresql', ['ekg'], { distribute: distributeOnCitus }),
    );
    assert.ok(steps.some(({ title }) => title === 'Spreads event over the nodes by id'));
  });
});
