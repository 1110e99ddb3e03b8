import { Uri, l10n, workspace } from 'vscode';
import type { ClientRequests, SecretUse } from '../../protocol/requests/client-requests.ts';
import { protectionText } from '../../protocol/protection-text.ts';
import { showInformationMessage, showWarningMessage } from './messages.ts';
import { type Askers, type PromptBatches, createAskers } from './prompt-batches.ts';
import { type AllowedUse, type SecretStore, nearestStored } from './secret-store.ts';

type AllowParams = ClientRequests['entityGraph/allowSecret']['params'];

/** Asks the user for consent to send values to places. */
interface UsePermissions {
  /** Asks for all values of one data source in one dialog. Refuses when the signal is aborted. */
  allow(params: AllowParams, signal: AbortSignal): Promise<{ readonly allowed: boolean }>;
}

/** Requests within this time share one question. */
const gatherMs = 50;

interface Question {
  readonly uses: (AllowedUse & SecretUse)[];
  readonly answer: Promise<boolean>;
  readonly askers: Askers;
}

export function createUsePermissions(store: SecretStore, prompts: PromptBatches): UsePermissions {
  const gather = gatheredQuestions();
  /** Offers shown in this session, to avoid repetition. */
  const offered = new Set<string>();

  async function askNow(uses: readonly (AllowedUse & SecretUse)[], signal: AbortSignal): Promise<boolean> {
    const key = `allow ${uses.map(keyOf).sort().join(' ')}`;
    const ask = async (): Promise<true | undefined> => {
      const allow = l10n.t('Allow');
      const [first] = uses;
      const message = l10n.t('Let data source "{0}" send this to {1}?', first?.dataSource ?? '', origins(uses));
      const chosen = await showWarningMessage(message, { modal: true, detail: await detailOf(uses) }, allow);
      if (chosen !== allow) return undefined;
      // VS Code cannot close a dialog: consent counts after a cancellation, too.
      await store.allow(uses);
      return true;
    };
    return (await prompts.askInTurn(key, ask, signal)) === true;
  }

  async function offer(uses: readonly (AllowedUse & SecretUse)[]): Promise<void> {
    const [first] = uses;
    if (!first || uses.every((use) => offered.has(keyOf(use)))) return;
    for (const use of uses) offered.add(keyOf(use));
    const allow = l10n.t('Allow');
    const values = [...new Set(uses.map(valueText))].join(', ');
    const message = l10n.t(
      'To read the tables of "{0}", {1} wants to send this to {2}: {3}.',
      ...[first.dataSource, fileText(first), origins(uses), values],
    );
    if ((await showInformationMessage(message, allow, l10n.t('Not Now'))) === allow) await store.allow(uses);
  }

  /** The decision depends on where a value was sent before. */
  async function detailOf(uses: readonly (AllowedUse & SecretUse)[]): Promise<string> {
    const places = [...new Set(uses.map(placeText))].map(async (place) => {
      const sent = uses.filter((use) => placeText(use) === place);
      const lines = await Promise.all(sent.map(async (use) => `• ${valueText(use)}${await keptText(use)}`));
      return [l10n.t('To {0}:', place), ...lines].join('\n');
    });
    const [first] = uses;
    const file = first ? fileText(first) : '';
    const advice = l10n.t('{0} asks for it. Allow it only if you know that file and this host.', file);
    return [...(await Promise.all(places)), advice].join('\n\n');
  }

  async function keptText(use: AllowedUse): Promise<string> {
    if (use.value !== 'secret') return '';
    const nearest = nearestStored(await store.storedSecrets(use.name), use);
    return ` ${nearest?.storedFor ? l10n.t('(kept for {0})', placeText(nearest.storedFor)) : l10n.t('(kept for no host yet)')}`;
  }

  return {
    async allow({ prompt, offer: mayOffer = false, ...asked }, signal) {
      if (!workspace.isTrusted) return { allowed: false };
      const use = { ...asked, folder: folderOf(asked.file) };
      if (await store.isAllowed(use)) return { allowed: true };
      // A missing value is entered later, and its prompt names the receiver.
      if (use.value === 'secret' && (await store.storedSecrets(use.name)).length === 0) return { allowed: true };
      const key = `${prompt ? 'ask' : 'offer'} ${use.file} ${use.dataSource}`;
      if (prompt) return { allowed: await gather(key, use, askNow, signal) };
      if (mayOffer) {
        const offerTogether: AskAll = async (uses) => {
          void offer(uses);
          return false;
        };
        void gather(key, use, offerTogether, signal);
      }
      return { allowed: false };
    },
  };
}

type AskAll = (uses: readonly (AllowedUse & SecretUse)[], signal: AbortSignal) => Promise<boolean>;

/** Combines concurrent requests of a source into one question. */
function gatheredQuestions() {
  /** Pending requests by data source. */
  const gathering = new Map<string, Question>();

  function start(key: string, ask: AskAll): Question {
    const uses: (AllowedUse & SecretUse)[] = [];
    const askers = createAskers();
    const answer = new Promise((resolve) => setTimeout(resolve, gatherMs)).then(() => {
      if (gathering.get(key) === question) gathering.delete(key);
      return ask(uses, askers.signal);
    });
    const question: Question = { uses, answer, askers };
    gathering.set(key, question);
    return question;
  }

  return async (key: string, use: AllowedUse & SecretUse, ask: AskAll, signal: AbortSignal): Promise<boolean> => {
    const running = gathering.get(key);
    const question = running && !running.askers.signal.aborted ? running : start(key, ask);
    question.uses.push(use);
    return (await question.askers.wait(question.answer, signal)) === true;
  };
}

/** Consent belongs to the workspace folder of a file, or to its own folder outside all of them. */
export function folderOf(file: string): string {
  const uri = Uri.file(file);
  return (workspace.getWorkspaceFolder(uri)?.uri ?? Uri.joinPath(uri, '..')).toString();
}

/** Describes a value. */
export function valueText({ value, name }: Pick<AllowedUse, 'value' | 'name'>): string {
  switch (value) {
    case 'secret':
      return l10n.t('secret "{0}"', name);
    case 'env':
      return l10n.t('environment variable {0}', name);
    case 'login':
      return l10n.t('your login at {0}', name);
  }
}

/** Describes a place: host, user and protection. */
export function placeText({ origin, user, tls }: Pick<AllowedUse, 'origin' | 'user' | 'tls'>): string {
  return [
    origin,
    ...(user === '' ? [] : [l10n.t('user {0}', user)]),
    ...(tls === '' ? [] : [protectionText(tls)]),
  ].join(', ');
}

function origins(uses: readonly AllowedUse[]): string {
  return [...new Set(uses.map(({ origin }) => origin))].join(', ');
}

function fileText({ file }: SecretUse): string {
  return workspace.asRelativePath(Uri.file(file));
}

function keyOf({ value, name, kind, origin, user, tls, folder }: AllowedUse): string {
  return JSON.stringify([value, name, kind, origin, user, tls, folder]);
}
