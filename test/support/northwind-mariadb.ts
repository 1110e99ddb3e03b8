import { join } from 'node:path';
import type { TestMariadb } from './mariadb.ts';
import { readSqlFile } from './read-sql-file.ts';
import { projectFolder } from './vscode-host.ts';

/** Loads the Northwind sample into a MariaDB, with the types of PostgreSQL replaced by similar ones. */
export async function loadNorthwind(server: TestMariadb): Promise<string> {
  const database = await server.createDatabase();
  const text = await readSqlFile(join(projectFolder, 'samples/northwind/northwind.sql'));
  const keys = new Map(
    [...text.matchAll(/ALTER TABLE ONLY (\w+)\s+ADD CONSTRAINT \w+ PRIMARY KEY (\([^)]*\))/g)].map(
      ([, table = '', columns = '']) => [table, columns],
    ),
  );
  const statements = text
    .replaceAll(/^(SET|DROP) .*$/gm, '')
    .replaceAll(/^--.*$/gm, '')
    .replaceAll('character varying', 'varchar')
    .replaceAll(/\breal\b/g, 'float')
    .replaceAll(/\bbytea\b/g, 'blob')
    .replaceAll(String.raw`'\x'`, "''")
    .replaceAll('ALTER TABLE ONLY', 'ALTER TABLE')
    .replaceAll(
      /(REFERENCES )(\w+);/g,
      (_, word: string, table: string) => `${word}${table} ${keys.get(table) ?? ''};`,
    );
  await server.query(database, `SET sql_mode = 'NO_BACKSLASH_ESCAPES'; SET foreign_key_checks = 0; ${statements}`);
  await server.query(database, 'ANALYZE TABLE orders, customers, products, order_details');
  return database;
}
