import assert from 'node:assert/strict';
import { sourceBuildDialect } from '../../../server/src/import/build/build-dialect.ts';
import { compileBuild } from '../../../server/src/import/build/compile-build.ts';
import type { StagedRelationship } from '../../../server/src/import/build/correlations.ts';
import type { StagedElement } from '../../../server/src/import/build/staged-element.ts';
import type { PathPlan } from '../../../server/src/import/plan-paths.ts';

const column = { name: 'k', type: 'text', sense: 'text', nullable: true, stagedAs: 'c1', stagedType: 'text' };
const start = { ...column, name: 't', sense: 'timestamp', stagedAs: 'c2', stagedType: 'timestamp' };

/** Only what the statements need: an element whose rows name entities of these types. */
function element(named: readonly string[]): StagedElement {
  const correlations = named.map((entityType, index) => ({
    number: index + 1,
    plan: { entityType, qualifier: entityType },
    key: [column],
  }));
  return {
    plan: { number: 1, activityName: 'A', entityType: 'a', ownEntity: true, table: 'element_1' },
    ...{ rows: 1, columns: [column, start], key: [column], start, correlations, properties: [] },
  } as unknown as StagedElement;
}

function relationship(number: number): StagedRelationship {
  const query = { columns: ['k'], sourceKey: ['k'], targetKey: ['k'] };
  return {
    plan: {
      ...{ name: `R${number}`, sourceType: 'a', targetType: 'b', correlate: 'both' },
      ...{ table: `relationship_${number}`, query },
    },
    loaded: { columns: [column] },
  } as unknown as StagedRelationship;
}

const path = (number: number): PathPlan =>
  ({
    ...{ name: `P${number}`, sourceType: 'a', targetType: 'b', correlate: 'none', table: `path_${number}` },
    steps: [{ name: 'R1', isReversed: false }],
  }) as unknown as PathPlan;

const some = <T>(count: number, make: (number: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index + 1));

/** The statements that fill relations and correlations inside Trino, by name: how many queries each unites. */
function united(input: {
  readonly named?: readonly string[];
  readonly relationships?: number;
  readonly paths?: number;
}): Readonly<Record<string, number>> {
  const { named = [], relationships = 0, paths = 0 } = input;
  const steps = compileBuild({
    ...{ elements: [element(named)], entities: [], timeZone: 'UTC', hasRowOrder: false },
    ...{ relationships: some(relationships, relationship), paths: some(paths, path) },
    dialect: sourceBuildDialect('trino', ['lake', 'ekg']),
  });
  const ofPairs = steps.filter(({ name }) => /^(?:joined_pairs|relation|related|other|event_entity)/u.test(name));
  return Object.fromEntries(ofPairs.map(({ name, sql }) => [name, sql.split(/\bUNION(?: ALL)?\n/u).length]));
}

describe('relations and correlations of an engine that limits the joins of a statement', () => {
  it('are filled by one statement where they are few', () => {
    // Own correlations, three relationships in both directions, and two kinds of named entities.
    assert.deepEqual(united({ named: ['b', 'c'], relationships: 3 }), { relation: 3, event_entity: 1 + 6 + 2 });
  });

  it('are filled by several statements where they are many, each of which unites eight queries at most', () => {
    const types = some(9, (number) => `type${number}`);
    assert.deepEqual(united({ named: types, relationships: 10, paths: 9 }), {
      ...{ joined_pairs: 8, joined_pairs_part_2: 2, relation: 8, relation_part_2: 2 },
      ...{ related: 8, related_part_2: 8, related_part_3: 4 },
      ...{ event_entity: 8, event_entity_part_2: 3 },
    });
  });

  it('are staged first where a row may name an entity twice, and each combination is taken once', () => {
    const twice = some(9, () => 'b');
    assert.deepEqual(united({ named: twice }), {
      ...{ relation: 1, other_correlations: 8, other_correlations_part_2: 1 },
      ...{ event_entity: 1, event_entity_part_2: 1 },
    });
  });
});
