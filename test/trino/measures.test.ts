import assert from 'node:assert/strict';
import type { MeasureResult } from '../../protocol/measures.ts';
import { compareInLake } from '../support/compare-in-trino.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { namedMeasures, randomCalendars, randomMeasure } from '../support/random-measures.ts';
import { randomOf } from '../support/random.ts';
import { createRulesShop, rulesShop } from '../support/rules-shop.ts';
import { sharedTrino, type TestTrino } from '../support/trino-server.ts';

/** Everything but the statement, which differs. */
const comparable = ({ sql: _, ...result }: MeasureResult): unknown => result;

describe('measures of graphs built inside Trino', () => {
  let trino: TestTrino;

  before(async function () {
    // Starting Trino takes minutes under load.
    this.timeout(600_000);
    trino = await sharedTrino();
  });

  it('are found as by the embedded engine, for random measures', async function () {
    this.timeout(1_800_000);
    const postgres = await sharedPostgres();
    const pg = await trino.addPostgres(postgres, await createRulesShop(postgres, 21));
    const random = randomOf(21);
    const measures = Array.from({ length: 16 }, (_, index) => randomMeasure(random, index)).join('');
    const odd =
      '  - { name: Odd, each: { entityType: order }, sql: "CASE WHEN amount > 10 THEN CAST(\'NaN\' AS DOUBLE) ELSE amount END" }\n';
    const written = `${odd}${namedMeasures}${measures}`;
    const graph = `${rulesShop}${randomCalendars}measures:\n${written}`;
    const { embedded, built } = await compareInLake(trino, `catalog: ${pg}, schemas: public`, graph, 'ekg_measures');
    const found = embedded.measures ?? [];
    assert.deepEqual(
      found.map(({ name }) => name),
      [...written.matchAll(/^ {2}- \{ name: ([^,]+),/gm)].map(([, name]) => name),
    );
    assert.deepEqual(
      found.filter(({ error }) => error !== undefined),
      [],
    );
    assert.deepEqual(built.measures?.map(comparable), found.map(comparable));
    assert.ok(found.filter(({ count }) => count > 0).length > 8);
  });
});
