import { nearestName } from '../../model/nearest-name.ts';
import type { DictionaryColumn, DictionaryTable } from './read-dictionary.ts';

/** Columns of a table that lie behind its references, such as `assignment_group.manager.name`. */
export interface DotWalked {
  readonly columns: readonly DictionaryColumn[];
  /** What is wrong with those that are not there. */
  readonly faults: readonly string[];
}

/** Dictionaries of tables on the way, which are read as they are needed. */
export interface WalkedTables {
  readonly known: Map<string, DictionaryTable>;
  /** Reads the dictionary of a table; undefined where the user may not, or the instance does not answer in time. */
  read(name: string): Promise<DictionaryTable | undefined>;
}

/** Finds the columns that paths of names lead to, table by table as references say. */
export async function findDotWalked(
  table: DictionaryTable,
  paths: readonly string[],
  walked: WalkedTables,
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
      here = await tableOf(column.reference, walked);
      if (!here) {
        faults.push(
          `The column ${path} of ${table.name} is not there: the dictionary of ${column.reference} cannot be read.`,
        );
        break;
      }
    }
  }
  return { columns, faults };
}

async function tableOf(name: string, { known, read }: WalkedTables): Promise<DictionaryTable | undefined> {
  const found = known.get(name) ?? (await read(name));
  if (found) known.set(name, found);
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
