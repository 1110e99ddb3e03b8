import { basename, dirname } from 'node:path';
import type { DataObject } from '../../catalog/catalog.ts';
import type { Connector } from '../../connectors/connector.ts';
import { createConnector } from '../../connectors/create-connector.ts';
import { decodeSample, guessEncoding } from '../../connectors/csv/encodings.ts';
import { fileFormat, isDelimited } from '../../connectors/csv/file-format.ts';
import { readSample } from '../../connectors/csv/read-sample.ts';
import { rowsFileSource } from '../../connectors/csv/rows-file-source.ts';
import { noValues } from '../../connectors/no-values.ts';
import { SourceError, isSourceError } from '../../connectors/source-error.ts';
import type { CompiledQuery } from '../../query/compiled-query.ts';
import { quoteIdentifier } from '../../query/quote.ts';

export interface OpenRows {
  readonly connector: Connector;
  readonly query: CompiledQuery;
  /** Remarks about how they are read. */
  readonly warnings: readonly string[];
}

/** Opens a file of rows. Values of text files are read verbatim: as a number, a value would lose its leading zeros. */
export async function openRowsFile(file: string): Promise<OpenRows> {
  if (/\.entity\.(?:ya?ml|json)$/i.test(file)) {
    throw new SourceError('file-malformed', `${file} is an entity graph: it holds no rows, but queries of rows.`, {
      file,
      remedy: 'Name one of its elements or relationships, whose rows are staged then.',
    });
  }
  try {
    return await open(file);
  } catch (error) {
    throw withoutSettings(error);
  }
}

/** Remedies that refer to settings of a data source do not apply here. */
export function withoutSettings(error: unknown): unknown {
  if (!isSourceError(error) || !/\bset \w+|data sources file/.test(error.details.remedy ?? '')) return error;
  const remedy = remedies[error.code] ?? 'Name a file of records: CSV, TSV, JSON or Parquet.';
  return new SourceError(error.code, error.message, { ...error.details, remedy, cause: error });
}

const remedies: Readonly<Record<string, string>> = {
  'file-missing': 'Check the path of the file.',
  'file-malformed': 'Correct the file: a CSV file has its columns named in the first line, and as many values in each.',
};

async function open(file: string): Promise<OpenRows> {
  const { format } = fileFormat(file);
  const context = { folder: dirname(file), ...noValues };
  const connect = (types: Readonly<Record<string, string>>): Promise<Connector> =>
    createConnector(rowsFileSource(file, types), context);
  const first = await connect({});
  const catalog = await first.describe({}).finally(() => first.close());
  const object = catalog.objects.find((each) => each.file === file) ?? catalog.objects[0];
  if (!object) throw noRows(file, catalog.warnings[0]);
  const names = object.columns.map(({ name }) => name);
  const isText = isDelimited(format);
  if (isText) await checkHeader(file, format.gzip, names);
  // DuckDB would convert UUID-like keys in JSON to lower case.
  const asText = object.columns.filter(({ type }) => isText || (format.kind === 'json' && type === 'UUID'));
  const connector = await connect(Object.fromEntries(asText.map(({ name }) => [name, 'VARCHAR'])));
  return { connector, query: queryOf(object), warnings: catalog.warnings.map(withoutAdvice) };
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
    remedy: 'Give each column a name of its own in the first line: that of a column of the staging table.',
  });
}

/** Problems of the column names in a text file. */
export function headerProblem(names: readonly string[], text: string): string | undefined {
  const made = names.filter((name) => /^column\d+$|_\d+$/.test(name) && !text.includes(name));
  if (made.some((name) => name.startsWith('column'))) {
    const isAll = made.length === names.length;
    return isAll ? 'has no line with names of columns.' : 'has a column without a name.';
  }
  const base = made[0]?.replace(/_\d+$/, '');
  return base === undefined ? undefined : `has several columns named ${base}; upper and lower case are the same there.`;
}

/** A warning without its reference to a setting. */
function withoutAdvice(warning: string): string {
  return warning.replace(/; set \w+ if .*$/, '.');
}

function noRows(file: string, warning: string | undefined): SourceError {
  return new SourceError('file-unreadable', warning ?? `${file} holds no rows.`, {
    file,
    remedy: 'Name a file of records: CSV, TSV, JSON or Parquet.',
  });
}
