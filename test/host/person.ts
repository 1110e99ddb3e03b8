import assert from 'node:assert/strict';
import { type InputBoxOptions, type QuickPickItem, type Uri, window } from 'vscode';

/** A person's answers to VS Code's questions; each answers one question, recognised by its text. */
export type Answer =
  | { readonly kind: 'pick'; readonly asked: RegExp; readonly labels: readonly string[] }
  | { readonly kind: 'type'; readonly asked: RegExp; readonly text: string | undefined }
  | { readonly kind: 'press'; readonly asked: RegExp; readonly button: string }
  | { readonly kind: 'file'; readonly asked: RegExp; readonly files: readonly Uri[] };

export const pick = (asked: RegExp, ...labels: string[]): Answer => ({ kind: 'pick', asked, labels });
export const type = (asked: RegExp, text: string): Answer => ({ kind: 'type', asked, text });
/** Presses Escape in an input box. */
export const dismiss = (asked: RegExp): Answer => ({ kind: 'type', asked, text: undefined });
export const press = (asked: RegExp, button: string): Answer => ({ kind: 'press', asked, button });
export const file = (asked: RegExp, ...files: Uri[]): Answer => ({ kind: 'file', asked, files });

/**
 * Answers questions in place of a person while work is done: every question must match the next answer, and every
 * answer must be used. Other messages are closed.
 * @returns the displayed messages, each with its details.
 */
export async function answering(answers: readonly Answer[], work: () => Thenable<unknown>): Promise<readonly string[]> {
  const left = [...answers];
  const told: string[] = [];

  const next = <K extends Answer['kind']>(kind: K, question: string): Extract<Answer, { readonly kind: K }> => {
    const answer = left.shift();
    assert.ok(answer?.kind === kind, `Nobody knows what to ${kind} when asked: ${question}`);
    assert.match(question, answer.asked);
    return answer as Extract<Answer, { readonly kind: K }>;
  };
  const words = (...texts: readonly (string | undefined)[]): string => texts.filter(Boolean).join(' | ');

  const showMessage = async (message: string, ...rest: readonly unknown[]): Promise<unknown> => {
    const [options, ...others] = isOptions(rest[0]) ? rest : [undefined, ...rest];
    const text = words(message, isOptions(options) ? options.detail : undefined);
    told.push(text);
    const [answer] = left;
    if (answer?.kind !== 'press' || !answer.asked.test(text)) return undefined;
    left.shift();
    assert.ok(others.includes(answer.button), `"${text}" has the buttons ${others.join()}`);
    return answer.button;
  };
  const openFiles = async ({ title = '' }: { readonly title?: string } = {}) => [...next('file', title).files];
  const standIns = {
    showInformationMessage: showMessage,
    showWarningMessage: showMessage,
    showErrorMessage: showMessage,
    showOpenDialog: openFiles,
    showSaveDialog: async (options: { readonly title?: string }) => (await openFiles(options))[0],
    async showInputBox(options: InputBoxOptions = {}) {
      const question = words(options.title, options.prompt);
      const { text } = next('type', question);
      if (text !== undefined) assert.equal((await options.validateInput?.(text)) ?? undefined, undefined, question);
      return text;
    },
    async showQuickPick(
      given: readonly (string | QuickPickItem)[] | Thenable<readonly (string | QuickPickItem)[]>,
      options: { readonly title?: string; readonly placeHolder?: string; readonly canPickMany?: boolean } = {},
    ) {
      const items = await given;
      const { labels } = next('pick', words(options.title, options.placeHolder));
      const chosen = labels.map((label) => items.find((item) => labelOf(item) === label));
      assert.ok(!chosen.includes(undefined), `${labels.join()} is to be chosen from ${items.map(labelOf).join()}`);
      return options.canPickMany === true ? chosen : chosen[0];
    },
  };
  const real = Object.fromEntries(
    Object.keys(standIns).map((name) => [name, window[name as keyof typeof standIns] as unknown]),
  );
  Object.assign(window, standIns);
  try {
    await work();
  } finally {
    Object.assign(window, real);
  }
  assert.deepEqual(left, [], 'what was not asked for');
  return told;
}

function isOptions(value: unknown): value is { readonly detail?: string } {
  return typeof value === 'object' && value !== null;
}

function labelOf(item: string | QuickPickItem): string {
  return typeof item === 'string' ? item : item.label;
}
