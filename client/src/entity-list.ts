import { type Disposable, type Event, EventEmitter, type TextDocument, Uri, workspace } from 'vscode';
import { createDebouncer } from '../../protocol/debouncer.ts';
import type { EntityRow, ListFailure } from '../../protocol/entities-table.ts';
import type { GraphStatusView } from '../../protocol/requests/graph-requests.ts';
import type { EntityView } from '../../protocol/requests/lifecycle-requests.ts';
import { inNameOrder } from './entity-order.ts';
import type { GraphLanguage } from './language-client.ts';
import type { RememberedEntities } from './remembered-entities.ts';
import type { RunningImports } from './running-imports.ts';

/** Debounce of file changes before the list is read again. */
const debounceMs = 200;

/** Debounce of typing before the server is asked whether the graph differs from its import. */
const typingDelayMs = 400;

/** All entity graphs of the workspace with their import status, for the table and the tree. */
export interface EntityList extends Disposable {
  readonly onDidChange: Event<void>;
  /** Files or their state changed; not fired for progress of a running import. */
  readonly onDidRefresh: Event<void>;
  /** The server was asked for the status of a graph that was edited. */
  readonly onDidReadStatus: Event<ReadStatus>;
  /** The current rows by name; the first call reads them. Never rejects. */
  rows(): Promise<readonly EntityRow[]>;
  /** Rows of an earlier run while the server has not answered yet; undefined later, and without any. Never rejects. */
  earlierRows(): Promise<readonly EntityRow[] | undefined>;
  /** Why the list may be incomplete. Never rejects. */
  failures(): Promise<readonly ListFailure[]>;
  /** Reads the files again. */
  refresh(): void;
}

interface ReadStatus {
  readonly uri: string;
  /** Null without a status. */
  readonly status: GraphStatusView | null;
}

/** The response of the server, or its failure. */
interface Listing {
  readonly views: readonly EntityView[];
  readonly failures: readonly ListFailure[];
}

// eslint-disable-next-line max-lines-per-function -- Rows, typed texts and rows of an earlier run share what is known of each graph.
export function createEntityList(
  language: GraphLanguage,
  imports: RunningImports,
  remembered: RememberedEntities,
  onError: (error: unknown) => void,
): EntityList {
  const changed = new EventEmitter<void>();
  const refreshed = new EventEmitter<void>();
  const statusRead = new EventEmitter<ReadStatus>();
  let known: Promise<Listing> | undefined;
  let earlier: Promise<readonly EntityView[] | undefined> | undefined;
  let isAnswered = false;

  function read(): Promise<Listing> {
    known ??= language
      .request('entityGraph/entities', {})
      .then(({ entities, unreadable }) => {
        // VS Code encodes some characters of a URI differently from the server.
        const views = entities.map((view) => ({ ...view, uri: Uri.parse(view.uri).toString() }));
        void remembered.keep(views);
        return { views, failures: unreadable.map(({ uri, error }) => ({ ...error, uri: Uri.parse(uri).toString() })) };
      })
      .finally(() => (isAnswered = true))
      .catch((error: unknown) => {
        onError(error);
        known = undefined;
        const message = error instanceof Error ? error.message : String(error);
        return { views: [], failures: [{ code: 'internal-error', message }] };
      });
    return known;
  }

  function rowsOf(views: readonly EntityView[]): readonly EntityRow[] {
    return inNameOrder(
      views.map((view): EntityRow => {
        const running = imports.of(view.uri);
        const path = workspace.asRelativePath(Uri.parse(view.uri));
        return { ...view, path, running };
      }),
    );
  }

  const refreshing = createDebouncer(debounceMs, () => {
    known = undefined;
    changed.fire();
    refreshed.fire();
  });
  const refresh = (): void => refreshing.schedule();

  /** Graphs edited, or closed without saving, since their rows were read. */
  const typedIn = new Set<string>();
  const looking = createDebouncer(typingDelayMs, () => void lookAtTyped().catch(onError));

  function typed({ languageId, uri }: TextDocument): void {
    if (languageId !== 'entity-graph') return;
    typedIn.add(uri.toString());
    looking.schedule();
  }

  /** Reads the status of edited graphs. Reads a loaded list again only if a graph has become modified or broken, or ceased to be. */
  async function lookAtTyped(): Promise<void> {
    const uris = [...typedIn];
    typedIn.clear();
    for (const uri of uris) {
      const status = await language.request('entityGraph/status', { uri });
      statusRead.fire({ uri, status });
      const listing = await known;
      if (!status || !listing) continue;
      const row = listing.views.find((each) => each.uri === uri);
      const { modifiedSinceImport, problem } = status;
      if (row?.modifiedSinceImport !== modifiedSinceImport || row.problem?.code !== problem?.code) refresh();
    }
  }

  // The state folder is watched, because another window or the command line may import.
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
    // Watchers report a deleted folder, not the files in it.
    workspace.onDidRenameFiles(refresh),
    workspace.onDidDeleteFiles(refresh),
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => contentChanges.length > 0 && typed(document)),
    workspace.onDidCloseTextDocument(typed),
    imports.onDidChange(() => changed.fire()),
  );
  return {
    onDidChange: changed.event,
    onDidRefresh: refreshed.event,
    onDidReadStatus: statusRead.event,
    rows: async () => rowsOf((await read()).views),
    async earlierRows() {
      if (isAnswered) return undefined;
      const views = (await (earlier ??= remembered.read())) ?? [];
      // Folders may have left the workspace.
      const present = views.filter(({ uri }) => workspace.getWorkspaceFolder(Uri.parse(uri)));
      return isAnswered || present.length === 0 ? undefined : rowsOf(present);
    },
    failures: async () => (await read()).failures,
    refresh,
    dispose() {
      refreshing.cancel();
      looking.cancel();
      for (const subscription of subscriptions) subscription.dispose();
      changed.dispose();
      refreshed.dispose();
      statusRead.dispose();
    },
  };
}
