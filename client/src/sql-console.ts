import {
  type CancellationToken,
  CodeLens,
  CompletionItem,
  CompletionItemKind,
  type Disposable,
  Disposable as Disposables,
  Position,
  Range,
  Selection,
  type TextDocument,
  Uri,
  l10n,
  languages,
  window,
  workspace,
} from 'vscode';
import type { GraphTableView } from '../../protocol/event-graph.ts';
import { defaultPreviewRows } from '../../protocol/preview-limits.ts';
import type { Outcome, TestQueryResult } from '../../protocol/query-results.ts';
import { commandIds } from './command-ids.ts';
import { isGraphPath } from './active-graph.ts';
import { fileName } from './import-messages.ts';
import type { GraphLanguage } from './language-client.ts';
import type { RunningQuery } from './query-history.ts';
import type { ResultsPanel } from './results-panel.ts';
import { isTablePosition } from './table-position.ts';
import { runQuery } from './run-query.ts';
import { showInformationMessage } from './messages.ts';

/** SQL console on an imported graph: an editor with completion, and rows in the results panel. */
export interface SqlConsole extends Disposable {
  /** @param statement to begin with; an example if absent */
  open(uri: Uri, statement?: string): Promise<void>;
  /** Shows the rows of a statement in the results panel. */
  show(uri: Uri, title: string, sql: string): Promise<void>;
  /** Runs the statements that are selected, or the one at the cursor. */
  run(document: TextDocument): Promise<void>;
}

const example = `SELECT activity, lifecycle, count(*) AS events, min(time) AS first, max(time) AS last
FROM event
GROUP BY ALL
ORDER BY events DESC`;

/** The first line names the graph, so that a restored or saved document still refers to it. */
const directive = /^-- entity-graph: (\S.*?)\s*$/;
/** docs/semantics.md#197-named-queries */
const isNamedQuery = /\/queries\/[^/]+\.sql$/;

export function createSqlConsole(language: GraphLanguage, results: ResultsPanel): SqlConsole {
  const selector = { language: 'sql' };
  const ask = askingWith(language);

  async function show(graph: Uri, title: string, sql: string, uri = graph): Promise<void> {
    const limit = workspace.getConfiguration('entityGraph', graph).get('previewRows', defaultPreviewRows);
    const execute = ({ token }: RunningQuery) => ask<TestQueryResult>(graph, 'sql', { sql, limit }, token);
    await runQuery(results, { title, source: fileName(graph), uri, graph, execute }, graph);
  }

  /** Lists the tables of the graph; empty when unavailable. */
  async function tablesLine(uri: Uri): Promise<string> {
    const answer = await ask<readonly GraphTableView[]>(uri, 'tables', {});
    return answer.ok && answer.value.length > 0
      ? `-- Tables: ${namesOf(answer.value, 'table')}; views: ${namesOf(answer.value, 'view')}; nothing can be changed, and nothing is kept between runs.\n`
      : '';
  }

  const completion = languages.registerCompletionItemProvider(
    selector,
    {
      async provideCompletionItems(document, position) {
        const { tables } = await queriedGraph(ask, document);
        // A column of the same beginning would be listed among the tables: editors order by how well names match.
        const before = document.getText(new Range(new Position(0, 0), position));
        return isTablePosition(before) ? tables.map(tableItem) : tables.flatMap(completionsOf);
      },
    },
    '.',
    ' ',
  );
  const lenses = languages.registerCodeLensProvider(selector, {
    provideCodeLenses: async (document) =>
      (await graphsOf(document)).length > 0
        ? [
            new CodeLens(new Range(0, 0, 0, 0), {
              title: l10n.t('$(play) Run the Statement at the Cursor'),
              command: commandIds.runSql,
            }),
          ]
        : [],
  });

  return {
    show,
    async open(uri, statement = example) {
      const path = workspace.asRelativePath(uri, false);
      const content = `-- entity-graph: ${path}
${await tablesLine(uri)}
${statement};
`;
      const document = await workspace.openTextDocument({ language: 'sql', content });
      const editor = await window.showTextDocument(document);
      editor.selection = new Selection(3, 0, 3, 0);
    },
    async run(document) {
      const { graph } = await queriedGraph(ask, document);
      if (!graph) {
        void showInformationMessage(
          l10n.t(
            'The first line of an SQL console names its entity graph: -- entity-graph: incidents.entity.yaml. Files of the folder queries beside a graph need no such line.',
          ),
        );
        return;
      }
      const sql = statementAt(document);
      await show(graph, titleOf(sql), sql, document.uri);
    },
    dispose: () => Disposables.from(completion, lenses).dispose(),
  };
}

/** A question about the imported graph of an entity graph. */
type Ask = <T>(uri: Uri, question: 'tables' | 'sql', params: unknown, token?: CancellationToken) => Promise<Outcome<T>>;

function askingWith(language: GraphLanguage): Ask {
  return async <T>(uri: Uri, question: 'tables' | 'sql', params: unknown, token?: CancellationToken) => {
    const asked = { uri: uri.toString(), question, params };
    return (await language.request('entityGraph/eventGraph', asked, token)) as Outcome<T>;
  };
}

/** The first graph of a document that is imported, with its tables; else the first one. */
async function queriedGraph(
  ask: Ask,
  document: TextDocument,
): Promise<{ readonly graph?: Uri | undefined; readonly tables: readonly GraphTableView[] }> {
  const graphs = await graphsOf(document);
  for (const graph of graphs) {
    const tables = await ask<readonly GraphTableView[]>(graph, 'tables', {});
    if (tables.ok) return { graph, tables: tables.value };
  }
  return { graph: graphs[0], tables: [] };
}

/** The statement without the comments before it, which say nothing about the rows. */
function titleOf(sql: string): string {
  const statement = sql.replace(/^(?:\s+|--.*(?:\n|$)|\/\*[^]*?\*\/)+/, '');
  return (statement === '' ? sql : statement).replaceAll(/\s+/g, ' ').slice(0, 60);
}

/** The entity graph named in the first line, in one of the open folders; else those beside a folder of queries. */
async function graphsOf(document: TextDocument): Promise<readonly Uri[]> {
  const [, path] = directive.exec(document.lineCount > 0 ? document.lineAt(0).text : '') ?? [];
  if (path === undefined) return graphsBeside(document.uri);
  const folders = workspace.workspaceFolders ?? [];
  // In multi-root workspaces paths usually start with the folder name; here they do not.
  const own =
    workspace.getWorkspaceFolder(document.uri) ??
    folders.find(({ uri }) => workspace.textDocuments.some((each) => each.uri.path === `${uri.path}/${path}`));
  const folder = own ?? folders[0];
  return folder ? [Uri.joinPath(folder.uri, path)] : [];
}

/** The entity graphs of the folder whose folder `queries` has a file, by name. */
async function graphsBeside(uri: Uri): Promise<readonly Uri[]> {
  if (uri.scheme === 'untitled' || !isNamedQuery.test(uri.path)) return [];
  const folder = Uri.joinPath(uri, '../..');
  const entries = await workspace.fs.readDirectory(folder).then(
    (found) => found,
    () => [],
  );
  return entries
    .map(([name]) => name)
    .toSorted()
    .map((name) => Uri.joinPath(folder, name))
    .filter(isGraphPath);
}

/** The selection, else the statement around the cursor; statements end with a semicolon at a line end. */
function statementAt(document: TextDocument): string {
  const editor = window.activeTextEditor;
  if (editor?.document !== document) return document.getText();
  if (!editor.selection.isEmpty) return document.getText(editor.selection);
  return statementAtLine(document.getText(), editor.selection.active.line);
}

/** The statement at a 0-based line; between statements, the previous one. */
function statementAtLine(text: string, line: number): string {
  const statements: { readonly first: number; readonly sql: string }[] = [];
  let begun: { first: number; lines: string[] } | undefined;
  for (const [number, content] of text.split('\n').entries()) {
    if (!begun && content.trim() === '') continue;
    begun ??= { first: number, lines: [] };
    begun.lines.push(content);
    if (!content.trimEnd().endsWith(';')) continue;
    statements.push({ first: begun.first, sql: begun.lines.join('\n') });
    begun = undefined;
  }
  if (begun && begun.lines.some((content) => content.trim() !== '' && !content.trim().startsWith('--')))
    statements.push({ first: begun.first, sql: begun.lines.join('\n') });
  return (statements.findLast(({ first }) => first <= line) ?? statements[0])?.sql ?? '';
}

function namesOf(tables: readonly GraphTableView[], of: GraphTableView['kind']): string {
  return tables.flatMap(({ kind, sql }) => (kind === of ? [sql] : [])).join(', ');
}

function tableItem({ name, sql, kind }: GraphTableView): CompletionItem {
  const table = new CompletionItem(name, CompletionItemKind.Class);
  table.detail = kind;
  table.insertText = sql;
  // Tables come before views.
  table.sortText = `${kind === 'table' ? 1 : 2}${name}`;
  return table;
}

function completionsOf(table: GraphTableView): readonly CompletionItem[] {
  return [
    tableItem(table),
    ...table.columns.map((column) => {
      const item = new CompletionItem({ label: column.name, description: table.name }, CompletionItemKind.Field);
      item.detail = column.type;
      item.sortText = `0${column.name}`;
      return item;
    }),
  ];
}
