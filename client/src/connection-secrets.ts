import { CancellationTokenSource, type QuickPickItem, Uri, l10n, window, workspace } from 'vscode';
import type { SecretUse } from '../../protocol/requests/client-requests.ts';
import type { DataSourceView } from '../../protocol/requests/source-requests.ts';
import type { DataSourceNode } from './data-source-items.ts';
import { showInformationMessage } from './messages.ts';
import type { PromptBatches } from './prompt-batches.ts';
import type { AllowedUse, SecretStore } from './secret-store.ts';
import { folderOf, placeText } from './use-permissions.ts';

/** Passwords and tokens in VS Code's secret storage, per security place. */
export interface ConnectionSecrets {
  /** The stored value. With `prompt`, asks for a missing one and stores it. Null when there is none, or when aborted. */
  read(
    params: { readonly name: string; readonly prompt: boolean; readonly uses: readonly SecretUse[] },
    signal: AbortSignal,
  ): Promise<{ readonly value: string | null }>;
  /** Asks for a value and stores it; resolves to whether one was entered. */
  set(name: string, uses: readonly SecretUse[]): Promise<boolean>;
  /** Stores a value entered elsewhere; without uses, the first use asks for consent. */
  keep(name: string, value: string, uses: readonly SecretUse[]): Promise<void>;
  /** Deletes it for these uses, or for the open folders when there are none. */
  forget(name: string, uses: readonly SecretUse[]): Promise<void>;
  /** Whether there is a value for all uses, or any value of this name without uses. */
  has(name: string, uses: readonly SecretUse[]): Promise<boolean>;
  /** Names of all stored secrets. */
  names(): readonly string[];
}

export function createConnectionSecrets(store: SecretStore, prompts: PromptBatches): ConnectionSecrets {
  /** Concurrent requests for one secret share one prompt. */
  const asking = new Map<string, Promise<string | undefined>>();

  async function stored(uses: readonly AllowedUse[]): Promise<string | undefined> {
    const values = await Promise.all(uses.map((use) => store.value(use)));
    return values.includes(undefined) ? undefined : values[0];
  }

  async function ask(
    name: string,
    uses: readonly AllowedUse[],
    signal: AbortSignal | undefined,
  ): Promise<string | undefined> {
    const cancellation = new CancellationTokenSource();
    signal?.addEventListener('abort', () => cancellation.cancel(), { once: true });
    const places = [...new Set(uses.map(placeText))].join('; ');
    const prompt =
      places === ''
        ? l10n.t(
            "Value of {0}. It is kept in VS Code's secret storage; you are asked before its first use.",
            `\${secret:${name}}`,
          )
        : l10n.t(
            "Value of {0}, sent to {1}. It is kept in VS Code's secret storage, for this destination only.",
            ...[`\${secret:${name}}`, places],
          );
    const value = await window.showInputBox(
      { title: l10n.t('Secret "{0}"', name), prompt, password: true, ignoreFocusOut: true },
      cancellation.token,
    );
    if (value !== undefined) await store.keep(name, value, uses);
    return value;
  }

  function askOnce(name: string, uses: readonly AllowedUse[], signal?: AbortSignal): Promise<string | undefined> {
    const key = JSON.stringify([name, uses]);
    const running = asking.get(key) ?? ask(name, uses, signal).finally(() => asking.delete(key));
    asking.set(key, running);
    return running;
  }

  return {
    async read({ name, prompt, uses }, signal) {
      const own = uses.map(allowedUse);
      const value = await stored(own);
      if (value !== undefined || !prompt) return { value: value ?? null };
      const question = `secret ${JSON.stringify([name, own])}`;
      const entered = await prompts.askInTurn(question, (closed) => askOnce(name, own, closed), signal);
      return { value: entered ?? null };
    },
    set: async (name, uses) => (await askOnce(name, uses.map(allowedUse))) !== undefined,
    keep: (name, value, uses) => store.keep(name, value, uses.map(allowedUse)),
    async has(name, uses) {
      if (uses.length === 0) return (await store.storedSecrets(name)).length > 0;
      return (await stored(uses.map(allowedUse))) !== undefined;
    },
    async forget(name, uses) {
      const open = (workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString());
      const own = store.allowed().filter((use) => use.value === 'secret' && use.name === name);
      await store.revoke(uses.length > 0 ? uses.map(allowedUse) : own.filter(({ folder }) => open.includes(folder)));
      await store.forgetUnbound(name);
    },
    names: () => store.names(),
  };
}

/** A secret, and the uses of the sources chosen with it. */
interface ChosenSecret {
  readonly name: string;
  readonly uses: readonly SecretUse[];
}

/**
 * The secret of a command: one referenced by the data source of its argument, else the user's choice among those of the
 * data sources and the stored ones. Undefined when dismissed.
 */
export async function chosenSecret(
  sources: readonly DataSourceView[],
  known: readonly string[],
  given: unknown,
  { title, allowNew }: { readonly title: string; readonly allowNew: boolean },
): Promise<ChosenSecret | undefined> {
  const node = given as DataSourceNode | undefined;
  const source = node && typeof node === 'object' && 'source' in node ? node.source : undefined;
  if (source && source.secrets.length > 0) {
    const [only, ...more] = source.secrets;
    const name =
      more.length === 0 ? only : await window.showQuickPick(source.secrets, { title, placeHolder: nameHint() });
    return name === undefined ? undefined : { name, uses: usesOf([source], name) };
  }
  const names = [...new Set([...sources.flatMap(({ secrets }) => secrets), ...known])].sort();
  const name = await chooseName(names, title, allowNew);
  return name === undefined ? undefined : chooseUses(sources, name, title);
}

async function chooseName(names: readonly string[], title: string, allowNew: boolean): Promise<string | undefined> {
  if (names.length === 0 && allowNew) return askForName(title);
  if (names.length === 0) {
    void showInformationMessage(l10n.t('No secret is stored.'));
    return undefined;
  }
  const other: QuickPickItem = { label: l10n.t('$(add) Another Name…'), alwaysShow: true };
  const items = [...names.map((label): QuickPickItem => ({ label })), ...(allowNew ? [other] : [])];
  const chosen = await window.showQuickPick(items, { title, placeHolder: nameHint() });
  return chosen === other ? askForName(title) : chosen?.label;
}

/** Several sources may use one secret name: the user decides for which of them the value is. */
async function chooseUses(
  sources: readonly DataSourceView[],
  name: string,
  title: string,
): Promise<ChosenSecret | undefined> {
  const using = sources.filter(({ secrets }) => secrets.includes(name));
  const uses = usesOf(using, name);
  const isOnePlace = new Set(uses.map((use) => JSON.stringify(allowedUse(use)))).size <= 1;
  if (using.length <= 1 || isOnePlace) return { name, uses };
  const items = using.map((source) => ({
    label: source.name,
    description: workspace.asRelativePath(Uri.parse(source.uri)),
    detail: [...new Set(usesOf([source], name).map(placeText))].join('; '),
    source,
  }));
  const placeHolder = l10n.t('Data sources that use the secret "{0}"', name);
  const chosen = await window.showQuickPick(items, { title, placeHolder, canPickMany: true });
  if (!chosen || chosen.length === 0) return undefined;
  return {
    name,
    uses: usesOf(
      chosen.map(({ source }) => source),
      name,
    ),
  };
}

function usesOf(sources: readonly DataSourceView[], name: string): readonly SecretUse[] {
  return sources.flatMap(({ uses }) => uses.filter((use) => use.value === 'secret' && use.name === name));
}

export function allowedUse({ dataSource: _dataSource, file, ...use }: SecretUse): AllowedUse {
  return { ...use, folder: folderOf(file) };
}

async function askForName(title: string): Promise<string | undefined> {
  const name = await window.showInputBox({ title, prompt: nameHint() });
  return name?.trim() || undefined;
}

function nameHint(): string {
  return l10n.t('NAME of {0} in entity-sources.yaml', '${secret:NAME}');
}
