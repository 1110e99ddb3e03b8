import { rm } from 'node:fs/promises';
import type { CanvasLayout } from '../../../protocol/canvas-intents.ts';
import { insideStateFolder } from './inside-state-folder.ts';
import { ensureStateFolder, statePaths } from './state-folder.ts';
import { readText } from '../files/read-text.ts';
import { writeFileAtomic } from '../files/write-atomic.ts';

const version = 1;

/** The stored element positions and whether the grid is shown; empty when there is no readable file. */
export async function readLayout(stateFolder: string, entity: string): Promise<CanvasLayout> {
  try {
    const path = await insideStateFolder(stateFolder, statePaths.layout(stateFolder, entity));
    const text = await readText(path);
    const file = JSON.parse(text) as Partial<CanvasLayout> & { readonly version?: unknown };
    if (file.version !== version || typeof file.elements !== 'object') return { elements: {} };
    const places = Object.entries(file.elements).filter(([, at]) => Number.isFinite(at.x) && Number.isFinite(at.y));
    return { elements: Object.fromEntries(places), grid: file.grid === true ? true : undefined };
  } catch {
    return { elements: {} };
  }
}

/**
 * Replaces the positions atomically; one line per element sorted by name, for readable diffs. Rejects with
 * `link-leads-out`, else with the file system error.
 */
export async function writeLayout(
  stateFolder: string,
  entity: string,
  { elements, grid }: CanvasLayout,
): Promise<void> {
  const path = await insideStateFolder(stateFolder, statePaths.layout(stateFolder, entity));
  const places = Object.entries(elements).toSorted(([one], [other]) => (one < other ? -1 : 1));
  if (places.length === 0 && grid !== true) return rm(path, { force: true });
  await ensureStateFolder(stateFolder);
  const lines = places.map(
    ([id, { x, y }]) => `    ${JSON.stringify(id)}: ${JSON.stringify({ x: Math.round(x), y: Math.round(y) })}`,
  );
  const positions = lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n  }`;
  const shown = grid === true ? '  "grid": true,\n' : '';
  await writeFileAtomic(path, `{\n  "version": ${version},\n${shown}  "elements": ${positions}\n}\n`);
}
