import assert from 'node:assert/strict';
import { executedSql, positionOf } from '../../../../server/src/connectors/mysql/error-position.ts';
import type { CompiledQuery } from '../../../../server/src/query/compiled-query.ts';
import { mapErrorPosition } from '../../../../server/src/query/map-error-position.ts';

describe('position of an error that MySQL reports without a position', () => {
  /** The text of the user that is marked, of a condition. */
  function marked(where: string, message: string): string | undefined {
    const before = 'SELECT * FROM orders WHERE (\n';
    const source = {
      value: where,
      range: { start: 0, end: where.length },
      sourceOffsets: Array.from({ length: where.length + 1 }, (_, at) => at),
    };
    const query = {
      ...{ dialect: 'mysql', sql: `${before}${where}\n)`, columns: [], dataObjects: [], references: [] },
      fragments: [{ offset: before.length, source }],
    } as unknown as CompiledQuery;
    const found = positionOf(message, executedSql('CREATE TABLE x AS ', query, ''));
    const range = found && mapErrorPosition(query, found.position, found.length);
    return range && where.slice(range.start, range.end);
  }

  it('is the name in the message, if it occurs once', () => {
    assert.equal(marked('state = 1 AND stat = 2', "Unknown column 'stat' in 'where clause'"), 'stat');
  });

  it('is the whole clause, if the name occurs several times', () => {
    const where = 'state = 1 AND (stat = 2 OR stat = 3)';
    assert.equal(marked(where, "Unknown column 'stat' in 'where clause'"), where);
  });
});
