import { homedir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { type Disposable, type FileSystemWatcher, WatchKind } from 'vscode-languageserver/node';
import { createDebouncer } from '../../../../protocol/debouncer.ts';
import { sourcesFileNames } from '../../project/find-sources.ts';
import type { FilePlace } from '../../project/source-files.ts';
import type { ClientAbilities } from '../client-abilities.ts';
import { uriOfPath } from '../file-uri.ts';
import type { WorkspaceFolders } from '../workspace-folders.ts';

/** File watchers of the client. Without support, files are read once. */
export interface WatchedFiles {
  /** Graphs and sources files of the workspace folders. */
  start(): void;
  /** The files that open graphs depend on may have changed. */
  update(): void;
}

interface WatchedFilesDependencies {
  readonly abilities: () => ClientAbilities;
  readonly folders: Pick<WorkspaceFolders, 'of'>;
  /** Files outside of the workspace that open graphs depend on. */
  readonly places: () => Promise<readonly FilePlace[]>;
  /** Registers watchers until disposed. */
  readonly register: (watchers: FileSystemWatcher[]) => Promise<Disposable>;
  readonly background: (work: () => Promise<void>) => void;
}

/** Debounce before watchers are registered again. */
const debounceMs = 100;

export function createWatchedFiles(dependencies: WatchedFilesDependencies): WatchedFiles {
  const { abilities, folders, places, register, background } = dependencies;
  /** Registrations by watched glob. */
  const watched = new Map<string, Disposable>();
  let running = Promise.resolve();
  // Sequential, so that nothing is registered twice.
  const following = createDebouncer(debounceMs, () => background(() => (running = running.then(follow, follow))));

  async function follow(): Promise<void> {
    const { watchesAnyFolder } = abilities();
    const wanted = new Map<string, FileSystemWatcher>();
    for (const place of await places()) {
      const watcher = watcherOf(place, folders, watchesAnyFolder);
      if (watcher) wanted.set(JSON.stringify(watcher), watcher);
    }
    for (const [key, watcher] of wanted) if (!watched.has(key)) watched.set(key, await register([watcher]));
    for (const [key, registered] of watched) {
      if (wanted.has(key)) continue;
      watched.delete(key);
      registered.dispose();
    }
  }

  return {
    start() {
      if (!abilities().watchedFiles) return;
      const own = [...sourcesFileNames, '*.entity.{yaml,yml,json}'].map((name) => ({ globPattern: `**/${name}` }));
      background(async () => void (await register(own)));
    },
    update() {
      if (abilities().watchedFiles) following.schedule();
    },
  };
}

/** The watcher of a place; undefined if unsupported or too broad. */
export function watcherOf(
  place: FilePlace,
  folders: Pick<WorkspaceFolders, 'of'>,
  watchesAnyFolder: boolean,
): FileSystemWatcher | undefined {
  const watcher = watchesAnyFolder ? anywhere(place, folders) : inOpenFolder(place, folders);
  return watcher && place.comesAndGoes ? { ...watcher, kind: WatchKind.Create | WatchKind.Delete } : watcher;
}

function anywhere({ folder, glob }: FilePlace, folders: Pick<WorkspaceFolders, 'of'>): FileSystemWatcher | undefined {
  const isOpen = folders.of(join(folder, 'file')) !== undefined;
  // Root and home folders are too large to watch.
  const isTooWide =
    glob.includes('/') && !isOpen && (dirname(folder) === folder || (homedir() + sep).startsWith(folder + sep));
  return isTooWide ? undefined : { globPattern: { baseUri: uriOfPath(folder), pattern: glob } };
}

function inOpenFolder(
  { folder, glob }: FilePlace,
  folders: Pick<WorkspaceFolders, 'of'>,
): FileSystemWatcher | undefined {
  const around = folders.of(join(folder, 'file'));
  if (around === undefined) return undefined;
  const below = relative(around, folder)
    .split(sep)
    .filter((part) => part !== '');
  return { globPattern: ['**', ...below.map((part) => part.replace(/[*?{}[\]]/g, '?')), glob].join('/') };
}
