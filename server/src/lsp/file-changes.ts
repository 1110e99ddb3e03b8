import type { FileEvent } from 'vscode-languageserver/node';
import { createDebouncer } from '../../../protocol/debouncer.ts';
import { sourcesFileNames } from '../project/find-sources.ts';
import { isEntityFile } from '../project/list-entity-files.ts';
import type { GraphContexts } from './diagnostics/graph-contexts.ts';
import type { TestContexts } from './diagnostics/test-contexts.ts';
import { fileNameOfUri, pathOfUri } from './file-uri.ts';
import type { KnownReferences } from './sources/known-references.ts';
import type { SourceUses } from './sources/source-uses.ts';

/** Debounce of file changes before graphs look up their sources files. */
const sourcesDelayMs = 200;

/** Passes changed files on to everything that depends on them. */
export interface FileChanges {
  /** Graphs may have other sources files, or sources files another text. */
  sourcesChanged(): void;
  /** Watched files were created, changed or deleted. */
  filesChanged(changes: readonly FileEvent[]): void;
  /** Workspace folders were added or removed. */
  foldersChanged(): void;
}

interface FileChangesDependencies {
  readonly contexts: Pick<GraphContexts, 'sourcesChanged' | 'dataFilesChanged'>;
  readonly tests: Pick<TestContexts, 'sourcesChanged' | 'dataFilesChanged' | 'graphsChanged'>;
  readonly uses: Pick<SourceUses, 'filesChanged'>;
  readonly references: Pick<KnownReferences, 'filesChanged'>;
  readonly background: (work: () => Promise<void>) => void;
}

export function createFileChanges(dependencies: FileChangesDependencies): FileChanges {
  const { contexts, tests, uses, references, background } = dependencies;
  const searching = createDebouncer(sourcesDelayMs, () => {
    tests.sourcesChanged();
    background(() => contexts.sourcesChanged());
  });
  const sourcesChanged = (): void => searching.schedule();

  const changedFiles = new Set<string>();
  const rereading = createDebouncer(sourcesDelayMs, () => {
    const changed = [...changedFiles];
    changedFiles.clear();
    background(() => contexts.dataFilesChanged(changed));
    background(() => tests.dataFilesChanged(changed));
  });

  return {
    sourcesChanged,
    filesChanged(changes) {
      if (changes.some(isSources)) {
        sourcesChanged();
        references.filesChanged();
      }
      if (changes.some((change) => isSources(change) || isGraph(change))) uses.filesChanged();
      tests.graphsChanged(changes.filter(isGraph).map(({ uri }) => pathOfUri(uri)));
      const others = changes.filter((change) => !isSources(change) && !isGraph(change));
      if (others.length === 0) return;
      for (const path of others.flatMap(({ uri }) => pathOfUri(uri) ?? [])) changedFiles.add(path);
      rereading.schedule();
    },
    foldersChanged() {
      uses.filesChanged();
      references.filesChanged();
      sourcesChanged();
    },
  };
}

function isSources({ uri }: FileEvent): boolean {
  return sourcesFileNames.some((name) => fileNameOfUri(uri) === name);
}

function isGraph({ uri }: FileEvent): boolean {
  return isEntityFile(fileNameOfUri(uri));
}
