import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { elementTables } from '../element-tables.ts';
import { assertEventTimes } from '../event-times.ts';
import type { ExportFormat } from '../export-format.ts';
import { masterDataTables } from '../master-data-tables.ts';
import { writeUnsupportedValuesAsTexts } from '../unsupported-values.ts';
import { quoteIdentifier, embeddedLiteral } from '../../query/quote.ts';
import { type Neo4jFile, type Neo4jColumn, type Neo4jType, neo4jFiles } from './neo4j-files.ts';

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
  return `COPY (SELECT ${[...own, last].join(', ')} ${from}) TO ${embeddedLiteral(join(folder, name))}
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

/** A script that loads the files from the import folder of a running Neo4j 5, ten thousand rows at a time. */
function cypherScript(files: readonly Neo4jFile[]): string {
  return [
    '// Copy the CSV files into the import folder of the database, then: cypher-shell -f load.cypher',
    '// In Neo4j Browser, write :auto before each LOAD CSV.',
    'CREATE CONSTRAINT event_id IF NOT EXISTS FOR (n:Event) REQUIRE n.eventId IS UNIQUE;',
    'CREATE CONSTRAINT entity_id IF NOT EXISTS FOR (n:Entity) REQUIRE n.entityId IS UNIQUE;',
    ...files.map(loadStatement),
    '',
  ].join('\n');
}

function loadStatement(file: Neo4jFile): string {
  return [
    `LOAD CSV WITH HEADERS FROM 'file:///${file.name}' AS row`,
    `CALL { WITH row ${file.kind === 'nodes' ? createNode(file) : createRelationship(file)} }`,
    'IN TRANSACTIONS OF 10000 ROWS;',
  ].join('\n');
}

function createNode({ label, columns }: Neo4jFile): string {
  return `CREATE (:${label} ${propertyMap(columns)})`;
}

function createRelationship({ label, columns }: Neo4jFile): string {
  const node = (role: 'start' | 'end'): string => {
    const column = columns.find((each) => each.role === role);
    return column ? `MATCH (${role}Node:${column.space} {${column.property}: ${cell(column)}})` : '';
  };
  const own = propertyMap(columns.filter(({ role }) => role === 'value'));
  return `${node('start')} ${node('end')} CREATE (startNode)-[:${label} ${own}]->(endNode)`;
}

function propertyMap(columns: readonly Neo4jColumn[]): string {
  return `{${columns.map((column) => `${name(column.property)}: ${typed(column.type, cell(column))}`).join(', ')}}`;
}

const functions: Readonly<Record<Neo4jType, string | undefined>> = {
  string: undefined,
  long: 'toInteger',
  double: 'toFloat',
  boolean: 'toBoolean',
  datetime: 'datetime',
};

function typed(type: Neo4jType, value: string): string {
  const convert = functions[type];
  return convert === undefined ? value : `${convert}(${value})`;
}

function cell({ header }: Neo4jColumn): string {
  return `row['${header.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}']`;
}

function name(property: string): string {
  return `\`${property.replaceAll('`', '``')}\``;
}
