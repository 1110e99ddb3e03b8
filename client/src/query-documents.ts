import { type Disposable, EventEmitter, Range, type Uri, window, workspace } from 'vscode';
import type { QueryTarget, ShowQueryResult, ShownStep } from '../../protocol/query-results.ts';

const scheme = 'entity-graph-query';

/** Read-only documents of Show Query: SQL, or requests with the SQL that runs on the fetched records. */
export interface QueryDocuments extends Disposable {
  /** Opens the query of a part of a graph. */
  show(graph: Uri, part: QueryPart, result: ShowQueryResult): Promise<void>;
}

/** The queried graph and part. */
export type QueryPart = QueryTarget | { readonly kind: 'plan'; readonly name: string };

export function createQueryDocuments(): QueryDocuments {
  const texts = new Map<string, string>();
  const changed = new EventEmitter<Uri>();
  const provider = workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: changed.event,
    provideTextDocumentContent: (uri) => texts.get(uri.toString()) ?? '',
  });
  const closed = workspace.onDidCloseTextDocument(({ uri }) => texts.delete(uri.toString()));
  return {
    async show(graph, part, { steps }) {
      const uri = queryUri(graph, part, steps);
      const { text, coreLine } = printSteps(steps);
      const known = texts.has(uri.toString());
      texts.set(uri.toString(), text);
      if (known) changed.fire(uri);
      const document = await workspace.openTextDocument(uri);
      const selection = new Range(coreLine, 0, coreLine, 0);
      await window.showTextDocument(document, { preview: true, selection });
    },
    dispose() {
      provider.dispose();
      closed.dispose();
      changed.dispose();
    },
  };
}

/**
 * The URI of the document. It includes graph and kind, because names may repeat. Its extension selects the language,
 * see `package.json`.
 */
export function queryUri(graph: Uri, { kind, name }: QueryPart, steps: readonly ShownStep[]): Uri {
  const ending = isFetched(steps) ? 'http' : 'sql';
  const path = `${graph.path}/${kind}/${name.replaceAll(/[/\\]/g, '∕')}.${ending}`;
  return graph.with({ scheme, path: path.startsWith('/') ? path : `/${path}`, query: '', fragment: '' });
}

/**
 * All steps, each below a title line. The selection starts at the core SELECT, or at the requests of fetched sources.
 */
export function printSteps(steps: readonly ShownStep[]): { readonly text: string; readonly coreLine: number } {
  const parts = steps.map(({ kind, title, text }) => `${kind === 'http' ? '###' : '--'} ${title}\n${text}\n`);
  const core = isFetched(steps) ? 0 : steps.findIndex(({ role }) => role === 'core');
  const before = parts.slice(0, Math.max(core, 0)).map((part) => `${part}\n`);
  return { text: parts.join('\n'), coreLine: before.join('').split('\n').length - 1 };
}

function isFetched(steps: readonly ShownStep[]): boolean {
  return steps.some(({ kind }) => kind === 'http');
}
