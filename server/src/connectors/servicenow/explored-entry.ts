import type { ApiList, ApiRequest } from '../../../../protocol/api-explorer.ts';
import type { DataSource } from '../../model/data-sources.ts';
import { checkReads, endpointEntry, notListed, takenApart } from '../http/explored-entry.ts';
import type { ExploredEntry } from '../source-explorer.ts';

/**
 * The entry of a request that lists records. Throws `source-config` when it cannot be one.
 * @param offered the tables of an instance whose settings name none.
 */
export function instanceEntry(
  source: DataSource,
  request: ApiRequest,
  list: ApiList,
  offered: readonly string[] = [],
): ExploredEntry {
  checkReads(request);
  const taken = takenApart(request);
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

/** Names of the platform's own parameters, but for the query, say how records are shown, which an import knows better. */
function isFilter(name: string): boolean {
  return name === 'sysparm_query' || !name.startsWith('sysparm_');
}
