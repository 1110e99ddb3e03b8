import { basename } from 'node:path';
import type { DataSource } from '../../model/data-sources.ts';
import { parseDataSources } from '../../model/parse-data-sources.ts';

/** A data source of one file, in the folder of that file, as if a sources file named it. */
export function rowsFileSource(file: string, types: Readonly<Record<string, string>>): DataSource {
  const settings = { kind: 'csv', path: basename(file), ...(Object.keys(types).length > 0 && { types }) };
  const { sources } = parseDataSources(JSON.stringify({ version: 1, dataSources: { rows: settings } })).sources;
  const [source] = sources;
  if (!source) throw new Error('The source of the rows is not readable.');
  return source;
}
