import type { ApiList, ApiRequest } from '../../../../protocol/api-explorer.ts';
import type { DataSource } from '../../model/data-sources.ts';
import { checkReads, endpointEntry, notListed, withQueryAsParameters } from '../endpoints/explored-entry.ts';
import type { ExploredEntry } from '../source-explorer.ts';

/**
 * The settings entry of a list request. Throws `source-config` when it cannot be one.
 * @param offered the standard tables of an instance without configured ones.
 */
export function instanceEntry(
  source: DataSource,
  request: ApiRequest,
  list: ApiList,
  offered: readonly string[] = [],
): ExploredEntry {
  checkReads(request);
  const taken = withQueryAsParameters(request);
  const { path, parameters } = taken;
  const table = /^\/?api\/now\/(?:v\d+\/)?table\/(\w+)\/?$/.exec(path)?.[1];
  if (table !== undefined) {
    const isFiltered = parameters.some(({ name, value }) => value !== '' && isFilter(name));
    const note = `The table is offered whole: what the request filters by belongs in where of an element.`;
    const entry = { list: 'tables', entry: table, notes: isFiltered ? [note] : [] };
    if (source.settings['tables'] !== undefined) return entry;
    if (offered.includes(table))
      throw notListed(`${table} is a data object already: tables names none, and it is one of the usual ones.`);
    const said = 'Without tables the usual ones were offered: the setting now names them, too.';
    return { ...entry, others: offered, notes: [...entry.notes, said] };
  }
  if (/^\/?api\/now\//.test(path)) throw notListed('Only tables and scripted endpoints can be data objects.');
  const below = { ...taken, path: path.replace(/^\/?api/, '') };
  return endpointEntry(source, below, list, { list: 'scripted', usualRecords: 'result' });
}

/** The platform's own parameters, except for the query, control the format, which imports choose. */
function isFilter(name: string): boolean {
  return name === 'sysparm_query' || !name.startsWith('sysparm_');
}
