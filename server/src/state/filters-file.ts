import { rm } from 'node:fs/promises';
import type { GraphFilter } from '../../../protocol/event-graph.ts';
import { graphFilter } from '../../../protocol/shapes/event-graph-shapes.ts';
import { readText } from '../files/read-text.ts';
import { writeFileAtomic } from '../files/write-atomic.ts';
import { insideStateFolder } from './inside-state-folder.ts';
import { ensureStateFolder, statePaths } from './state-folder.ts';

const version = 1;

type NamedFilters = Readonly<Record<string, GraphFilter>>;

/** The saved filters of an entity graph by name; none when there is no readable file. Damaged ones are left out. */
export async function readFilters(stateFolder: string, entity: string): Promise<NamedFilters> {
  try {
    const path = await insideStateFolder(stateFolder, statePaths.filters(stateFolder, entity));
    const file = JSON.parse(await readText(path)) as { readonly version?: unknown; readonly filters?: unknown };
    if (file.version !== version || typeof file.filters !== 'object' || file.filters === null) return {};
    const readable = Object.entries(file.filters).filter(([name, value]) => graphFilter(value, name) === undefined);
    return Object.fromEntries(readable) as NamedFilters;
  } catch {
    return {};
  }
}

/**
 * Replaces the filters atomically, sorted by name, for readable diffs. Rejects with `link-leads-out`, else with the file
 * system error.
 */
export async function writeFilters(stateFolder: string, entity: string, filters: NamedFilters): Promise<void> {
  const path = await insideStateFolder(stateFolder, statePaths.filters(stateFolder, entity));
  const sorted = Object.entries(filters).toSorted(([one], [other]) => (one < other ? -1 : 1));
  if (sorted.length === 0) return rm(path, { force: true });
  await ensureStateFolder(stateFolder);
  await writeFileAtomic(path, `${JSON.stringify({ version, filters: Object.fromEntries(sorted) }, null, 2)}\n`);
}
