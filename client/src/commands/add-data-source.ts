import { Uri, commands, l10n, window, workspace } from 'vscode';
import type { Outcome } from '../../../protocol/query-results.ts';
import type { SourceKindView, SourceQuestion } from '../../../protocol/source-kinds.ts';
import { commandIds } from '../command-ids.ts';
import { type StepAnswer, askChoice, askText } from '../input-steps.ts';
import { showInformationMessage, showWarningMessage } from '../messages.ts';
import { offerFolder } from '../offer-folder.ts';
import { progressWhenSlow } from '../progress-when-slow.ts';
import { reportedRequest } from '../reported-request.ts';
import { saveFile } from '../save-file.ts';
import { showFailure } from '../show-failure.ts';
import { answerProblem, isAsked, proposedPattern, settingsOf } from '../source-kinds/source-settings.ts';
import { translatedKind } from '../source-kinds/translated-kind.ts';
import type { ClientParts, Command } from './command.ts';

/** Input of the user: kind, answers by setting, and name. */
interface Entered {
  readonly kind: SourceKindView;
  readonly answers: Readonly<Record<string, string>>;
  readonly name: string;
}

/** Asks for kind, connection and secret, tests the connection, and writes it to `entity-sources.yaml`. */
export const addDataSource: Command = async (parts) => {
  const file = await chooseSourcesFile();
  if (!file) return;
  const taken = (await parts.language.request('entityGraph/allDataSources', {})).sources
    .filter(({ uri }) => Uri.parse(uri).toString() === file.toString())
    .map(({ name }) => name);
  const known = (await parts.language.request('entityGraph/sourceKinds', {})).map(translatedKind);
  const kinds = await Promise.all(known.map((kind) => withProposedFiles(kind, Uri.joinPath(file, '..'))));
  let entered: Entered | undefined;
  for (;;) {
    entered = await enter(kinds, taken, entered);
    if (!entered) return;
    const written = await tryAndWrite(parts, file, entered);
    if (written !== 'change') return;
  }
};

/** The existing sources file, the chosen one of several, else a new one in the folder. */
async function chooseSourcesFile(): Promise<Uri | undefined> {
  const found = await workspace.findFiles('**/entity-sources.{yaml,yml,json}', '**/{node_modules,.entity-graph}/**');
  if (found.length === 1) return found[0];
  if (found.length > 1) {
    const items = found.map((uri) => ({ label: workspace.asRelativePath(uri), uri }));
    const placeHolder = l10n.t('File that the data source is added to');
    return (await window.showQuickPick(items, { title: title(), placeHolder }))?.uri;
  }
  const folders = workspace.workspaceFolders ?? [];
  const folder = folders.length > 1 ? await window.showWorkspaceFolderPick() : folders[0];
  if (folder) return Uri.joinPath(folder.uri, 'entity-sources.yaml');
  if (folders.length === 0) await offerFolder(l10n.t('Open a folder first: data sources are kept in a file in it.'));
  return undefined;
}

/** Proposes the data files that are there, so that a folder with one CSV file needs no typing. */
async function withProposedFiles(kind: SourceKindView, folder: Uri): Promise<SourceKindView> {
  const questions = kind.questions.map(async (question): Promise<SourceQuestion> => {
    const fallback = question.proposedFiles && (await proposeFiles(folder, question.proposedFiles));
    return fallback === undefined ? question : { ...question, fallback };
  });
  return { ...kind, questions: await Promise.all(questions) };
}

function title(): string {
  return l10n.t('Add Data Source');
}

/** Runs the steps with back navigation, starting with earlier input. Undefined when dismissed. */
async function enter(
  kinds: readonly SourceKindView[],
  taken: readonly string[],
  before: Entered | undefined,
): Promise<Entered | undefined> {
  let kind = before?.kind;
  let answers: Record<string, string> = { ...before?.answers };
  let step = kind ? 2 : 1;
  for (;;) {
    const asked = (kind?.questions ?? []).filter((each) => isAsked(each, answers));
    const totalSteps = asked.length + 2;
    const place = { title: title(), step, totalSteps };
    const question = asked[step - 2];
    if (step === 1) {
      const items = kinds.map((row) => ({
        label: `$(${row.icon}) ${row.label}`,
        description: row.description,
        row,
      }));
      const active = items.find(({ row }) => row.name === kind?.name);
      const answer = await askChoice({ ...place, totalSteps: 0, placeholder: l10n.t('Kind'), items, active });
      if (answer === undefined || answer === 'back') return undefined;
      if (answer.value.row.name !== kind?.name) answers = {};
      kind = answer.value.row;
    } else if (question) {
      const answer = await ask(question, place, answers[question.setting]);
      if (answer === undefined) return undefined;
      if (answer === 'back') {
        step -= 1;
        continue;
      }
      answers[question.setting] = answer.value;
    } else if (kind) {
      const answer = await askText({
        ...place,
        prompt: l10n.t('Name, to which entity graphs refer'),
        value: before?.name ?? freeName(kind.proposedName, taken),
        problem: (text) => nameProblem(text, taken),
      });
      if (answer === undefined) return undefined;
      if (answer !== 'back') return { kind, answers, name: answer.value.trim() };
      step -= 1;
      continue;
    }
    step += 1;
  }
}

async function ask(
  question: SourceQuestion,
  place: { readonly title: string; readonly step: number; readonly totalSteps: number },
  before: string | undefined,
): Promise<StepAnswer<string>> {
  const { prompt, placeholder, fallback, optional = false, secret = false, choices } = question;
  if (choices) {
    const active = choices.find(({ value }) => value === before);
    const answer = await askChoice({ ...place, placeholder: prompt, items: choices, active });
    return typeof answer === 'object' ? { value: answer.value.value } : answer;
  }
  return askText({
    ...place,
    prompt,
    value: before ?? fallback ?? '',
    password: secret,
    placeholder,
    problem: (text) => {
      if (text.trim() === '') return optional ? undefined : l10n.t('This is needed.');
      return answerProblem(question, text.trim());
    },
  });
}

function freeName(proposal: string, taken: readonly string[]): string {
  let name = proposal;
  for (let count = 2; taken.includes(name); count += 1) name = `${proposal}${count}`;
  return name;
}

/** A secret of that name may belong to a data source of another workspace. */
function freeSecretName(secrets: ClientParts['secrets'], proposal: string): string {
  let name = proposal;
  for (let count = 2; secrets.names().includes(name); count += 1) name = `${proposal}${count}`;
  return name;
}

function nameProblem(text: string, taken: readonly string[]): string | undefined {
  if (!/^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(text.trim())) return l10n.t('Letters, digits, _, - and ., a letter first');
  return taken.includes(text.trim()) ? l10n.t('There is a data source of this name already.') : undefined;
}

/**
 * Tests the source with its future settings, then writes it; returns `change` when the user wants to edit the input.
 */
async function tryAndWrite(parts: ClientParts, file: Uri, entered: Entered): Promise<'done' | 'change'> {
  const { language, secrets, dataSources } = parts;
  const { kind, answers, name } = entered;
  const secret = kind.questions.find(
    (question) => question.secret && isAsked(question, answers) && (answers[question.setting] ?? '') !== '',
  );
  const secretName = freeSecretName(secrets, name);
  const params = { uri: file.toString(), name, settings: settingsOf(kind, answers, secretName) };
  const draft = await language.request('entityGraph/addDataSource', params);
  if (!draft.ok) {
    await showFailure(draft.error, file);
    return 'done';
  }
  const sent = await language.request('entityGraph/secretUses', {
    uri: params.uri,
    dataSource: name,
    draft: draft.value.text,
  });
  const uses = sent.filter((use) => use.value === 'secret' && use.name === secretName);
  const takeBack = async (): Promise<void> => {
    if (secret) await secrets.forget(secretName, uses);
  };
  if (secret) await secrets.keep(secretName, answers[secret.setting] ?? '', uses);
  if (workspace.isTrusted) {
    const decision = await tryOut(parts, file, name, draft.value.text);
    if (decision !== 'write') await takeBack();
    if (decision === 'change') return 'change';
    if (decision === 'drop') return 'done';
  }
  const outcome = await writeSource(parts, file, params);
  if (!outcome.ok) {
    await takeBack();
    await showFailure(outcome.error, file);
    return 'done';
  }
  dataSources.reload();
  const newEntity = l10n.t('New Entity Graph');
  const open = l10n.t('Open File');
  const told = l10n.t('Data source {0} is in {1}.', name, workspace.asRelativePath(file));
  void showInformationMessage(told, newEntity, open).then(async (chosen) => {
    if (chosen === newEntity) await commands.executeCommand(commandIds.newEntity);
    if (chosen === open) await window.showTextDocument(file);
  });
  return 'done';
}

/** The next action after the test; asks when the source is not usable. */
async function tryOut(
  { language }: ClientParts,
  file: Uri,
  name: string,
  draft: string,
): Promise<'write' | 'change' | 'drop'> {
  const params = { uri: file.toString(), dataSource: name, draft };
  for (;;) {
    const outcome = await progressWhenSlow(language, l10n.t('Testing {0}', name), (token, report) =>
      reportedRequest(language, 'entityGraph/diagnoseSource', params, { token, report }),
    );
    const failed = outcome.ok ? outcome.value.checks.find(({ state }) => state === 'failed') : outcome.error;
    if (!failed) return 'write';
    const isCancelled = !outcome.ok && outcome.error.code === 'cancelled';
    const change = l10n.t('Change What I Entered');
    const again = l10n.t('Try Again');
    const anyway = l10n.t('Add It Anyway');
    // A modal dialog has room for the full reason, and stays open while the user looks something up elsewhere.
    const chosen = await showWarningMessage(
      isCancelled ? l10n.t('The test of {0} was cancelled.', name) : l10n.t('{0} cannot be used as it is.', name),
      { modal: true, detail: isCancelled ? '' : [failed.message, failed.remedy].filter(Boolean).join('\n\n') },
      change,
      again,
      anyway,
    );
    if (chosen === change) return 'change';
    if (chosen === anyway) return 'write';
    if (chosen === undefined) return 'drop';
  }
}

/** An existing file is edited through the editor, so that it can be undone; a new file is written as a whole. */
async function writeSource(
  { language, writer }: ClientParts,
  file: Uri,
  params: { readonly uri: string; readonly name: string; readonly settings: Readonly<Record<string, unknown>> },
): Promise<Outcome<unknown>> {
  const there = await workspace.fs.stat(file).then(
    () => true,
    () => false,
  );
  if (!there) {
    const made = await language.request('entityGraph/addDataSource', params);
    if (!made.ok) return made;
    const refused = await saveFile(language, file, new TextEncoder().encode(made.value.text));
    return refused === undefined ? made : { ok: false, error: { code: 'cannot-be-written', message: refused } };
  }
  const document = await workspace.openTextDocument(file);
  const outcome = await writer.write(document, () => language.request('entityGraph/addDataSource', params));
  if (outcome.ok) await document.save();
  return outcome;
}

/** Files looked at; more are proposed as a pattern anyway. */
const maxFiles = 200;

/**
 * The data files below a folder: the only one by its path, else a pattern for the folder and extension with the most.
 * Undefined when there are none.
 */
async function proposeFiles(folder: Uri, endings: readonly string[]): Promise<string | undefined> {
  const pattern = `**/*.{${endings.flatMap((ending) => [ending, `${ending}.gz`]).join(',')}}`;
  const found = await workspace.findFiles(pattern, '**/{node_modules,.*}/**', maxFiles);
  const start = `${folder.path.replace(/\/$/, '')}/`;
  const paths = found.filter(({ path }) => path.startsWith(start)).map(({ path }) => path.slice(start.length));
  return proposedPattern(paths);
}
