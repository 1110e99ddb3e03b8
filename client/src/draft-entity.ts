import { type QuickPickItem, type Uri, l10n, window } from 'vscode';
import type { DraftAnswer, DraftChoice, DraftRole } from '../../protocol/first-draft.ts';
import type { RequestParams } from '../../protocol/language-requests.ts';
import type { Outcome } from '../../protocol/query-results.ts';
import type { GraphLanguage } from './language-client.ts';
import { progressWhenSlow } from './progress-when-slow.ts';
import { reportedRequest } from './reported-request.ts';
import { translated } from './translated-text.ts';

type DraftParams = Omit<RequestParams<'entityGraph/newGraph'>, 'answers' | 'progressToken' | 'target'>;

/**
 * Writes a first graph. Asks the user to choose between equally good columns; a dismissed question writes nothing and
 * returns `'dismissed'`.
 * @param title of the questions: the command's name.
 */
export async function draftEntity(
  language: GraphLanguage,
  target: Uri,
  params: DraftParams,
  title: string,
): Promise<Outcome<null> | 'dismissed'> {
  let answers: readonly DraftAnswer[] = [];
  for (;;) {
    const outcome = await askServer(language, { ...params, target: target.toString(), answers });
    if (!outcome.ok) return outcome;
    if (outcome.value.kind === 'written') return { ok: true, value: null };
    const answer = await askUser(outcome.value.choice, title);
    if (!answer) return 'dismissed';
    answers = [...answers, answer];
  }
}

function askServer(language: GraphLanguage, params: RequestParams<'entityGraph/newGraph'>) {
  return progressWhenSlow(language, l10n.t('Reading {0}', params.dataSource), (token, report) =>
    reportedRequest(language, 'entityGraph/newGraph', params, { token, report }),
  );
}

/** Lets the user choose between equally good columns. */
export async function askUser(choice: DraftChoice, title: string): Promise<DraftAnswer | undefined> {
  const { dataObject, role } = choice;
  const items = [choice, ...choice.others].map(
    ({ columns, reasons }): QuickPickItem & Pick<DraftAnswer, 'columns'> => ({
      label: columns.join(', '),
      detail: reasons.map(({ text, values }) => translated(text, ...values)).join(', '),
      columns,
    }),
  );
  const chosen = await window.showQuickPick(items, { title, placeHolder: question(dataObject, role) });
  return chosen && { dataObject, role, columns: chosen.columns };
}

function question(dataObject: string, role: DraftRole): string {
  switch (role) {
    case 'case':
      return l10n.t('Several columns of {0} could say which case an event belongs to', dataObject);
    case 'activity':
      return l10n.t('Several columns of {0} could say what happened', dataObject);
    case 'time':
      return l10n.t('Several columns of {0} could say when it happened', dataObject);
    case 'key':
      return l10n.t('Several columns of {0} could identify its rows', dataObject);
    default:
      return l10n.t('Several columns of {0} are as good as each other', dataObject);
  }
}
