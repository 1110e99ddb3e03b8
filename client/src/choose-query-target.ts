import { type Uri, l10n, window } from 'vscode';
import type { QueryTargetView } from '../../protocol/requests/query-requests.ts';
import type { QueryTarget } from '../../protocol/query-results.ts';
import type { GraphLanguage } from './language-client.ts';
import { showInformationMessage } from './messages.ts';

/**
 * The element, entry of `entities` or relationship that the caller names, else the one at the cursor, else the only one there is, else the
 * user's choice; undefined when there is none or it is dismissed.
 */
export async function chooseQueryTarget(
  language: GraphLanguage,
  uri: Uri,
  given?: unknown,
): Promise<QueryTarget | undefined> {
  if (isTarget(given)) return given;
  const targets = await language.request('entityGraph/queryTargets', { uri: uri.toString() });
  const editor = window.activeTextEditor;
  const here =
    editor?.document.uri.toString() === uri.toString()
      ? targetAtLine(targets, editor.selection.active.line)
      : undefined;
  return here?.target ?? pickTarget(targets);
}

/** The last one whose range contains the line. Whole lines count, because the cursor may stand before a `-`. */
export function targetAtLine(targets: readonly QueryTargetView[], line: number): QueryTargetView | undefined {
  const around = targets.filter(({ range }) => range.start.line <= line && line <= lastLine(range));
  return around.sort((left, right) => left.range.start.line - right.range.start.line).at(-1);
}

/** A range that ends at the start of a line does not include that line. */
function lastLine({ start, end }: QueryTargetView['range']): number {
  return end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
}

function isTarget(value: unknown): value is QueryTarget {
  return typeof value === 'object' && value !== null && 'kind' in value && 'name' in value;
}

async function pickTarget(targets: readonly QueryTargetView[]): Promise<QueryTarget | undefined> {
  if (targets.length === 0) {
    void showInformationMessage(l10n.t('This entity graph has no element with an activity name yet.'));
    return undefined;
  }
  const [only] = targets;
  if (only && targets.length === 1) return only.target;
  const icons = { element: 'symbol-event', entities: 'symbol-class', relationship: 'arrow-right' } as const;
  const items = targets.map(({ target, label, description }) => ({
    label: `$(${icons[target.kind]}) ${label}`,
    description,
    target,
  }));
  const chosen = await window.showQuickPick(items, {
    placeHolder: l10n.t('Element, entities or relationship'),
    matchOnDescription: true,
  });
  return chosen?.target;
}
