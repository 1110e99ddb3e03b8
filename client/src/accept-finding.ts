import { type Uri, l10n, window, workspace } from 'vscode';
import type { AcceptedFinding } from '../../protocol/findings.ts';
import type { Outcome } from '../../protocol/query-results.ts';
import type { EditWriter } from './apply-edits.ts';
import type { GraphLanguage } from './language-client.ts';
import { success } from './webview-responder.ts';

/** Asks why a finding is as it should be, and writes that into its entity graph as one undo step. */
export async function acceptFinding(
  uri: Uri,
  finding: AcceptedFinding,
  { language, writer }: { readonly language: GraphLanguage; readonly writer: EditWriter },
): Promise<Outcome<null>> {
  const reason = await window.showInputBox({
    title: l10n.t('Accept the Finding'),
    prompt: l10n.t('Why is it as it should be? The reason is written into the entity graph.'),
    ignoreFocusOut: true,
  });
  if (reason === undefined) return success(null);
  const intent = { kind: 'acceptFinding', ...finding, reason } as const;
  const document = await workspace.openTextDocument(uri);
  const written = await writer.write(document, () =>
    language.request('entityGraph/edit', { uri: uri.toString(), intent }),
  );
  return written.ok ? success(null) : written;
}
