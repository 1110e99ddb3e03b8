import { homedir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { type Disposable, type FileSystemWatcher, WatchKind } from 'vscode-languageserver/node';
import { createDebouncer } from '../../../../protocol/debouncer.ts';
import { sourcesFileNames } from '../../project/find-sources.ts';
import type { FilePlace } from '../../project/source-files.ts';
import type { ClientAbilities } from '../client-abilities.ts';
import { uriOfPath } from '../file-uri.ts';
import type { WorkspaceFolders } from '../workspace-folders.ts';

/** What the editor watches for us on disk. An editor that cannot watch leaves everything as it was read. */
export interface WatchedFiles {
  /** Graphs and sources files of the open folders. */
  start(): void;
  /** The open graphs may depend on other files than before. */
  update(): void;
}

export interface WatchSurroundings {
  readonly abilities: () => ClientAbilities;
  readonly folders: Pick<WorkspaceFolders, 'of'>;
  /** Where files are that the open graphs depend on beside those. */
  readonly places: () => Promise<readonly FilePlace[]>;
  /** Asks the editor to watch until that is disposed of. */
  readonly register: (watchers: FileSystemWatcher[]) => Promise<Disposable>;
  readonly background: (work: () => Promise<void>) => void;
}

/** How long changes gather before the editor is asked for something else. */
const debounceMs = 100;

export function createWatchedFiles(surroundings: WatchSurroundings): WatchedFiles {
  const { abilities, folders, places, register, background } = surroundings;
  /** By what is watched. */
  const watched = new Map<string, Disposable>();
  let running = Promise.resolve();
  // One after the other, so that nothing is registered twice.
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

/** How an editor is asked to watch a place; undefined where it cannot, or should not. */
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
  // Everything that a machine or its user has is more than an editor can watch.
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
