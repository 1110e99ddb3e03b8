import { type Disposable, EventEmitter, Range, Uri, window, workspace } from 'vscode';
import type { ShowQueryResult, ShownStep } from '../../protocol/query-results.ts';

const scheme = 'entity-graph-query';

/** Read-only SQL documents with what Show Query found. */
export interface QueryDocuments extends Disposable {
  /** Opens the query of an element or relationship, its core in view. */
  show(name: string, result: ShowQueryResult): Promise<void>;
}

export function createQueryDocuments(): QueryDocuments {
  const texts = new Map<string, string>();
  const changed = new EventEmitter<Uri>();
  const provider = workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: changed.event,
    provideTextDocumentContent: (uri) => texts.get(uri.toString()) ?? '',
  });
  const closed = workspace.onDidCloseTextDocument(({ uri }) => texts.delete(uri.toString()));
  return {
    async show(name, result) {
      const uri = Uri.from({ scheme, path: `/${name.replaceAll(/[/\\]/g, '∕')}.sql` });
      const { text, coreLine } = printSteps(result.steps);
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

/** Every step under a comment that says what it is; the texts stand there as they are executed. */
export function printSteps(steps: readonly ShownStep[]): { readonly text: string; readonly coreLine: number } {
  const parts = steps.map(({ title, text }) => `-- ${title}\n${text}\n`);
  const core = steps.findIndex(({ role }) => role === 'core');
  const before = parts.slice(0, Math.max(core, 0)).map((part) => `${part}\n`);
  return { text: parts.join('\n'), coreLine: before.join('').split('\n').length - 1 };
}
