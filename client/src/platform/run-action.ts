import { ProgressLocation, env, l10n } from 'vscode';
import type { DataSourceView } from '../../../protocol/requests/source-requests.ts';
import type { ActionPreview, ActionResult, PlatformAction } from '../../../protocol/platform-actions.ts';
import type { GraphLanguage } from '../language-client.ts';
import { progressWhenSlow } from '../progress-when-slow.ts';
import { reportedRequest } from '../reported-request.ts';
import { openText } from './open-text.ts';
import { showPlatformFailure } from './platform-place.ts';
import { requestDetail } from './request-detail.ts';
import { showInformationMessage, showWarningMessage, withProgress } from '../messages.ts';

/** Shows the request of an action, and sends it after confirmation; reading actions are sent at once. */
export async function runAction(
  language: GraphLanguage,
  source: DataSourceView,
  action: PlatformAction,
): Promise<ActionResult | undefined> {
  const params = { uri: source.uri, dataSource: source.name, action };
  const preview = await progressWhenSlow(
    language,
    l10n.t('Preparing the request to {0}', source.name),
    (token, report) => reportedRequest(language, 'entityGraph/previewAction', params, { token, report }),
  );
  if (!preview.ok) {
    await showPlatformFailure(source, preview.error);
    return undefined;
  }
  const { summary, writes } = preview.value;
  if (writes && !(await isConfirmed(preview.value))) return undefined;
  const outcome = await withProgress(
    { location: ProgressLocation.Notification, title: summary, cancellable: true },
    (progress, token) =>
      reportedRequest(language, 'entityGraph/runAction', params, {
        token,
        report: (message) => progress.report({ message }),
      }),
  );
  if (outcome.ok) return outcome.value;
  await showPlatformFailure(source, outcome.error);
  return undefined;
}

/** Shows the request until it is sent or cancelled; copying keeps the dialog open. */
async function isConfirmed({ summary, http, curl, warnings = [] }: ActionPreview): Promise<boolean> {
  const [send, copy] = [l10n.t('Send'), l10n.t('Copy as cURL')];
  const detail = [...warnings, requestDetail(http)].join('\n\n');
  for (;;) {
    const chosen = await showWarningMessage(summary, { modal: true, detail }, send, copy);
    if (chosen !== copy) return chosen === send;
    await env.clipboard.writeText(curl);
  }
}

/** Reports the result in one line, and opens the response on request. */
export async function showResult({ summary, body, warnings = [] }: ActionResult): Promise<void> {
  const show = l10n.t('Show Answer');
  const text = [summary, ...warnings].join(' ');
  const tell = warnings.length > 0 ? showWarningMessage : showInformationMessage;
  const chosen = await tell(text, ...(body === undefined ? [] : [show]));
  if (chosen === show && body !== undefined) await openText(body);
}
