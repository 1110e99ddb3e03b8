import { rm } from 'node:fs/promises';
import type { CanvasLayout } from '../../../protocol/canvas-intents.ts';
import { insideStateFolder } from './inside-state-folder.ts';
import { ensureStateFolder, statePaths } from './state-folder.ts';
import { readText } from '../files/read-text.ts';
import { writeFileAtomic } from '../files/write-atomic.ts';

const version = 1;

/** The stored element positions; empty when there is no readable file. */
export async function readLayout(stateFolder: string, entity: string): Promise<CanvasLayout> {
  try {
    const path = await insideStateFolder(stateFolder, statePaths.layout(stateFolder, entity));
    const text = await readText(path);
    const file = JSON.parse(text) as Partial<CanvasLayout> & { readonly version?: unknown };
    if (file.version !== version || typeof file.elements !== 'object') return { elements: {} };
    const places = Object.entries(file.elements).filter(([, at]) => Number.isFinite(at.x) && Number.isFinite(at.y));
    return { elements: Object.fromEntries(places) };
  } catch {
    return { elements: {} };
  }
}

/**
 * Replaces the positions atomically; one line per element sorted by name, for readable diffs. Rejects with
 * `link-leads-out`, else with the file system error.
 */
export async function writeLayout(stateFolder: string, entity: string, { elements }: CanvasLayout): Promise<void> {
  const path = await insideStateFolder(stateFolder, statePaths.layout(stateFolder, entity));
  const places = Object.entries(elements).toSorted(([one], [other]) => (one < other ? -1 : 1));
  if (places.length === 0) return rm(path, { force: true });
  await ensureStateFolder(stateFolder);
  const lines = places.map(
    ([id, { x, y }]) => `    ${JSON.stringify(id)}: ${JSON.stringify({ x: Math.round(x), y: Math.round(y) })}`,
  );
  await writeFileAtomic(path, `{\n  "version": ${version},\n  "elements": {\n${lines.join(',\n')}\n  }\n}\n`);
}
