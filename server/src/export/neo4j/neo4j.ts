import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { elementTables } from '../element-tables.ts';
import { assertEventTimes } from '../event-times.ts';
import type { ExportFormat } from '../export-format.ts';
import { masterDataTables } from '../master-data-tables.ts';
import { writeUnsupportedValuesAsTexts } from '../unsupported-values.ts';
import { quoteIdentifier, quoteLiteral } from '../../query/quote.ts';
import { cypherScript } from './cypher-script.ts';
import { type Neo4jFile, neo4jFiles } from './neo4j-files.ts';

/**
 * Files for `neo4j-admin database import full` with the usual labels and types of event knowledge graphs (`:Event`,
 * `:Entity`, `:CORR`, `:DF`, `:REL`), its arguments, and a Cypher script for a running database.
 */
export const neo4j: ExportFormat = {
  async write(store, folder, signal) {
    await assertEventTimes(store, { signal });
    await writeUnsupportedValuesAsTexts(store, ['time', 'integer'], { signal });
    const files = neo4jFiles(await elementTables(store), await masterDataTables(store));
    for (const file of files) await store.run(copySql(file, folder), { signal });
    await writeFile(join(folder, importArguments), argumentsText(files));
    await writeFile(join(folder, loadScript), cypherScript(files));
    return [...files.map(({ name }) => name), importArguments, loadScript];
  },
};

const importArguments = 'neo4j-admin.args';
const loadScript = 'load.cypher';

/**
 * A missing value is written as nothing and an empty text as quotes, so that the import distinguishes them. In quotes, a backslash escapes quotes and
 * backslashes: LOAD CSV reads it this way by default, and neo4j-admin import with an option.
 */
function copySql({ columns, kind, label, from, name }: Neo4jFile, folder: string): string {
  const own = columns.map(({ sql, header }) => `${sql} AS ${quoteIdentifier(header)}`);
  const last = `'${label}' AS ${quoteIdentifier(kind === 'nodes' ? ':LABEL' : ':TYPE')}`;
  return `COPY (SELECT ${[...own, last].join(', ')} ${from}) TO ${quoteLiteral(join(folder, name), 'duckdb')}
    (FORMAT csv, HEADER, ESCAPE '\\', TIMESTAMPFORMAT '%Y-%m-%dT%H:%M:%S.%fZ')`;
}

/**
 * `neo4j-admin database import full @neo4j-admin.args DATABASE`, run in the folder of the files. Options with files take everything as a file that
 * follows them, the name of the database too: they come first.
 */
function argumentsText(files: readonly Neo4jFile[]): string {
  const lines = files.map(({ kind, name }) => `--${kind}=${name}`);
  return `${[...lines, '--legacy-style-quoting=true', '--multiline-fields=true'].join('\n')}\n`;
}
