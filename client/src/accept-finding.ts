import { type Uri, ViewColumn, l10n, window, workspace } from 'vscode';
import type { AcceptedFinding, FixedElement } from '../../protocol/findings.ts';
import type { Outcome } from '../../protocol/query-results.ts';
import type { CanvasIntent } from '../../protocol/shapes/canvas-shapes.ts';
import type { EditWriter } from './apply-edits.ts';
import type { GraphLanguage } from './language-client.ts';
import { success } from './webview-responder.ts';

interface EditParts {
  readonly language: GraphLanguage;
  readonly writer: EditWriter;
}

/** Asks why a finding is as it should be, and writes that into its entity graph as one undo step. */
export async function acceptFinding(uri: Uri, finding: AcceptedFinding, parts: EditParts): Promise<Outcome<null>> {
  const reason = await window.showInputBox({
    title: l10n.t('Accept the Finding'),
    prompt: l10n.t('Why is it as it should be? The reason is written into the entity graph.'),
    ignoreFocusOut: true,
  });
  if (reason === undefined) return success(null);
  return edit(uri, { kind: 'acceptFinding', ...finding, reason }, parts);
}

/** Writes what mends a finding into its entity graph as one undo step, and shows the text. */
export async function mendFinding(
  uri: Uri,
  elements: readonly FixedElement[],
  parts: EditParts,
): Promise<Outcome<null>> {
  const outcome = await edit(uri, { kind: 'configureElements', elements }, parts);
  if (outcome.ok) await window.showTextDocument(uri, { viewColumn: ViewColumn.Beside, preview: false });
  return outcome;
}

async function edit(uri: Uri, intent: CanvasIntent, { language, writer }: EditParts): Promise<Outcome<null>> {
  const document = await workspace.openTextDocument(uri);
  const written = await writer.write(document, () =>
    language.request('entityGraph/edit', { uri: uri.toString(), intent }),
  );
  return written.ok ? success(null) : written;
}
