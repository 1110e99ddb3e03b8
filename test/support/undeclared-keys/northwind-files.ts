import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '../vscode-host.ts';
import { csv } from './table-files.ts';

/** The real rows of the Northwind sample as CSV files, which declare no keys. Measured only, never tuned on. */
export async function northwindFiles(): Promise<Readonly<Record<string, string>>> {
  const sql = await readFile(join(projectFolder, 'samples/northwind/northwind.sql'), 'utf8');
  const tables = [...sql.matchAll(/^CREATE TABLE (\w+) \(\n(.*?)\n\);/gms)];
  return Object.fromEntries(
    tables.map(([, name = '', body = '']) => {
      const columns = body.split('\n').flatMap((line) => /^\s+([a-z_]+) [a-z]/.exec(line)?.[1] ?? []);
      const rows = [...sql.matchAll(new RegExp(`^INSERT INTO ${name} VALUES \\((.*)\\);$`, 'gm'))].map(
        ([, values = '']) => literals(values),
      );
      return [`${name}.csv`, csv(columns.join(','), rows)];
    }),
  );
}

/** The literals of a VALUES list; NULL is null. */
function literals(values: string): readonly (string | null)[] {
  return [...values.matchAll(/'((?:[^']|'')*)'|NULL|[^\s,']+/g)].map(([whole, text]) =>
    text === undefined ? (whole === 'NULL' ? null : whole) : text.replaceAll("''", "'"),
  );
}
