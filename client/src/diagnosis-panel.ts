import { randomBytes } from 'node:crypto';
import { type Disposable, Uri, ViewColumn, type WebviewPanel, env, l10n, window } from 'vscode';
import type { DataSourceView } from '../../protocol/requests/source-requests.ts';
import type { Diagnosis, DiagnosisStep } from '../../protocol/diagnosis.ts';
import { commandIds, diagnosisViewType } from './command-ids.ts';
import type { DataSourceNode } from './data-source-items.ts';
import { type DiagnosisView, diagnosisHtml } from './diagnosis-html.ts';
import { panelIcon } from './panel-icon.ts';
import { webviewFolder } from './webview-html.ts';

/** The editor with the latest data source diagnosis. */
export interface DiagnosisPanel extends Disposable {
  show(source: DataSourceView, diagnosis: Diagnosis): void;
  /** Whether the diagnosis of this data source is open. */
  isOf(source: DataSourceView): boolean;
}

/** Commands that the page may run. */
const commands = [commandIds.diagnoseSource, commandIds.openSource, commandIds.setSecret];

export function createDiagnosisPanel(extensionUri: Uri): DiagnosisPanel {
  let open: WebviewPanel | undefined;
  let shown: DataSourceView | undefined;

  function openPanel(): WebviewPanel {
    const panel = window.createWebviewPanel(diagnosisViewType, '', ViewColumn.Active, {
      enableCommandUris: commands,
      localResourceRoots: [webviewFolder(extensionUri)],
    });
    panel.iconPath = panelIcon(extensionUri);
    panel.onDidDispose(() => (open = undefined));
    return panel;
  }

  return {
    show(source, diagnosis) {
      if (open) open.reveal();
      open ??= openPanel();
      shown = source;
      const { webview } = open;
      const view = diagnosisView(source, diagnosis);
      open.title = view.title;
      webview.html = diagnosisHtml(view, {
        language: l10n.bundle ? env.language : 'en',
        cspSource: webview.cspSource,
        codicons: webview.asWebviewUri(Uri.joinPath(webviewFolder(extensionUri), 'codicon.css')).toString(),
        nonce: randomBytes(16).toString('base64'),
      });
    },
    isOf: ({ uri, name }) => open !== undefined && shown?.uri === uri && shown.name === name,
    dispose: () => open?.dispose(),
  };
}

/** Translates a diagnosis. */
function diagnosisView(source: DataSourceView, { checks, durationMs }: Diagnosis): DiagnosisView {
  const words: Readonly<Record<DiagnosisStep['state'], string>> = {
    ok: l10n.t('ok'),
    warning: l10n.t('warning'),
    failed: l10n.t('failed'),
  };
  const states = checks.map(({ state }) => state);
  const state = (['failed', 'warning'] as const).find((each) => states.includes(each)) ?? 'ok';
  const address = (command: string): string => {
    const node: DataSourceNode = { kind: 'source', source, missingSecrets: [] };
    return `command:${command}?${encodeURIComponent(JSON.stringify([node]))}`;
  };
  return {
    title: l10n.t('Diagnosis of {0}', source.name),
    state,
    summary: summaryOf(source.name, state, states.at(-1) === 'failed'),
    facts: `${source.kind} · ${Math.round(durationMs)} ms`,
    checks: checks.map((step) => ({ ...step, stateText: words[step.state] })),
    actions: [
      { label: l10n.t('Try Again'), address: address(commandIds.diagnoseSource) },
      { label: l10n.t('Go to Data Source'), address: address(commandIds.openSource) },
      ...(source.secrets.length > 0 ? [{ label: l10n.t('Set Secret…'), address: address(commandIds.setSecret) }] : []),
    ],
  };
}

function summaryOf(name: string, state: DiagnosisStep['state'], isEnded: boolean): string {
  switch (state) {
    case 'ok':
      return l10n.t('{0} can be used.', name);
    case 'warning':
      return l10n.t('{0} can be used; look at the warnings.', name);
    case 'failed':
      return isEnded
        ? l10n.t('{0} cannot be used yet. Steps after a failure were not run.', name)
        : l10n.t('{0} can be reached, but imports fail: look at the failures.', name);
  }
}
