import assert from 'node:assert/strict';
import { graphText, withProject } from '../support/import-text.ts';
import { sharedTrino } from '../support/trino-server.ts';
import { visitSources } from '../support/trino-visits.ts';

const element = (name: string): string =>
  `  - { activityName: ${name}, dataObject: ${name}, entityType: ${name}, key: id, startTimestamp: day, properties: [] }\n`;

const mapping = (left: string, operator: string, right: string): string =>
  `  - { name: "${left} ${operator} ${right}", source: ${left}, target: ${right}, correlate: none, mappings: [{ source: v, operator: "${operator}", target: v }] }\n`;

const columns: Readonly<Record<string, readonly [type: string, ...values: string[]]>> = {
  whole: ['bigint', '9007199254740993', '9007199254740992', '5', '0', '-9007199254740993'],
  digits: ['decimal(20, 2)', '0.10', '5.00', '9007199254740993.00', '0.25', '0.00'],
  floating: ['double', '9007199254740992', '5', '0.1', '-0.0', '1e300', '1e-7', 'NaN'],
  short: ['real', '5', '0.25', 'NaN'],
};

/** In units of 1e-7; NaN is the greatest number. */
function exactOf(text: string): bigint {
  if (text === 'NaN') return 10n ** 400n;
  if (text.includes('e')) return 10n ** BigInt(7 + Number(text.slice(2)));
  const [digits = '', fraction = ''] = text.split('.');
  return BigInt(digits) * 10n ** 7n + BigInt(fraction.padEnd(7, '0'));
}

function compare(left: string, operator: string, right: string): boolean {
  const difference = exactOf(left) - exactOf(right);
  const sign = difference < 0n ? -1 : difference > 0n ? 1 : 0;
  const holds: Readonly<Record<string, boolean>> = {
    '=': sign === 0,
    '!=': sign !== 0,
    '<': sign < 0,
    '<=': sign <= 0,
    '>': sign > 0,
    '>=': sign >= 0,
  };
  return holds[operator] === true;
}

/** docs/semantics.md#112-unlike-types */
describe('pairs of numbers in Trino', () => {
  it('are of exactly equal values, and NaN equals NaN', async function () {
    this.timeout(900_000);
    const trino = await sharedTrino();
    const schema = await trino.createSchema();
    for (const [name, [type, ...values]] of Object.entries(columns)) {
      const rows = values.map((value, index) => `(${index}, CAST('${value}' AS ${type}), DATE '2024-01-01')`);
      await trino.run(
        `CREATE TABLE lake.${schema}.${name} AS SELECT * FROM (VALUES ${rows.join(', ')}, (99, NULL, DATE '2024-01-01')) AS t (id, v, day)`,
      );
    }
    const names = Object.keys(columns);
    const operators = ['=', '!=', '<', '<=', '>', '>='];
    const mappings = names.flatMap((left) =>
      names.flatMap((right) => operators.map((operator) => [left, operator, right] as const)),
    );
    const graph = graphText(
      names.map(element).join(''),
      mappings.map(([left, operator, right]) => mapping(left, operator, right)).join(''),
    );
    const sources = visitSources(trino.port, `user: ann, catalog: lake, schemas: ${schema}`);
    await withProject({ 'entity-sources.yaml': sources, 'graph.entity.yaml': graph }, async (project) => {
      const { status, error } = await project.import();
      assert.equal(status, 'imported', error?.message);
      const rows = await project.rows(
        `SELECT r.relationship, s.key, t.key FROM relation AS r JOIN entity AS s ON s.id = r.source_entity_id
         JOIN entity AS t ON t.id = r.target_entity_id ORDER BY ALL`,
      );
      for (const [left, operator, right] of mappings) {
        const [ones = [], others = []] = [left, right].map((name) => columns[name]?.slice(1));
        const expected = ones.flatMap((one, i) =>
          others.flatMap((other, j) => (compare(one, operator, other) ? [`${i}|${j}`] : [])),
        );
        const name = `${left} ${operator} ${right}`;
        const found = rows.filter(([of]) => of === name).map(([, one, other]) => `${one}|${other}`);
        assert.deepEqual(found, expected, name);
      }
    });
  });
});
