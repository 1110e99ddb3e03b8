import { type Disposable, Uri, ViewColumn, type WebviewPanel, commands, env, l10n, window, workspace } from 'vscode';
import {
  type EventGraphPageRequests,
  type EventGraphQuestion,
  type QuestionAnswer,
  type QuestionParams,
  eventGraphDocumentRequests,
  eventGraphPageQuestions,
  eventGraphPageRequests,
} from '../../protocol/requests/event-graph-requests.ts';
import type { Outcome } from '../../protocol/query-results.ts';
import type { ToWebview } from '../../protocol/webview-messages.ts';
import { defaultPreviewRows } from '../../protocol/preview-limits.ts';
import { acceptFinding, mendFinding } from './accept-finding.ts';
import type { EditWriter } from './apply-edits.ts';
import type { CreateTestArguments } from './create-test-arguments.ts';
import { commandIds, eventGraphPanelType } from './command-ids.ts';
import type { DraftChoices } from './draft-choices.ts';
import { fileName } from './import-messages.ts';
import type { GraphLanguage } from './language-client.ts';
import { panelIcon } from './panel-icon.ts';
import type { RunningImports } from './running-imports.ts';
import type { RunningQuery } from './query-history.ts';
import type { ResultsPanel } from './results-panel.ts';
import { runQuery } from './run-query.ts';
import { saveRows } from './save-rows.ts';
import type { SqlConsole } from './sql-console.ts';
import { type WebviewChannel, createWebviewChannel } from './webview-channel.ts';
import { webviewFolder, webviewHtml } from './webview-html.ts';
import {
  type RequestHandlers,
  createWebviewResponder,
  forwardRequests,
  saveImage,
  success,
} from './webview-responder.ts';

/** A tab of the page, and the rule or entity that it shows. */
type EventGraphPlace = Pick<Extract<ToWebview, { type: 'eventGraph' }>, 'tab' | 'rule' | 'entity'>;

/** Event graph views, one editor per file. */
export interface EventGraphPanels extends Disposable {
  /** @param place shown in place of the last one. */
  open(uri: Uri, place?: EventGraphPlace): void;
  /** The graph of the view in front. */
  inFront(): Uri | undefined;
}

/** What requests of the page need besides the language server. */
interface PanelParts {
  readonly sqlConsole: SqlConsole;
  readonly results: ResultsPanel;
  readonly drafts: DraftChoices;
  readonly writer: EditWriter;
}

export function createEventGraphPanels(
  extensionUri: Uri,
  language: GraphLanguage,
  { imports, ...parts }: PanelParts & { readonly imports: RunningImports },
  onError: (error: unknown) => void,
): EventGraphPanels {
  const panels = new Map<string, { readonly panel: WebviewPanel; readonly channel: WebviewChannel }>();
  const handlers = createHandlers(language, parts);

  function take(uri: Uri, panel: WebviewPanel, place: EventGraphPlace): void {
    panel.iconPath = panelIcon(extensionUri);
    panel.webview.options = { enableScripts: true, localResourceRoots: [webviewFolder(extensionUri)] };
    const responder = createWebviewResponder(eventGraphPageRequests, handlers, uri);
    const channel = createWebviewChannel(
      panel.webview,
      (message) => {
        if (message.type === 'request') {
          const { id } = message;
          const report = (step: string): void => channel.send({ type: 'requestProgress', id, step });
          void responder.answer(message, report).then((result) => channel.send({ type: 'response', id, result }));
        } else if (message.type === 'cancelRequest') responder.cancel(message.id);
        else if (message.type === 'copy') void env.clipboard.writeText(message.text);
        else if (message.type === 'entityAction') {
          const { exportGraph, fetchGraph, suggestRules, import: importGraph } = commandIds;
          const asked = { exportGraph, fetchGraph, suggestRules }[message.action as string] ?? importGraph;
          void commands.executeCommand(asked, uri);
        }
      },
      onError,
    );
    panel.webview.html = webviewHtml(panel.webview, extensionUri, {
      title: panel.title,
      script: 'event-graph.js',
      worker: false,
      images: true,
    });
    panels.set(uri.toString(), { panel, channel });
    panel.onDidDispose(() => {
      responder.dispose();
      channel.dispose();
      panels.delete(uri.toString());
    });
    channel.show({ ...messageOf(uri), ...place });
  }

  let before = new Set(imports.all().keys());
  const ended = imports.onDidChange(() => {
    const now = new Set(imports.all().keys());
    // A finished import may have replaced the graph.
    for (const uri of before) {
      if (!now.has(uri)) panels.get(uri)?.channel.show(messageOf(Uri.parse(uri)));
    }
    before = now;
  });

  return {
    open(uri, place = {}) {
      const known = panels.get(uri.toString());
      if (known) {
        known.panel.reveal();
        if (place.tab) known.channel.amend({ ...messageOf(uri), ...place });
        return;
      }
      const title = l10n.t('Event Graph of {0}', fileName(uri).replace(/\.entity\.[a-z]+$/i, ''));
      take(uri, window.createWebviewPanel(eventGraphPanelType, title, ViewColumn.Active), place);
    },
    inFront() {
      const found = [...panels].find(([, { panel }]) => panel.active);
      return found && Uri.parse(found[0]);
    },
    dispose() {
      ended.dispose();
      for (const { panel } of panels.values()) panel.dispose();
    },
  };
}

function messageOf(uri: Uri): Extract<ToWebview, { type: 'eventGraph' }> {
  return { type: 'eventGraph', name: fileName(uri) };
}

function createHandlers(
  language: GraphLanguage,
  { sqlConsole, results, drafts, writer }: PanelParts,
): RequestHandlers<typeof eventGraphPageRequests, Uri> {
  const ask =
    <Q extends EventGraphQuestion>(question: Q) =>
    async (params: QuestionParams<Q>, uri: Uri, token: Parameters<GraphLanguage['request']>[2]) =>
      // The server's result type matches its question.
      (await language.request('entityGraph/eventGraph', { uri: uri.toString(), question, params }, token)) as Outcome<
        QuestionAnswer<Q>
      >;
  const questions = Object.keys(eventGraphPageQuestions).map(
    (name) => [name, ask(name as EventGraphQuestion)] as const,
  );
  const ofDocument = forwardRequests(language, eventGraphDocumentRequests);
  return {
    ...(Object.fromEntries(questions) as unknown as RequestHandlers<typeof eventGraphPageQuestions, Uri>),
    graphDiff: (params, uri, ...context) => ofDocument.graphDiff(params, { uri }, ...context),
    changedRows: (params, uri, ...context) => ofDocument.changedRows(params, { uri }, ...context),
    changedMap: (params, uri, ...context) => ofDocument.changedMap(params, { uri }, ...context),
    savedFilters: (params, uri, ...context) => ofDocument.savedFilters(params, { uri }, ...context),
    saveFilter: (params, uri, ...context) => ofDocument.saveFilter(params, { uri }, ...context),
    saveImage: (image, uri) => saveImage(language, image, uri),
    async saveRows({ name, text }, uri) {
      await saveRows(language, { name, text, format: 'csv' }, uri);
      return success(null);
    },
    async openNumber({ part, title, ...params }, uri, token) {
      const outcome = await ask('numberSql')({ ...params, withProperties: part === 'entities' }, uri, token);
      if (!outcome.ok) return outcome;
      const { number, ...parts } = outcome.value;
      if (part === 'sql') await sqlConsole.open(uri, number);
      else await sqlConsole.show(uri, title, parts[part]);
      return success(null);
    },
    openChangedRows: (number, uri) => showChangedRows(number, uri, { language, results }),
    async openSourceRows({ target, part }, uri) {
      const command = part === 'sql' ? commandIds.showQuery : commandIds.testQuery;
      await commands.executeCommand(command, uri.toString(), target);
      return success(null);
    },
    async createTest(asked, uri) {
      await commands.executeCommand(commandIds.createTest, uri, asked satisfies CreateTestArguments);
      return success(null);
    },
    acceptFinding: (finding, uri) => acceptFinding(uri, finding, { language, writer }),
    mendFinding: ({ elements }, uri) => mendFinding(uri, elements, { language, writer }),
    draftChoices: async (_, uri) => success(await drafts.view(uri)),
    async changeDraftChoice({ choice }, uri) {
      return (await commands.executeCommand(
        commandIds.showDraftChoices,
        uri,
        choice ?? 'before',
      )) satisfies Outcome<null>;
    },
    async dismissDraftChoices(_, uri) {
      const draft = drafts.of(uri);
      if (draft) await drafts.keep(uri, { ...draft, isDismissed: true });
      return success(null);
    },
    async openText(_, uri) {
      await window.showTextDocument(uri);
      return success(null);
    },
    async openSqlConsole({ sql }, uri) {
      if (sql === undefined) await commands.executeCommand(commandIds.openSqlConsole, uri);
      else await sqlConsole.open(uri, sql);
      return success(null);
    },
    async copySnippet({ kind }, uri, token) {
      const outcome = await ask('snippet')({ kind, file: workspace.asRelativePath(uri) }, uri, token);
      if (!outcome.ok) return outcome;
      await env.clipboard.writeText(outcome.value);
      void window.setStatusBarMessage(l10n.t('Copied.'), 3000);
      return success(null);
    },
  };
}

async function showChangedRows(
  { title, ...number }: EventGraphPageRequests['openChangedRows']['params'],
  uri: Uri,
  { language, results }: Pick<PanelParts, 'results'> & { readonly language: GraphLanguage },
): Promise<Outcome<null>> {
  const limit = workspace.getConfiguration('entityGraph', uri).get('previewRows', defaultPreviewRows);
  const execute = ({ token }: RunningQuery) =>
    language.request('entityGraph/changedRows', { uri: uri.toString(), ...number, limit }, token);
  await runQuery(results, { title, source: fileName(uri), uri, execute }, uri);
  return success(null);
}
