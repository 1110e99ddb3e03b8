import { type CustomTextEditorProvider, type TextDocument, Uri, type WebviewPanel, env } from 'vscode';
import type { FromWebview } from '../../protocol/webview-messages.ts';
import type { GraphLanguage } from './language-client.ts';
import { revealRange } from './reveal-range.ts';
import { createWebviewChannel } from './webview-channel.ts';
import { webviewFolder, webviewHtml } from './webview-html.ts';

/** Draws an entity graph's file; the picture follows the text. */
export function createCanvasEditor(
  extensionUri: Uri,
  language: GraphLanguage,
  onError: (error: unknown) => void,
): CustomTextEditorProvider {
  return {
    resolveCustomTextEditor(document, panel) {
      panel.webview.options = { enableScripts: true, localResourceRoots: [webviewFolder(extensionUri)] };
      const stop = followDocument(document, panel, language, onError);
      panel.onDidDispose(stop);
      panel.webview.html = webviewHtml(panel.webview, extensionUri, {
        title: 'Canvas',
        script: 'canvas.js',
        worker: true,
      });
    },
  };
}

function followDocument(
  document: TextDocument,
  panel: WebviewPanel,
  language: GraphLanguage,
  onError: (error: unknown) => void,
): () => void {
  const uri = document.uri.toString();
  const channel = createWebviewChannel(panel.webview, (message) => receive(document, message));
  let asked = 0;
  let answered = 0;

  /** While one answer is under way, further changes need one more question at most. */
  async function update(): Promise<void> {
    asked += 1;
    if (asked - answered > 1) return;
    while (answered < asked) {
      const turn = asked;
      const view = await language.request('entityGraph/graphView', { uri });
      if (view) channel.show({ type: 'graph', view });
      answered = turn;
    }
  }

  const updateNow = (): void =>
    void update().catch((error: unknown) => {
      answered = asked;
      onError(error);
    });
  const subscription = language.onNotification('entityGraph/graphChanged', (changed) => {
    if (changed.uri === uri) updateNow();
  });
  updateNow();
  return () => {
    subscription.dispose();
    channel.dispose();
  };
}

function receive(document: TextDocument, message: Exclude<FromWebview, { type: 'ready' }>): void {
  if (message.type === 'revealRange') {
    void revealRange(message.file === undefined ? document.uri : Uri.file(message.file), message.range);
  } else if (message.type === 'copy') {
    void env.clipboard.writeText(message.text);
  }
}
