import assert from 'node:assert/strict';
import type { SimulatedRecord } from '../simulator/demo-data.ts';
import type { SimulatedRequest } from '../simulator/http-answer.ts';
import type { Simulator } from '../simulator/simulator.ts';
import { expectedIncidents, importIncrementally, withIncrementalImport } from '../support/incremental-imports.ts';
import { elementQuery, incidents, loaded, withCatalog } from '../support/servicenow-queries.ts';

/** Every third incident belongs to another domain. */
function isElsewhere(table: string, { number = '' }: SimulatedRecord): boolean {
  return (table === 'incident' || table === 'task') && /[369]$/.test(number);
}

const isHere = (record: SimulatedRecord): boolean => !isElsewhere('incident', record);

const isAcross = ({ parameters }: SimulatedRequest): boolean => parameters.get('sysparm_query_no_domain') === 'true';

/** Requests for tables and figures. */
function reads({ requests }: Simulator): readonly SimulatedRequest[] {
  return requests.filter(({ path }) => /\/now\/(?:table|stats)\//.test(path));
}

describe('ServiceNow › records of other domains', () => {
  it('are read and counted with queryNoDomain, which every request contains', async () => {
    await withCatalog({ settings: { queryNoDomain: true } }, async (connector, catalog, simulator) => {
      simulator.instance.settings.otherDomain = isElsewhere;
      const [incident] = await loaded(connector, [elementQuery(catalog)]);
      assert.equal(incident?.rows.length, incidents(simulator).length);
      assert.deepEqual(incident?.result.warnings, []);
      assert.ok(reads(simulator).length > 10 && reads(simulator).every(isAcross));
    });
  });

  it('are omitted without queryNoDomain, and without permission', async () => {
    for (const settings of [{}, { queryNoDomain: false }, { queryNoDomain: true }]) {
      await withCatalog({ settings }, async (connector, catalog, simulator) => {
        simulator.instance.settings.otherDomain = isElsewhere;
        simulator.instance.settings.mayCrossDomains = false;
        const [incident] = await loaded(connector, [elementQuery(catalog)]);
        assert.equal(incident?.rows.length, incidents(simulator).filter(isHere).length);
        assert.ok(
          reads(simulator).every(
            (request) => isAcross(request) === ('queryNoDomain' in settings && settings.queryNoDomain),
          ),
        );
      });
    }
  });

  it('appear in previews, and the parameter in displayed requests', async () => {
    await withCatalog({ settings: { queryNoDomain: true } }, async (connector, catalog, simulator) => {
      simulator.instance.settings.otherDomain = isElsewhere;
      const query = elementQuery(catalog, "    where: number = 'INC0000003'\n");
      assert.equal((await connector.preview(query, { limit: 10 })).rows.length, 1);
      const purposes = [
        { kind: 'preview', limit: 10 },
        { kind: 'import', queries: [query] },
      ] as const;
      for (const purpose of purposes) {
        const steps = (await connector.steps(query, purpose)).filter(({ kind }) => kind === 'http');
        const lines = steps.flatMap(({ text }) => text.split('\n').filter((line) => line.startsWith('GET ')));
        assert.ok(lines.length > 0);
        for (const line of lines) assert.match(line, /[?&]sysparm_query_no_domain=true(?:&|$)/);
      }
    });
  });

  it('a changed setting invalidates the row cache', async () => {
    await withIncrementalImport(100, async (simulator, folder) => {
      simulator.instance.settings.otherDomain = isElsewhere;
      for (const [queryNoDomain, selects] of [
        [false, isHere],
        [true, () => true],
        [false, isHere],
      ] as const) {
        const { rows } = await importIncrementally(simulator, folder, { settings: { queryNoDomain } });
        assert.deepEqual(rows, expectedIncidents(simulator, selects));
      }
    });
  });
});
