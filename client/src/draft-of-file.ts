import { type Uri, l10n, workspace } from 'vscode';
import type { DraftAnswer, FileGraphView } from '../../protocol/first-draft.ts';
import type { RequestParams } from '../../protocol/language-requests.ts';
import type { Outcome } from '../../protocol/query-results.ts';
import { askUser } from './draft-entity.ts';
import type { GraphLanguage } from './language-client.ts';
import { progressWhenSlow } from './progress-when-slow.ts';
import { reportedRequest } from './reported-request.ts';

export type DraftedFile = Extract<FileGraphView, { kind: 'drafted' }>;

/** The graphs of a file, or its draft with the answers that led to it. */
export type FileDraft =
  Exclude<FileGraphView, DraftedFile> | (DraftedFile & { readonly answers: readonly DraftAnswer[] });

type DraftParams = Omit<RequestParams<'entityGraph/graphOfFile'>, 'file' | 'progressToken'>;

/**
 * Drafts the graph of a data file without writing it. Asks one question at most, where two columns are equally good;
 * `'dismissed'` when that is not answered.
 * @param title of the question: the command's name.
 */
export async function draftOfFile(
  language: GraphLanguage,
  file: Uri,
  params: Omit<DraftParams, 'answers'>,
  title: string,
): Promise<Outcome<FileDraft> | 'dismissed'> {
  const outcome = await redraftOfFile(language, file, { ...params, answers: [] });
  const choice = outcome.ok && outcome.value.kind === 'drafted' ? outcome.value.choice : undefined;
  if (!choice) return outcome;
  const answer = await askUser(choice, title);
  return answer ? redraftOfFile(language, file, { ...params, answers: [answer] }) : 'dismissed';
}

/** Drafts with these answers; of other equally good columns it takes the first. */
export async function redraftOfFile(
  language: GraphLanguage,
  file: Uri,
  params: DraftParams,
): Promise<Outcome<FileDraft>> {
  const reading = l10n.t('Reading {0}', workspace.asRelativePath(file));
  const outcome = await progressWhenSlow(language, reading, (token, report) =>
    reportedRequest(language, 'entityGraph/graphOfFile', { file: file.toString(), ...params }, { token, report }),
  );
  if (!outcome.ok || outcome.value.kind !== 'drafted') return outcome as Outcome<FileDraft>;
  return { ok: true, value: { ...outcome.value, answers: params.answers } };
}
