import { nearestName } from '../../model/nearest-name.ts';
import type { CallOptions } from './call-platform.ts';
import type { ServiceNowClient } from './client.ts';
import { readDictionary, type DictionaryColumn, type DictionaryTable } from './read-dictionary.ts';

/** Columns of a table that lie behind its references, such as `assignment_group.manager.name`. */
export interface DotWalked {
  readonly columns: readonly DictionaryColumn[];
  /** What is wrong with those that are not there. */
  readonly faults: readonly string[];
}

/**
 * Finds the columns that paths of names lead to, table by table as references say. The dictionary of tables on the way is
 * read when a path needs it; `known` grows with it.
 */
export async function findDotWalked(
  client: ServiceNowClient,
  table: DictionaryTable,
  paths: readonly string[],
  known: Map<string, DictionaryTable>,
  options: CallOptions,
): Promise<DotWalked> {
  const columns: DictionaryColumn[] = [];
  const faults: string[] = [];
  for (const path of paths) {
    const names = path.split('.');
    let here: DictionaryTable | undefined = table;
    const labels: string[] = [];
    for (const [index, name] of names.entries()) {
      const column: DictionaryColumn | undefined = here.columns.find((each) => each.name === name);
      if (!column) {
        faults.push(missing(table.name, path, here, name));
        break;
      }
      labels.push(column.label);
      if (index === names.length - 1) {
        columns.push({ ...column, name: path, label: labels.filter((label) => label !== '').join(' › ') });
        break;
      }
      if (column.reference === undefined) {
        faults.push(`The column ${path} of ${table.name} is not there: ${name} of ${here.name} is no reference.`);
        break;
      }
      here = await tableOf(client, column.reference, known, options);
      if (!here) {
        faults.push(
          `The column ${path} of ${table.name} is not there: the user may not read the dictionary of ${column.reference}.`,
        );
        break;
      }
    }
  }
  return { columns, faults };
}

async function tableOf(
  client: ServiceNowClient,
  name: string,
  known: Map<string, DictionaryTable>,
  options: CallOptions,
): Promise<DictionaryTable | undefined> {
  if (!known.has(name)) {
    for (const [each, table] of (await readDictionary(client, [name], options)) ?? []) known.set(each, table);
  }
  const found = known.get(name);
  return found && found.columns.length > 0 ? found : undefined;
}

function missing(table: string, path: string, here: DictionaryTable, name: string): string {
  const nearest = nearestName(
    name,
    here.columns.map((column) => column.name),
  );
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  return `The column ${path} of ${table} is not there: ${here.name} has no column ${name}.${hint}`;
}
