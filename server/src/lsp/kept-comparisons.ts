import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { GraphEffect } from '../../../protocol/graph-effect.ts';
import type { ComparedStores } from '../operations/effect/graph-effect.ts';
import type { OpenDocuments } from './documents/open-documents.ts';

/** A comparison of a document with another text. */
interface KeptComparison {
  readonly effect: GraphEffect;
  /** The text that was compared. */
  readonly text: string;
  /** Its graphs, whose rows its numbers open; absent if none were built. */
  readonly stores?: ComparedStores | undefined;
}

/** By URI: comparisons with other texts. Their graphs are deleted with them, when the document is closed, and on exit. */
export interface KeptComparisons {
  get(uri: string): KeptComparison | undefined;
  set(uri: string, comparison: KeptComparison): void;
  delete(uri: string): void;
}

export function createKeptComparisons(documents: Pick<OpenDocuments, 'onClosed'>): KeptComparisons {
  const kept = new Map<string, KeptComparison>();
  const forget = (uri: string): void => {
    const stores = kept.get(uri)?.stores;
    kept.delete(uri);
    if (stores) void deleteStores(stores);
  };
  documents.onClosed(forget);
  process.once('exit', () => {
    for (const { stores } of kept.values()) if (stores) rmSync(stores.folder, { recursive: true, force: true });
  });
  return {
    get: (uri) => kept.get(uri),
    set(uri, comparison) {
      forget(uri);
      kept.set(uri, comparison);
    },
    delete: forget,
  };
}

/** Never rejects: a file that is in use is left to the system's cleaning of temporary files. */
export async function deleteStores({ folder }: ComparedStores): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => undefined);
}
