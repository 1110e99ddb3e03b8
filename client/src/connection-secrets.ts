import type { DataSourceNode } from './data-source-items.ts';
import type { PromptBatches } from './prompt-batches.ts';
import { type ExtensionContext, type QuickPickItem, l10n, window } from 'vscode';
import { showInformationMessage } from './messages.ts';

/** Passwords and tokens, kept in VS Code's secret storage under the names that `${secret:NAME}` uses. */
export interface ConnectionSecrets {
  /** The stored value; asks for it and keeps it when it is missing and `prompt` is set. Null when nobody knows it. */
  read(params: { readonly name: string; readonly prompt: boolean }): Promise<{ readonly value: string | null }>;
  /** Asks for a value and keeps it; whether one was given. */
  set(name: string): Promise<boolean>;
  /** Keeps a value that was asked for elsewhere. */
  keep(name: string, value: string): Promise<void>;
  forget(name: string): Promise<void>;
  /** Whether there is a value of this name. */
  has(name: string): Promise<boolean>;
  /** Lets the user choose among the names seen so far, or type another; undefined when dismissed. */
  chooseName(title: string, options: { readonly allowNew: boolean }): Promise<string | undefined>;
}

/** Where the names (never the values) are remembered, as secret storage cannot list what it holds. */
const namesKey = 'entityGraph.secretNames';

export function createConnectionSecrets(
  { secrets, globalState }: ExtensionContext,
  prompts: PromptBatches,
): ConnectionSecrets {
  /** Two queries that start together ask once. */
  const asking = new Map<string, Promise<string | undefined>>();
  const names = (): readonly string[] => globalState.get<readonly string[]>(namesKey, []);

  async function ask(name: string): Promise<string | undefined> {
    const value = await window.showInputBox({
      title: l10n.t('Secret "{0}"', name),
      prompt: l10n.t(
        "Value of {0}, the password or token of a data source. It is kept in VS Code's secret storage.",
        `\${secret:${name}}`,
      ),
      password: true,
      ignoreFocusOut: true,
    });
    if (value !== undefined) await keep(name, value);
    return value;
  }

  async function keep(name: string, value: string): Promise<void> {
    await secrets.store(storageKey(name), value);
    await globalState.update(namesKey, [...new Set([...names(), name])].sort());
  }

  function askOnce(name: string): Promise<string | undefined> {
    const running = asking.get(name) ?? ask(name).finally(() => asking.delete(name));
    asking.set(name, running);
    return running;
  }

  return {
    async read({ name, prompt }) {
      const stored = await secrets.get(storageKey(name));
      if (stored !== undefined || !prompt) return { value: stored ?? null };
      return { value: (await prompts.ask(`secret ${name}`, () => askOnce(name))) ?? null };
    },
    set: async (name) => (await askOnce(name)) !== undefined,
    keep,
    has: async (name) => (await secrets.get(storageKey(name))) !== undefined,
    async forget(name) {
      await secrets.delete(storageKey(name));
      await globalState.update(
        namesKey,
        names().filter((known) => known !== name),
      );
    },
    async chooseName(title, { allowNew }) {
      const known = names();
      if (known.length === 0 && allowNew) return askForName(title);
      if (known.length === 0) {
        void showInformationMessage(l10n.t('No secret is stored.'));
        return undefined;
      }
      const other: QuickPickItem = { label: l10n.t('$(add) Another Name…'), alwaysShow: true };
      const items = [...known.map((label): QuickPickItem => ({ label })), ...(allowNew ? [other] : [])];
      const chosen = await window.showQuickPick(items, { title, placeHolder: nameHint() });
      return chosen === other ? askForName(title) : chosen?.label;
    },
  };
}

/** The secret that a command is meant for: its argument, one that the data source of its argument refers to, else the user's choice. */
export async function chosenSecret(
  secrets: ConnectionSecrets,
  given: unknown,
  { title, allowNew }: { readonly title: string; readonly allowNew: boolean },
): Promise<string | undefined> {
  if (typeof given === 'string') return given;
  const node = given as DataSourceNode | undefined;
  const names = node && 'source' in node ? node.source.secrets : [];
  if (names.length === 1) return names[0];
  if (names.length > 1) return window.showQuickPick(names, { title, placeHolder: nameHint() });
  return secrets.chooseName(title, { allowNew });
}

async function askForName(title: string): Promise<string | undefined> {
  const name = await window.showInputBox({ title, prompt: nameHint() });
  return name?.trim() || undefined;
}

function nameHint(): string {
  return l10n.t('NAME of {0} in entity-sources.yaml', '${secret:NAME}');
}

function storageKey(name: string): string {
  return `entityGraph.secret.${name}`;
}
