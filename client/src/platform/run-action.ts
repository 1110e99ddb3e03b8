import { ProgressLocation, env, l10n, window, workspace } from 'vscode';
import type { DataSourceView } from '../../../protocol/language-requests.ts';
import type { ActionResult, PlatformAction } from '../../../protocol/platform-actions.ts';
import type { GraphLanguage } from '../language-client.ts';
import { showPlatformFailure } from './platform-place.ts';

/** Shows what an action would send, and sends it when the user confirms; what only reads is sent at once. */
export async function runAction(
  language: GraphLanguage,
  source: DataSourceView,
  action: PlatformAction,
): Promise<ActionResult | undefined> {
  const params = { uri: source.uri, dataSource: source.name, action };
  const preview = await language.request('entityGraph/previewAction', params);
  if (!preview.ok) {
    await showPlatformFailure(source, preview.error);
    return undefined;
  }
  const { summary, writes, http, curl } = preview.value;
  if (writes) {
    const [send, copy] = [l10n.t('Send'), l10n.t('Copy as cURL')];
    const chosen = await window.showWarningMessage(summary, { modal: true, detail: http }, send, copy);
    if (chosen === copy) await env.clipboard.writeText(curl);
    if (chosen !== send) return undefined;
  }
  const outcome = await window.withProgress(
    { location: ProgressLocation.Notification, title: summary, cancellable: true },
    (_, token) => language.request('entityGraph/runAction', params, token),
  );
  if (outcome.ok) return outcome.value;
  await showPlatformFailure(source, outcome.error);
  return undefined;
}

/** One line for what happened, and the answer in a document when the user wants it. */
export async function showResult({ summary, body }: ActionResult): Promise<void> {
  const show = l10n.t('Show Answer');
  const chosen = await window.showInformationMessage(summary, ...(body === undefined ? [] : [show]));
  if (chosen !== show || body === undefined) return;
  const language = /^\s*[{[]/.test(body) ? 'json' : 'plaintext';
  await window.showTextDocument(await workspace.openTextDocument({ content: body, language }), { preview: true });
}
