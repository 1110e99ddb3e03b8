import {
  type QuickPickItem,
  QuickPickItemKind,
  Range,
  Selection,
  TextEditorRevealType,
  Uri,
  WorkspaceEdit,
  l10n,
  window,
  workspace,
} from 'vscode';
import type { NewTest, TestRows, WrittenTest } from '../../../protocol/test-rows.ts';
import { chooseGraph } from '../active-graph.ts';
import { chooseQueryTarget } from '../choose-query-target.ts';
import { type CreateTestArguments, nameOf } from '../create-test-arguments.ts';
import { showWarningMessage } from '../messages.ts';
import { progressWhenSlow } from '../progress-when-slow.ts';
import { reportedRequest } from '../reported-request.ts';
import { showFailure } from '../show-failure.ts';
import type { Command } from './command.ts';

/**
 * Creates a test with given rows from rows of the data sources, which expects their results. Asks which columns to mask,
 * and for a name; the test file is changed as one undo step. Nothing leaves the machine.
 */
export const createTest: Command = async ({ language }, [file, given]) => {
  const uri = await chooseGraph(file);
  const asked = uri && (isAsked(given) ? given : await rowsOfTarget(uri));
  if (!uri || !asked) return;
  const { limit, name: proposed, rule, ...wanted } = asked;
  const params = { uri: uri.toString(), wanted, limit };
  const read = await progressWhenSlow(language, l10n.t('Reading the rows of a test'), (token, report) =>
    reportedRequest(language, 'entityGraph/rowsForTest', params, { token, report }),
  );
  if (!read.ok) {
    if (read.error.code !== 'cancelled') await showFailure(read.error, uri);
    return;
  }
  const masked = await chooseMasked(read.value);
  const name = masked && (await chooseName(proposed));
  if (!masked || name === undefined) return;
  const test: NewTest = { ...read.value, name, masked, rule };
  const made = await progressWhenSlow(language, l10n.t('Running the new test'), (token) =>
    language.request('entityGraph/newTest', { uri: uri.toString(), test }, token),
  );
  if (made.ok) await write(made.value);
  else if (made.error.code !== 'cancelled') await showFailure(made.error, uri);

  async function rowsOfTarget(graph: Uri): Promise<CreateTestArguments | undefined> {
    const target = await chooseQueryTarget(language, graph, undefined);
    return target && { targets: [target], limit: fewRows, name: nameOf(target) };
  }
};

/** Number of rows of a query from which the user has not selected any. */
const fewRows = 20;

function isAsked(given: unknown): given is CreateTestArguments {
  return typeof given === 'object' && given !== null && 'targets' in given;
}

interface ColumnItem extends QuickPickItem {
  readonly masks?: NewTest['masked'][number];
}

/** Names of columns that often hold personal data or secrets. */
const personal =
  /mail|phone|mobile|name|user|caller|opened_by|assigned|address|street|birth|iban|card|passw|secret|token/i;

async function chooseMasked({ objects }: TestRows): Promise<NewTest['masked'] | undefined> {
  const items = objects.flatMap(({ dataObject, columns, rows }): readonly ColumnItem[] => {
    const offered = columns.flatMap(({ name, isTime }, index): readonly ColumnItem[] => {
      const values = [...new Set(rows.map((row) => row[index] ?? null))].filter((value) => value !== null);
      if (isTime || values.length === 0) return [];
      const description = values.slice(0, 3).map(String).join(', ');
      return [{ label: name, description, picked: personal.test(name), masks: { dataObject, column: name } }];
    });
    const title = l10n.t('{0}: {1} rows', dataObject, rows.length);
    return [{ label: title, kind: QuickPickItemKind.Separator }, ...offered];
  });
  const chosen = await window.showQuickPick(items, {
    title: l10n.t('Create Test from Rows'),
    placeHolder: l10n.t('Columns to mask: equal values stay equal. Times are kept.'),
    canPickMany: true,
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  return chosen?.flatMap(({ masks }) => masks ?? []);
}

function chooseName(value: string): Thenable<string | undefined> {
  return window.showInputBox({
    title: l10n.t('Create Test from Rows'),
    prompt: l10n.t('What the test shows'),
    value,
    // A page that has started the command may take the focus back.
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? l10n.t('A test needs a name.') : undefined),
  });
}

async function write({ uri, version, text, offset, notRun }: WrittenTest): Promise<void> {
  const target = Uri.parse(uri);
  const edit = new WorkspaceEdit();
  if (offset === undefined) {
    edit.createFile(target, { overwrite: true, contents: new TextEncoder().encode(text) });
  } else {
    const document = await workspace.openTextDocument(target);
    if (version !== undefined && version !== document.version) {
      void showWarningMessage(l10n.t('The file of tests has changed meanwhile: create the test again.'));
      return;
    }
    const at = document.positionAt(offset);
    edit.insert(target, at, text);
  }
  if (!(await workspace.applyEdit(edit))) return;
  const document = await workspace.openTextDocument(target);
  const editor = await window.showTextDocument(document);
  const at = document.positionAt((offset ?? 0) + text.search(/\S/));
  editor.selection = new Selection(at, at);
  editor.revealRange(new Range(at, at), TextEditorRevealType.AtTop);
  if (notRun !== undefined) {
    void showWarningMessage(l10n.t('The test has no expectations yet, because it could not be run here: {0}', notRun));
  }
}
