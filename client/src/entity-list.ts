import { type Disposable, type Event, EventEmitter, type TextDocument, Uri, workspace } from 'vscode';
import { createDebouncer } from '../../protocol/debouncer.ts';
import type { EntityRow, ListFailure } from '../../protocol/entities-table.ts';
import type { EntityView } from '../../protocol/language-requests.ts';
import { inNameOrder } from './entity-order.ts';
import type { GraphLanguage } from './language-client.ts';
import type { RunningImports } from './running-imports.ts';

/** Changes of files gather for so long before the list is read again. */
const debounceMs = 200;

/** How long typing rests before it is asked whether the graph differs from what was imported. */
const typingDelayMs = 400;

/** All entity graphs of the workspace with their import status: what the table and the tree show. */
export interface EntityList extends Disposable {
  readonly onDidChange: Event<void>;
  /** Files or their states changed: not fired for the steps of a running import. */
  readonly onDidRefresh: Event<void>;
  /** The rows as they are known now, by name; reads them first when nobody has asked before. Never rejects. */
  rows(): Promise<readonly EntityRow[]>;
  /** Why there may be more graphs than rows. Never rejects. */
  failures(): Promise<readonly ListFailure[]>;
  /** Reads the files anew. */
  refresh(): void;
}

/** What the server has said, or why it said nothing. */
interface Listing {
  readonly views: readonly EntityView[];
  readonly failures: readonly ListFailure[];
}

export function createEntityList(
  language: GraphLanguage,
  imports: RunningImports,
  onError: (error: unknown) => void,
): EntityList {
  const changed = new EventEmitter<void>();
  const refreshed = new EventEmitter<void>();
  let known: Promise<Listing> | undefined;

  function read(): Promise<Listing> {
    known ??= language
      .request('entityGraph/entities', {})
      .then(({ entities, unreadable }) => ({
        // VS Code writes some characters of an address otherwise than the server does.
        views: entities.map((view) => ({ ...view, uri: Uri.parse(view.uri).toString() })),
        failures: unreadable.map(({ uri, error }) => ({ ...error, uri: Uri.parse(uri).toString() })),
      }))
      .catch((error: unknown) => {
        onError(error);
        known = undefined;
        const message = error instanceof Error ? error.message : String(error);
        return { views: [], failures: [{ code: 'internal-error', message }] };
      });
    return known;
  }

  const refreshing = createDebouncer(debounceMs, () => {
    known = undefined;
    changed.fire();
    refreshed.fire();
  });
  const refresh = (): void => refreshing.schedule();

  /** Graphs that were typed in, or closed without being saved, since their rows were read. */
  const typedIn = new Set<string>();
  const looking = createDebouncer(typingDelayMs, () => void lookAtTyped().catch(onError));

  function typed({ languageId, uri }: TextDocument): void {
    if (languageId !== 'entity-graph') return;
    typedIn.add(uri.toString());
    looking.schedule();
  }

  /** All files are read again only when one of them became modified since its import or broken, or ceased to be. */
  async function lookAtTyped(): Promise<void> {
    const uris = [...typedIn];
    typedIn.clear();
    const rows = (await known)?.views ?? [];
    for (const uri of uris) {
      const status = await language.request('entityGraph/status', { uri });
      const row = rows.find((each) => each.uri === uri);
      if (!status) continue;
      const { modifiedSinceImport, problem } = status;
      if (row?.modifiedSinceImport !== modifiedSinceImport || row.problem?.code !== problem?.code) return refresh();
    }
  }

  // The state is watched too: another window or the command line may import.
  const watchers = [
    '**/*.entity.{yaml,yml,json}',
    '**/entity-sources.{yaml,yml,json}',
    '**/.entity-graph/state/**/*.json',
  ];
  const subscriptions = watchers.flatMap((pattern) => {
    const files = workspace.createFileSystemWatcher(pattern);
    return [files, files.onDidChange(refresh), files.onDidCreate(refresh), files.onDidDelete(refresh)];
  });
  subscriptions.push(
    workspace.onDidChangeWorkspaceFolders(refresh),
    // Watchers tell of a folder that goes, not of the files in it.
    workspace.onDidRenameFiles(refresh),
    workspace.onDidDeleteFiles(refresh),
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => contentChanges.length > 0 && typed(document)),
    workspace.onDidCloseTextDocument(typed),
    imports.onDidChange(() => changed.fire()),
  );
  return {
    onDidChange: changed.event,
    onDidRefresh: refreshed.event,
    async rows() {
      const { views } = await read();
      return inNameOrder(
        views.map((view): EntityRow => {
          const running = imports.of(view.uri);
          const path = workspace.asRelativePath(Uri.parse(view.uri));
          return { ...view, path, ...(running ? { running } : {}) };
        }),
      );
    },
    failures: async () => (await read()).failures,
    refresh,
    dispose() {
      refreshing.cancel();
      looking.cancel();
      for (const subscription of subscriptions) subscription.dispose();
      changed.dispose();
      refreshed.dispose();
    },
  };
}
