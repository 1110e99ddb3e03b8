import { describeConnectorContract } from '../support/connector-contract.ts';
import type { ContractDatabase } from '../support/contract-database.ts';
import { quoteIdentifier } from '../../server/src/query/quote.ts';
import { sharedTrino } from '../support/trino-server.ts';
import { trinoConnector, trinoQuery } from '../support/trino-source.ts';

/** Iceberg tables. */
const trino: ContractDatabase = {
  kind: 'trino',
  async start() {
    const server = await sharedTrino();
    const schema = await server.createSchema();
    return {
      // Statements of the cases name tables without schema.
      run: async (sql) => void (await server.run(inSchema(sql, schema))),
      connector: (settings = {}) => trinoConnector(server, schema, { settings }),
      async running(comment) {
        const rows = await server.run(
          `SELECT 1 FROM system.runtime.queries WHERE query LIKE '%/* ${comment} */%' AND query NOT LIKE '%system.runtime%'
           AND state NOT IN ('FINISHED', 'FAILED')`,
        );
        return rows.length;
      },
    };
  },
  sql: {
    query: trinoQuery,
    quote: quoteIdentifier,
    text: 'varchar',
    numbers: (count) => `CREATE TABLE n AS SELECT CAST(i AS integer) AS i FROM UNNEST(sequence(1, ${count})) AS t (i)`,
    repeat: (text, count) => `rpad('', ${count * text.length}, '${text}')`,
    slow: 'SELECT count(*) AS a FROM tpch.sf1000.lineitem a, tpch.sf1000.lineitem b WHERE a.comment < b.comment',
    writes: [
      'SELECT 1 AS a) AS q; CREATE TABLE hacked (a int); SELECT * FROM (SELECT 1 AS a',
      'INSERT INTO n VALUES (0)',
      'DELETE FROM n',
      'CREATE TABLE hacked AS SELECT 1 AS a',
    ],
    unreachable: [
      [{ port: 1 }, 'source-unreachable'],
      [{ catalog: 'no_such_catalog' }, 'source-config'],
      [{ sessionProperties: { no_such_property: 1 } }, 'source-config'],
      [{ role: 'no_such_role' }, 'permission-denied'],
    ],
    hasNoKeys: true,
    digits: (integer) => `CAST(${integer} AS varchar)`,
    catalogName: (name) => name.toLowerCase(),
    // The file metastore of tests lists a quote as %22.
    strangeTable: 'Ünïcode Order',
  },
};

function inSchema(sql: string, schema: string): string {
  return sql
    .replace(
      /^((?:CREATE TABLE|INSERT INTO|UPDATE|DELETE FROM) )("[^"]*"|\w+)/,
      (_, verb: string, table: string) => `${verb}lake.${schema}.${table}`,
    )
    .replaceAll(/ FROM n\b/g, ` FROM lake.${schema}.n`);
}

describeConnectorContract(trino);
