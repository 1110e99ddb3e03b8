import {
  type CancellationToken,
  CancellationTokenSource,
  type Disposable,
  Uri,
  ViewColumn,
  type WebviewPanel,
  env,
  window,
} from 'vscode';
import type { Outcome, TestQueryResult } from '../../protocol/query-results.ts';
import type { FromWebview } from '../../protocol/webview-messages.ts';
import { resultsViewType } from './command-ids.ts';
import { revealRange } from './reveal-range.ts';
import { type WebviewChannel, createWebviewChannel } from './webview-channel.ts';
import { webviewFolder, webviewHtml } from './webview-html.ts';

/** A query whose rows are wanted. */
export interface QueryRun {
  readonly title: string;
  /** Where the rows come from, such as the data source's name. */
  readonly source: string;
  /** The entity graph; places in errors without a file are in it. */
  readonly uri: Uri;
  execute(token: CancellationToken): Promise<Outcome<TestQueryResult>>;
}

/** The one panel that shows what Test Query returns; a new query takes the place of the one before. */
export interface ResultsPanel extends Disposable {
  /** Resolves with the outcome that is shown; undefined when a newer query took its place. */
  run(query: QueryRun): Promise<Outcome<TestQueryResult> | undefined>;
}

interface OpenPanel {
  readonly panel: WebviewPanel;
  readonly channel: WebviewChannel;
}

interface RunningQuery {
  readonly query: QueryRun;
  readonly cancellation: CancellationTokenSource;
}

export function createResultsPanel(extensionUri: Uri): ResultsPanel {
  let open: OpenPanel | undefined;
  let newest: RunningQuery | undefined;

  function openPanel(title: string): OpenPanel {
    const panel = window.createWebviewPanel(
      resultsViewType,
      title,
      { viewColumn: ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, localResourceRoots: [webviewFolder(extensionUri)] },
    );
    const channel = createWebviewChannel(panel.webview, receive);
    panel.webview.html = webviewHtml(panel.webview, extensionUri, { title, script: 'results.js', worker: false });
    panel.onDidDispose(() => {
      channel.dispose();
      open = undefined;
      newest?.cancellation.cancel();
    });
    return { panel, channel };
  }

  function receive(message: Exclude<FromWebview, { type: 'ready' }>): void {
    if (message.type === 'cancel') newest?.cancellation.cancel();
    else if (message.type === 'copy') void env.clipboard.writeText(message.text);
    else if (message.type === 'revealRange' && newest)
      void revealRange(message.file === undefined ? newest.query.uri : Uri.file(message.file), message.range);
  }

  return {
    async run(query) {
      newest?.cancellation.cancel();
      const cancellation = new CancellationTokenSource();
      const running = { query, cancellation };
      newest = running;
      open ??= openPanel(query.title);
      open.panel.title = query.title;
      open.panel.reveal(undefined, true);
      open.channel.show({ type: 'running', title: query.title });
      const outcome = await outcomeOf(query, cancellation.token);
      if (newest !== running) return undefined;
      open?.channel.show(
        outcome.ok
          ? { type: 'result', title: query.title, source: query.source, result: outcome.value }
          : { type: 'failure', title: query.title, error: outcome.error },
      );
      return outcome;
    },
    dispose() {
      newest?.cancellation.cancel();
      open?.panel.dispose();
    },
  };
}

/** A server that cannot answer is a failure of the query too, as far as the panel is concerned. */
async function outcomeOf(query: QueryRun, token: CancellationToken): Promise<Outcome<TestQueryResult>> {
  try {
    return await query.execute(token);
  } catch (error) {
    if (token.isCancellationRequested) return { ok: false, error: { code: 'cancelled', message: 'Cancelled.' } };
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, error: { code: 'internal-error', message } };
  }
}
