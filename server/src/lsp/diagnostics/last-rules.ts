import type { ImportedRules } from '../../language/imported-rules.ts';
import type { OpenGraph } from '../documents/open-documents.ts';
import type { SourcesFile } from '../../project/open-project.ts';

/** What the last imports of open graphs found of their rules, in memory, so that a keystroke needs no I/O. */
export interface LastRules {
  /** No I/O; undefined if unknown. */
  known(uri: string): ImportedRules | undefined;
  /** Reads it where it is not known yet. Never rejects. */
  read(graph: OpenGraph, sourcesFile: SourcesFile | undefined): Promise<void>;
  /** Another import may have been there. */
  outdate(): void;
  forget(uri: string): void;
}

export function createLastRules(): LastRules {
  const reads = new Map<string, Promise<void>>();
  const found = new Map<string, ImportedRules>();

  async function readNow({ uri, path }: OpenGraph, sourcesFile: SourcesFile): Promise<void> {
    const rules = path === undefined ? undefined : await lastImport(path, sourcesFile);
    if (rules) found.set(uri, rules);
    else found.delete(uri);
  }

  return {
    known: (uri) => found.get(uri),
    read(graph, sourcesFile) {
      // Graphs without rules, and those whose source is not known yet, are asked again when that changes.
      if (graph.parsed.graph.rules.length === 0 || !sourcesFile) return Promise.resolve();
      const reading = reads.get(graph.uri) ?? readNow(graph, sourcesFile);
      reads.set(graph.uri, reading);
      return reading;
    },
    outdate: () => reads.clear(),
    forget(uri) {
      reads.delete(uri);
      found.delete(uri);
    },
  };
}

async function lastImport(path: string, sourcesFile: SourcesFile): Promise<ImportedRules | undefined> {
  const { importedText } = await import('../../operations/imports/imported-counts.ts');
  const last = await importedText(path, sourcesFile).catch(() => undefined);
  if (last?.text === undefined || !last.counts?.rules) return undefined;
  const { importedRules } = await import('../../language/imported-rules.ts');
  return importedRules(last.text, last.counts.rules);
}
