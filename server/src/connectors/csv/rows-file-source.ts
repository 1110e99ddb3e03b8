import { basename } from 'node:path';
import type { DataSource } from '../../model/data-sources.ts';
import { parseDataSources } from '../../model/parse-data-sources.ts';

/** A temporary data source of one file, based on the folder of the file. */
export function rowsFileSource(file: string, types: Readonly<Record<string, string>>): DataSource {
  const settings = { kind: 'csv', path: basename(file), ...(Object.keys(types).length > 0 && { types }) };
  const { sources } = parseDataSources(JSON.stringify({ version: 1, dataSources: { rows: settings } })).sources;
  const [source] = sources;
  if (!source) throw new Error('The source of the rows is not readable.');
  return source;
}
