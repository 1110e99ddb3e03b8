import { nearestName } from '../../../model/nearest-name.ts';
import type { DictionaryColumn, DictionaryTable } from './read-dictionary.ts';

/**
 * Columns behind references, such as `assignment_group.manager.name`, and columns of child classes, such as
 * `ref_incident.caller_id` of tasks.
 */
interface DotWalked {
  readonly columns: readonly DictionaryColumn[];
  /** Reasons for missing ones. */
  readonly faults: readonly string[];
}

/** Dictionaries of intermediate tables, read on demand. */
export interface WalkedTables {
  readonly known: Map<string, DictionaryTable>;
  /** Reads the dictionary of a table; undefined if not readable or too slow. */
  read(name: string): Promise<DictionaryTable | undefined>;
}

/** Resolves paths of names, table by table along references. */
export async function findDotWalked(
  table: DictionaryTable,
  paths: readonly string[],
  walked: WalkedTables,
): Promise<DotWalked> {
  const columns: DictionaryColumn[] = [];
  const faults: string[] = [];
  for (const path of paths) {
    const extended = childClass(path);
    const names = path.split('.').slice(extended === undefined ? 0 : 1);
    let here: DictionaryTable | undefined = extended === undefined ? table : await tableOf(extended, walked);
    const labels: string[] = [here?.label ?? ''].slice(extended === undefined ? 1 : 0);
    if (!here) {
      faults.push(unreadable(table.name, path, extended ?? ''));
      continue;
    }
    if (extended !== undefined && !here.ancestors?.includes(table.name)) {
      faults.push(`The column ${path} of ${table.name} is not there: ${extended} does not extend ${table.name}.`);
      continue;
    }
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
        faults.push(`The column ${path} of ${table.name} is not there: ${name} of ${here.name} is not a reference.`);
        break;
      }
      here = await tableOf(column.reference, walked);
      if (!here) {
        faults.push(unreadable(table.name, path, column.reference));
        break;
      }
    }
  }
  return { columns, faults };
}

/** The child class in a path such as `ref_incident.caller_id`; undefined for other paths. */
export function childClass(path: string): string | undefined {
  return /^ref_(\w+)\./.exec(path)?.[1];
}

async function tableOf(name: string, { known, read }: WalkedTables): Promise<DictionaryTable | undefined> {
  const found = known.get(name) ?? (await read(name));
  if (found) known.set(name, found);
  return found && found.columns.length > 0 ? found : undefined;
}

function unreadable(table: string, path: string, other: string): string {
  return `The column ${path} of ${table} is not there: the dictionary of ${other} cannot be read.`;
}

function missing(table: string, path: string, here: DictionaryTable, name: string): string {
  const nearest = nearestName(
    name,
    here.columns.map((column) => column.name),
  );
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  return `The column ${path} of ${table} is not there: ${here.name} has no column ${name}.${hint}`;
}
