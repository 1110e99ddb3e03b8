import {
  CancellationTokenSource,
  type Disposable,
  Uri,
  ViewColumn,
  type WebviewPanel,
  env,
  l10n,
  window,
  workspace,
} from 'vscode';
import type { ApiExchange, ApiList, ExplorerAction, ExplorerNews } from '../../protocol/api-explorer.ts';
import type { ApiParams } from '../../protocol/requests/platform-requests.ts';
import type { DataSourceView } from '../../protocol/requests/source-requests.ts';
import type { Failure, TextRange } from '../../protocol/query-results.ts';
import type { EditWriter } from './apply-edits.ts';
import { apiExplorerType } from './command-ids.ts';
import type { GraphLanguage } from './language-client.ts';
import { panelIcon } from './panel-icon.ts';
import { openText } from './platform/open-text.ts';
import { requestDetail } from './platform/request-detail.ts';
import { revealRange } from './reveal-range.ts';
import { showFailure } from './show-failure.ts';
import { type WebviewChannel, createWebviewChannel } from './webview-channel.ts';
import { webviewFolder, webviewHtml } from './webview-html.ts';
import { showInformationMessage, showWarningMessage } from './messages.ts';

/** API explorer panels, one per data source. */
export interface ApiExplorer extends Disposable {
  open(source: DataSourceView): Promise<void>;
}

interface OpenExplorer {
  readonly panel: WebviewPanel;
  readonly channel: WebviewChannel;
  sending?: CancellationTokenSource | undefined;
  /** Numbers previews, so that only the latest response is shown. */
  previews: number;
  /** The complete last response. */
  answer?: string;
}

// eslint-disable-next-line max-lines-per-function -- One explorer for each data source: its actions share the page and the request that runs.
export function createApiExplorer(
  extensionUri: Uri,
  language: GraphLanguage,
  writer: EditWriter,
  onError: (error: unknown) => void,
): ApiExplorer {
  const open = new Map<string, OpenExplorer>();

  function create(source: DataSourceView, key: string): OpenExplorer {
    const title = l10n.t('API of {0}', source.name);
    const panel = window.createWebviewPanel(apiExplorerType, title, ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: [webviewFolder(extensionUri)],
    });
    panel.iconPath = panelIcon(extensionUri);
    const channel = createWebviewChannel(
      panel.webview,
      (message) => {
        if (message.type === 'explore') void act(explorer, source, message.action).catch(onError);
      },
      onError,
    );
    panel.webview.html = webviewHtml(panel.webview, extensionUri, { title, script: 'explorer.js', worker: false });
    panel.onDidDispose(() => {
      explorer.sending?.cancel();
      channel.dispose();
      open.delete(key);
    });
    const explorer: OpenExplorer = { panel, channel, previews: 0 };
    return explorer;
  }

  async function act(explorer: OpenExplorer, source: DataSourceView, action: ExplorerAction): Promise<void> {
    const tell = (news: ExplorerNews): void => explorer.channel.send({ type: 'explorer', news });
    if (action.kind === 'cancel') return explorer.sending?.cancel();
    if (action.kind === 'open') return openText(explorer.answer ?? '');
    const params: ApiParams = { uri: source.uri, dataSource: source.name, request: action.request };
    switch (action.kind) {
      case 'preview': {
        const preview = (explorer.previews += 1);
        const text = await language.request('entityGraph/apiText', params);
        if (preview !== explorer.previews) return;
        return tell(text.ok ? { kind: 'text', text: text.value } : { kind: 'wrong', error: text.error });
      }
      case 'copyHttp':
      case 'copyCurl': {
        const text = await language.request('entityGraph/apiText', params);
        if (!text.ok) return tell({ kind: 'wrong', error: text.error });
        return env.clipboard.writeText(action.kind === 'copyHttp' ? text.value.http : text.value.curl);
      }
      case 'send':
        return send(explorer, params, tell);
      case 'add':
        return add(explorer, source, { ...params, list: action.list });
    }
  }

  async function send(explorer: OpenExplorer, params: ApiParams, tell: (news: ExplorerNews) => void): Promise<void> {
    if (!(await mayWrite(params, tell))) return tell({ kind: 'idle' });
    explorer.sending?.cancel();
    const cancellation = new CancellationTokenSource();
    explorer.sending = cancellation;
    tell({ kind: 'sending' });
    try {
      const outcome = await language.request('entityGraph/apiSend', params, cancellation.token);
      // Responses to abandoned requests are ignored.
      if (explorer.sending !== cancellation) return;
      if (!outcome.ok) return tell({ kind: 'failure', error: outcome.error });
      explorer.answer = outcome.value.body;
      tell({ kind: 'exchange', request: params.request, exchange: shortened(outcome.value) });
    } catch (error) {
      if (explorer.sending === cancellation) tell({ kind: 'failure', error: failureOf(error, cancellation) });
    } finally {
      if (explorer.sending === cancellation) explorer.sending = undefined;
      cancellation.dispose();
    }
  }

  /** Requests that may write are sent only after the user has seen them. */
  async function mayWrite(params: ApiParams, tell: (news: ExplorerNews) => void): Promise<boolean> {
    const { method } = params.request;
    if (method === 'GET') return true;
    const text = await language.request('entityGraph/apiText', params);
    if (!text.ok) {
      tell({ kind: 'wrong', error: text.error });
      return false;
    }
    const detail = requestDetail(text.value.http);
    const yes = l10n.t('Send');
    const question = l10n.t('Send this {0} request to {1}?', method, params.dataSource);
    return (await showWarningMessage(question, { modal: true, detail }, yes)) === yes;
  }

  /** Adds the entry to the text of the sources file, which the user reviews and saves. */
  async function add(
    explorer: OpenExplorer,
    source: DataSourceView,
    params: ApiParams & { readonly list: ApiList },
  ): Promise<void> {
    const uri = Uri.parse(source.uri);
    let notes: readonly string[] = [];
    let place: TextRange | undefined;
    const written = await writer.write(await workspace.openTextDocument(uri), async () => {
      const outcome = await language.request('entityGraph/apiEntry', params);
      if (outcome.ok) ({ notes } = outcome.value);
      if (outcome.ok) place = outcome.value.edits[0]?.range;
      return outcome;
    });
    if (!written.ok) return showFailure(written.error, uri);
    if (place) await revealRange(uri, place);
    if (notes.length > 0) void showInformationMessage(notes.join(' '));
    await show(explorer, source);
  }

  /** Sends the current endpoints to the page. */
  async function show(explorer: OpenExplorer, { uri, name }: DataSourceView): Promise<void> {
    const view = await language.request('entityGraph/apiView', { uri, dataSource: name });
    if (!view.ok) return showFailure(view.error, Uri.parse(uri));
    explorer.channel.show({ type: 'explorer', news: { kind: 'view', view: view.value } });
  }

  return {
    async open(source) {
      const key = `${source.uri} ${source.name}`;
      const known = open.get(key);
      if (known) {
        known.panel.reveal();
        // The settings may have changed.
        return show(known, source);
      }
      const view = await language.request('entityGraph/apiView', { uri: source.uri, dataSource: source.name });
      if (!view.ok) return showFailure(view.error, Uri.parse(source.uri));
      const explorer = create(source, key);
      open.set(key, explorer);
      explorer.channel.show({ type: 'explorer', news: { kind: 'view', view: view.value } });
    },
    dispose() {
      for (const { panel } of open.values()) panel.dispose();
    },
  };
}

/** Maximum number of displayed characters; more would be unreadable and slow. */
const longestBody = 200_000;

function shortened(exchange: ApiExchange): ApiExchange {
  if (exchange.body.length <= longestBody) return exchange;
  return { ...exchange, body: exchange.body.slice(0, longestBody), isCut: true };
}

function failureOf(error: unknown, { token }: CancellationTokenSource): Failure {
  if (token.isCancellationRequested) return { code: 'cancelled', message: l10n.t('Cancelled.') };
  return { code: 'internal-error', message: error instanceof Error ? error.message : String(error) };
}
