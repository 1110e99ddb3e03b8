import {
  type CustomTextEditorProvider,
  Disposable,
  type TextDocument,
  TextEditorSelectionChangeKind,
  Uri,
  type WebviewPanel,
  env,
  l10n,
  window,
} from 'vscode';
import type { FromWebview } from '../../protocol/webview-messages.ts';
import { type CanvasServices, createCanvasResponder } from './canvas-requests.ts';
import { fileName } from './import-messages.ts';
import { followGraphView } from './follow-graph-view.ts';
import { createGraphMessages } from './graph-messages.ts';
import { revealInVisible, revealRange } from './reveal-range.ts';
import { createWebviewChannel } from './webview-channel.ts';
import { webviewFolder, webviewHtml } from './webview-html.ts';
import type { WebviewResponder } from './webview-responder.ts';

/** Custom editor that draws and edits an entity graph as text; the drawing follows the text. */
export function createCanvasEditor(
  extensionUri: Uri,
  services: CanvasServices,
  onError: (error: unknown) => void,
): CustomTextEditorProvider {
  return {
    resolveCustomTextEditor(document, panel) {
      // The text of the same file is often open beside it.
      panel.title = l10n.t('{0} (Canvas)', fileName(document.uri));
      panel.webview.options = { enableScripts: true, localResourceRoots: [webviewFolder(extensionUri)] };
      const stop = followDocument(document, panel, services, onError);
      panel.onDidDispose(() => stop.dispose());
      panel.webview.html = webviewHtml(panel.webview, extensionUri, {
        title: l10n.t('Canvas'),
        script: 'canvas.js',
        worker: true,
        isLarge: true,
      });
    },
  };
}

function followDocument(
  document: TextDocument,
  panel: WebviewPanel,
  services: CanvasServices,
  onError: (error: unknown) => void,
): Disposable {
  const { language } = services;
  const uri = document.uri.toString();
  const channel = createWebviewChannel(panel.webview, (message) => receive(message), onError);
  const importPage = services.importPages.open(uri, panel, (news) => channel.amend({ type: 'importNews', news }));
  const responder = createCanvasResponder(services, document, importPage);
  const toMessages = createGraphMessages();
  const followed = followGraphView(
    () => language.request('entityGraph/graphView', { uri, follow: true }),
    (view) => {
      const { whole, change } = toMessages(view);
      channel.amend(whole, change);
    },
    onError,
  );

  function receive(message: Exclude<FromWebview, { type: 'ready' }>): void {
    if (message.type === 'request') {
      const { id } = message;
      const report = (step: string): void => channel.send({ type: 'requestProgress', id, step });
      void responder.answer(message, report).then((result) => channel.send({ type: 'response', id, result }));
    } else receiveNotice(document, message, responder);
  }

  function tellComparison(): void {
    const made = services.comparisons.of(document.uri);
    const shown = made && { canvas: made.comparison.canvas, isOutdated: made.isOutdated };
    channel.amend({ type: 'comparison', shown: shown ?? null });
  }

  followed.ask();
  if (services.comparisons.of(document.uri)) tellComparison();
  return Disposable.from(
    language.onNotification('entityGraph/graphChanged', (changed) => {
      if (changed.uri === uri) followed.changed(changed);
    }),
    language.onNotification('entityGraph/catalogChanged', ({ graphs, besides, dataSource, state }) => {
      if (graphs.includes(uri)) channel.amend({ type: 'catalog', state });
      // A page that opens later asks for all of them.
      else if (besides.includes(uri)) channel.send({ type: 'otherCatalog', dataSource, state });
    }),
    new Disposable(() => void language.notify('entityGraph/unfollowGraph', { uri }).catch(onError)),
    window.onDidChangeTextEditorSelection(({ textEditor, selections, kind }) => {
      // Ignores programmatic selections, including our own.
      const byHand = kind === TextEditorSelectionChangeKind.Mouse || kind === TextEditorSelectionChangeKind.Keyboard;
      const [first] = selections;
      if (!byHand || !first || textEditor.document.uri.toString() !== uri) return;
      const { line, character } = first.active;
      channel.send({ type: 'textSelection', position: { line, character } });
    }),
    services.comparisons.onDidChange((compared) => {
      if (compared.toString() === uri) tellComparison();
    }),
    importPage,
    responder,
    channel,
  );
}

function receiveNotice(
  document: TextDocument,
  message: Exclude<FromWebview, { type: 'ready' | 'request' }>,
  responder: WebviewResponder,
): void {
  if (message.type === 'cancelRequest') responder.cancel(message.id);
  else if (message.type === 'copy') void env.clipboard.writeText(message.text);
  else if (message.type === 'revealRange') {
    const uri = message.file === undefined ? document.uri : Uri.file(message.file);
    if (message.quiet) revealInVisible(uri, message.range);
    else void revealRange(uri, message.range);
  }
}
