import { basename, dirname } from 'node:path';
import type { DataObject } from '../../catalog/catalog.ts';
import type { CompiledQuery } from '../../query/compiled-query.ts';
import { quoteIdentifier } from '../../query/quote.ts';
import type { KindConnector } from '../connector.ts';
import { errorOfFile } from '../file-read-error.ts';
import type { OpenRows, OpenRowsFile } from '../rows-file.ts';
import { SourceError } from '../source-error.ts';
import { readFileSourceConfig } from './read-settings.ts';
import { fileConnector } from './connector.ts';
import { decodeSample, guessEncoding } from './encodings.ts';
import { fileFormat, isDelimited } from './file-format.ts';
import { readSample } from './read-sample.ts';

/** Opens a file of rows. Values of text files are read verbatim: as a number, a value would lose its leading zeros. */
export const openRowsFile: OpenRowsFile = async (file) => {
  if (/\.entity\.(?:ya?ml|json)$/i.test(file)) {
    throw new SourceError('file-malformed', `${file} is an entity graph: it holds no rows, but queries of rows.`, {
      file,
      remedy: 'Name one of its elements or relationships, whose rows are staged then.',
    });
  }
  try {
    return await open(file);
  } catch (error) {
    throw errorOfFile(error);
  }
};

async function open(file: string): Promise<OpenRows> {
  const { format } = fileFormat(file);
  const first = connectorOf(file, {});
  const catalog = await first.describe({}).finally(() => first.close());
  const object = catalog.objects.find((each) => each.file === file) ?? catalog.objects[0];
  if (!object) throw noRows(file, catalog.warnings[0]);
  if (catalog.objects.length > 1) throw severalTables(file, catalog.objects);
  const names = object.columns.map(({ name }) => name);
  const isText = isDelimited(format);
  if (isText) await checkHeader(file, format.gzip, names);
  const asText = isText ? object.columns : [];
  const connector = connectorOf(file, Object.fromEntries(asText.map(({ name }) => [name, 'VARCHAR'])));
  return { connector, query: queryOf(object), warnings: catalog.warnings };
}

/** @param types DuckDB types of columns whose type is not to be detected */
function connectorOf(file: string, types: Readonly<Record<string, string>>): KindConnector {
  const source = { name: 'rows', timeZone: 'UTC', folder: dirname(file) };
  const config = readFileSourceConfig(source, { path: basename(file), types });
  return fileConnector({ ...config, options: { ...config.options, isStandalone: true } });
}

function queryOf({ name, path, columns }: DataObject): CompiledQuery {
  const names = columns.map((column) => column.name);
  const sql = `SELECT ${names.map(quoteIdentifier).join(', ')} FROM ${quoteIdentifier(path.at(-1) ?? name)}`;
  return { dialect: 'duckdb', sql, columns: names, dataObjects: [name], fragments: [], references: [] };
}

/** Sample size in bytes that certainly contains the header line. */
const headSize = 262_144;

/** DuckDB renames empty and duplicate column names, which would become wrong field names. */
async function checkHeader(file: string, gzip: boolean, names: readonly string[]): Promise<void> {
  const { bytes } = await readSample(file, gzip, headSize);
  const problem = headerProblem(names, decodeSample(bytes, guessEncoding(bytes)));
  if (problem === undefined) return;
  throw new SourceError('file-malformed', `${basename(file)} ${problem}`, {
    file,
    line: 1,
    remedy: 'Give each column a unique name in the first line: that of a column of the staging table.',
  });
}

/** Problems of the column names in a text file. */
function headerProblem(names: readonly string[], text: string): string | undefined {
  const made = names.filter((name) => /^column\d+$|_\d+$/.test(name) && !text.includes(name));
  if (made.some((name) => name.startsWith('column'))) {
    const isAll = made.length === names.length;
    return isAll ? 'has no line with names of columns.' : 'has a column without a name.';
  }
  const base = made[0]?.replace(/_\d+$/, '');
  return base === undefined ? undefined : `has several columns named ${base}; upper and lower case are the same there.`;
}

function severalTables(file: string, objects: readonly DataObject[]): SourceError {
  const names = objects.map(({ name }) => name.slice(name.indexOf('/') + 1)).join(', ');
  return new SourceError('file-malformed', `${file} has several tables: ${names}.`, {
    file,
    remedy: 'Save the sheet with the rows as a workbook or CSV file of its own.',
  });
}

function noRows(file: string, warning: string | undefined): SourceError {
  return new SourceError('file-unreadable', warning ?? `${file} holds no rows.`, {
    file,
    remedy: 'Name a file of records: CSV, TSV, JSON, Parquet or an Excel workbook.',
  });
}
