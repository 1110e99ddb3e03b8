import {
  CancellationTokenSource,
  type Disposable,
  Uri,
  ViewColumn,
  type WebviewPanel,
  commands,
  env,
  l10n,
  window,
} from 'vscode';
import type { Outcome, TestQueryResult } from '../../protocol/query-results.ts';
import type { FromWebview, ToWebview } from '../../protocol/webview-messages.ts';
import { commandIds, resultsViewType } from './command-ids.ts';
import { type CreateTestArguments, nameOf } from './create-test-arguments.ts';
import { panelIcon } from './panel-icon.ts';
import {
  type Query,
  type QueryHistory,
  type QueryRun,
  type RunningQuery,
  createQueryHistory,
} from './query-history.ts';
import { revealRange } from './reveal-range.ts';
import type { FileRequests } from './save-file.ts';
import { saveRows } from './save-rows.ts';
import { type WebviewChannel, createWebviewChannel } from './webview-channel.ts';
import { webviewFolder, webviewHtml } from './webview-html.ts';

/** The results panel; a new query replaces the displayed one, which stays in the history. */
export interface ResultsPanel extends Disposable {
  /** Resolves to the displayed result; undefined when a newer query replaced it. */
  run(query: Query): Promise<Outcome<TestQueryResult> | undefined>;
  /** Shows an existing table; `facts` is one line about it. */
  showFacts(title: string, facts: string, result: TestQueryResult): void;
  /** Shows a table whose numbers open their rows; it stays in the history, to come back to. */
  showNumbers(
    table: Pick<Query, 'title' | 'uri'> & Required<Pick<Query, 'facts' | 'numbers'>>,
    result: TestQueryResult,
  ): void;
}

interface OpenPanel {
  readonly panel: WebviewPanel;
  readonly channel: WebviewChannel;
}

// eslint-disable-next-line max-lines-per-function -- Messages of the page act on the run that is shown, and on the one that runs.
export function createResultsPanel(
  extensionUri: Uri,
  language: FileRequests,
  onError: (error: unknown) => void,
): ResultsPanel {
  const history: QueryHistory = createQueryHistory();
  let open: OpenPanel | undefined;
  let running: { readonly run: QueryRun; readonly cancellation: CancellationTokenSource } | undefined;
  let shown: QueryRun | undefined;

  function openPanel(): OpenPanel {
    const title = l10n.t('Results');
    const panel = window.createWebviewPanel(
      resultsViewType,
      title,
      { viewColumn: columnBeside(), preserveFocus: true },
      { enableScripts: true, localResourceRoots: [webviewFolder(extensionUri)] },
    );
    panel.iconPath = panelIcon(extensionUri);
    const channel = createWebviewChannel(panel.webview, (message) => void receive(message).catch(onError), onError);
    panel.webview.html = webviewHtml(panel.webview, extensionUri, { title, script: 'results.js', worker: false });
    panel.onDidDispose(() => {
      channel.dispose();
      open = undefined;
      running?.cancellation.cancel();
    });
    return { panel, channel };
  }

  async function receive(message: Exclude<FromWebview, { type: 'ready' }>): Promise<void> {
    switch (message.type) {
      case 'cancel':
        return running?.cancellation.cancel();
      case 'copy':
        return env.clipboard.writeText(message.text);
      case 'saveRows':
        return saveRows(language, message, shown?.query.uri);
      case 'openNumber':
        return shown?.query.numbers?.open(message.row);
      case 'createTest':
        return createTest(message.rows);
      case 'openTimeline':
        if (shown?.query.graph === undefined) return;
        return void (await commands.executeCommand(commandIds.openEventGraph, shown.query.graph, {
          entity: message.entity,
        }));
      case 'rerun':
        return void (shown && (await run(shown.query)));
      case 'showRun': {
        const found = history.find(message.id);
        if (found) show(found);
        return;
      }
      case 'revealRange':
        if (!shown) return;
        return void (await revealRange(
          message.file === undefined ? shown.query.uri : Uri.file(message.file),
          message.range,
        ));
    }
  }

  async function createTest(places: readonly number[]): Promise<void> {
    const { target } = shown?.query ?? {};
    if (!shown || !target || !shown.outcome?.ok) return;
    const { columns, rows } = shown.outcome.value;
    const chosen = { columns: columns.map(({ name }) => name), rows: places.flatMap((place) => [rows[place] ?? []]) };
    const asked: CreateTestArguments = { targets: [target], chosen, limit: rows.length, name: nameOf(target) };
    await commands.executeCommand(commandIds.createTest, shown.query.uri, asked);
  }

  /** Opens the panel with the content of a message. */
  function display(title: string, message: ToWebview): void {
    open ??= openPanel();
    open.panel.title = title;
    open.panel.reveal(undefined, true);
    open.channel.show(message, historyMessage());
  }

  function historyMessage(): ToWebview {
    return { type: 'history', runs: history.views(), shown: shown?.id };
  }

  function show(run: QueryRun): void {
    shown = run;
    display(run.query.title, messageOf(run));
  }

  async function run(query: Query): Promise<Outcome<TestQueryResult> | undefined> {
    running?.cancellation.cancel();
    const cancellation = new CancellationTokenSource();
    const begun = history.begin(query);
    running = { run: begun, cancellation };
    show(begun);
    const outcome = await outcomeOf(query, {
      token: cancellation.token,
      report(step) {
        const reached = history.reach(begun.id, step);
        if (shown?.id !== begun.id || running?.run !== begun) return;
        shown = reached;
        open?.channel.amend(messageOf(reached));
      },
    });
    const ended = history.end(begun.id, outcome);
    const newest = running?.run === begun;
    if (newest) running = undefined;
    // When another result is displayed, only the history is updated.
    if (shown?.id === begun.id && open) show(ended);
    else open?.channel.amend(historyMessage());
    return newest ? outcome : undefined;
  }

  return {
    run,
    showFacts(title, facts, result) {
      shown = undefined;
      display(title, { type: 'facts', title, facts, result });
    },
    showNumbers(table, result) {
      const outcome = { ok: true, value: result } as const;
      const begun = history.begin({ ...table, source: '', execute: () => Promise.resolve(outcome) });
      show(history.end(begun.id, outcome));
    },
    dispose() {
      running?.cancellation.cancel();
      open?.panel.dispose();
    },
  };
}

/** Beside the active editor; with two columns the other one, as three leave no room for rows. */
function columnBeside(): ViewColumn {
  const { all, activeTabGroup } = window.tabGroups;
  const other = all.find(({ viewColumn }) => viewColumn !== activeTabGroup.viewColumn);
  return other?.viewColumn ?? ViewColumn.Beside;
}

function messageOf({ query, at, step, outcome }: QueryRun): ToWebview {
  const { title, source, target, facts, numbers, graph } = query;
  if (!outcome) {
    const elapsedMs = Math.max(0, Date.now() - Date.parse(at));
    return { type: 'running', title, elapsedMs, step };
  }
  if (!outcome.ok) return { type: 'failure', title, error: outcome.error };
  const { value: result } = outcome;
  if (facts !== undefined) {
    const opens = numbers && { column: numbers.column, rows: numbers.rows };
    return { type: 'facts', title, facts, result, opens };
  }
  return {
    type: 'result',
    title,
    source,
    result,
    cap: result.truncated ? capOf(result) : undefined,
    canTest: target ? true : undefined,
    hasTimelines: graph && result.columns.some(({ name }) => name === 'entity_id') ? true : undefined,
  };
}

function capOf({ sizeLimit }: TestQueryResult): string {
  if (sizeLimit === undefined) return l10n.t('At most this many rows are shown: setting entityGraph.previewRows.');
  const megabytes = Math.round(sizeLimit / 2 ** 20);
  return l10n.t('There are more rows: their values take more than {0} MB, the most that is shown.', megabytes);
}

/** A failed request is shown as a failed query. */
async function outcomeOf(query: Query, hands: RunningQuery): Promise<Outcome<TestQueryResult>> {
  try {
    return await query.execute(hands);
  } catch (error) {
    if (hands.token.isCancellationRequested)
      return { ok: false, error: { code: 'cancelled', message: l10n.t('Cancelled.') } };
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, error: { code: 'internal-error', message } };
  }
}
