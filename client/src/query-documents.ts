import {
  type Disposable,
  EventEmitter,
  FoldingRange,
  Range,
  type Uri,
  ViewColumn,
  commands,
  languages,
  window,
  workspace,
} from 'vscode';
import type { ShowQueryResult, ShownStep } from '../../protocol/query-results.ts';
import { type QueryPart, queryPath } from './query-path.ts';

const scheme = 'entity-graph-query';

/** Read-only documents of Show Query: SQL, or requests with the SQL that runs on the fetched records. */
export interface QueryDocuments extends Disposable {
  /** Opens the query of a part of a graph. */
  show(graph: Uri, part: QueryPart, result: ShowQueryResult): Promise<void>;
}

export function createQueryDocuments(): QueryDocuments {
  const texts = new Map<string, string>();
  const foldable = new Map<string, readonly PrintedStep[]>();
  const changed = new EventEmitter<Uri>();
  const provider = workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: changed.event,
    provideTextDocumentContent: (uri) => texts.get(uri.toString()) ?? '',
  });
  const folding = languages.registerFoldingRangeProvider(
    { scheme },
    {
      provideFoldingRanges: ({ uri }) =>
        (foldable.get(uri.toString()) ?? []).map(({ start, end }) => new FoldingRange(start, end)),
    },
  );
  const closed = workspace.onDidCloseTextDocument(({ uri }) => {
    texts.delete(uri.toString());
    foldable.delete(uri.toString());
  });
  return {
    async show(graph, part, { steps }) {
      const uri = queryUri(graph, part, steps);
      const { text, folds } = printSteps(part.kind === 'plan' ? steps : queryFirst(steps));
      foldable.set(uri.toString(), folds);
      const known = texts.has(uri.toString());
      texts.set(uri.toString(), text);
      if (known) changed.fire(uri);
      const document = await workspace.openTextDocument(uri);
      const shown = window.visibleTextEditors.find(({ document: { uri: each } }) => each.scheme === scheme);
      const start = new Range(0, 0, 0, 0);
      // Beside the dialog or text, which stays visible; all queries share one editor group.
      const viewColumn = shown?.viewColumn ?? ViewColumn.Beside;
      await window.showTextDocument(document, { preview: true, selection: start, viewColumn });
      if (part.kind === 'plan') return;
      // The statements that the connector puts around the query are folded.
      const selectionLines = folds.filter(({ isQuery }) => !isQuery).map(({ start: line }) => line);
      if (selectionLines.length > 0) await commands.executeCommand('editor.fold', { selectionLines });
    },
    dispose() {
      provider.dispose();
      folding.dispose();
      closed.dispose();
      changed.dispose();
    },
  };
}

/** The URI of the document. */
function queryUri(graph: Uri, part: QueryPart, steps: readonly ShownStep[]): Uri {
  const path = queryPath(graph.path, part, isFetched(steps) ? 'http' : 'sql');
  return graph.with({ scheme, path, query: '', fragment: '' });
}

/** The lines of a step, from its title to its last line. */
interface PrintedStep {
  readonly start: number;
  readonly end: number;
  /** The core SELECT, or a request; the others are put around it by the connector. */
  readonly isQuery: boolean;
}

/** The query, then what the connector puts around it. */
export function queryFirst(steps: readonly ShownStep[]): readonly ShownStep[] {
  return [...steps.filter(isQuery), ...steps.filter((step) => !isQuery(step))];
}

/** All steps, each below a title line. */
export function printSteps(steps: readonly ShownStep[]): {
  readonly text: string;
  readonly folds: readonly PrintedStep[];
} {
  let line = 0;
  const folds: PrintedStep[] = [];
  const parts = steps.map((step) => {
    const { kind, title, text } = step;
    const part = kind === 'http' ? `### ${title}\n${parametersInLines(text)}\n` : `-- ${title}\n${text}\n`;
    const lines = part.split('\n').length;
    folds.push({ start: line, end: line + lines - 2, isQuery: isQuery(step) });
    line += lines;
    return part;
  });
  return { text: parts.join('\n'), folds };
}

/** The query parameters of each request line, one a line, as HTTP clients of editors read them. */
function parametersInLines(text: string): string {
  return text.replaceAll(/^([A-Z]+ [^\s?]+)\?(\S+)/gm, (_, address: string, parameters: string) => {
    const lines = parameters.split('&').map((each, index) => `    ${index === 0 ? '?' : '&'}${each}`);
    return [address, ...lines].join('\n');
  });
}

function isQuery({ kind, role }: ShownStep): boolean {
  return kind === 'http' || role === 'core';
}

function isFetched(steps: readonly ShownStep[]): boolean {
  return steps.some(({ kind }) => kind === 'http');
}
