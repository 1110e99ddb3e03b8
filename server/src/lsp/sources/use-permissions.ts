import { basename } from 'node:path';
import {
  type Connection,
  type MessageActionItem,
  MessageType,
  ShowMessageRequest,
  type ShowMessageRequestParams,
} from 'vscode-languageserver/node';
import { protectionText } from '../../../../protocol/protection-text.ts';
import type { ClientRequests, SecretUse } from '../../../../protocol/requests/client-requests.ts';
import { type ValueUse, referenceText, useKey } from '../../connectors/permit-use.ts';

/** `now`: a user waits. `offer`: nobody waits, and a notification may offer consent. `no`: no prompt. */
export type MayAsk = 'now' | 'offer' | 'no';

/** Consent for sending values to places. */
export interface UsePermissions {
  /** Resolves to the uses without consent. Never rejects: no answer means refusal. The signal cancels the question. */
  refused(uses: readonly ValueUse[], mayAsk: MayAsk, signal?: AbortSignal): Promise<readonly ValueUse[]>;
}

type AllowParams = ClientRequests['entityGraph/allowSecret']['params'];

/** Delegates to our own client, which stores consent. */
export function clientPermissions(
  ask: (params: AllowParams, signal?: AbortSignal) => Promise<ClientRequests['entityGraph/allowSecret']['result']>,
): UsePermissions {
  return {
    async refused(uses, mayAsk, signal) {
      // Concurrently, so that the client can combine them into one question.
      const answers = await Promise.all(
        uses.map((use) =>
          ask(
            { ...secretUse(use), prompt: mayAsk === 'now', offer: mayAsk === 'offer' ? true : undefined },
            signal,
          ).catch(() => null),
        ),
      );
      return uses.filter((_, index) => answers[index]?.allowed !== true);
    },
  };
}

interface EditorQuestions {
  /** Shows a message with buttons; resolves to the selected button. */
  ask(message: string, buttons: readonly string[]): Promise<string | undefined>;
  /** Origins that need no question. */
  allowedOrigins(): readonly string[];
  /** An offered consent was given. */
  onAllowed(): void;
}

/** Shows a message with buttons in any editor. */
export async function askByMessage(
  connection: Pick<Connection, 'sendRequest'>,
  message: string,
  buttons: readonly string[],
): Promise<string | undefined> {
  const actions = buttons.map((title) => ({ title }));
  const params: ShowMessageRequestParams = { type: MessageType.Warning, message, actions };
  const answer: unknown = await connection.sendRequest(ShowMessageRequest.method, params);
  return buttons.find((title) => title === (answer as MessageActionItem | null)?.title);
}

/** Asks by a message in any editor, and remembers consent until the server exits. */
export function editorPermissions({ ask, allowedOrigins, onAllowed }: EditorQuestions): UsePermissions {
  const allowed = new Set<string>();
  const offered = new Set<string>();
  // Such clients store no secrets: one missing in the environment is reported.
  const isAllowed = (use: ValueUse): boolean =>
    use.reference.kind === 'secret' || allowedOrigins().includes(use.receiver.origin) || allowed.has(useKey(use));

  /** Open questions; equal ones share their answer. */
  const open = new Map<string, Promise<boolean>>();

  async function askFor(uses: readonly ValueUse[]): Promise<boolean> {
    const answer = await ask(questionText(uses), ['Allow', 'Do Not Allow']).catch(() => undefined);
    if (answer !== 'Allow') return false;
    for (const use of uses) allowed.add(useKey(use));
    return true;
  }

  function question(uses: readonly ValueUse[]): Promise<boolean> {
    const key = uses.map(useKey).sort().join(' ');
    const asked = open.get(key) ?? askFor(uses).finally(() => open.delete(key));
    open.set(key, asked);
    return asked;
  }

  return {
    async refused(uses, mayAsk) {
      const unknown = uses.filter((use) => !isAllowed(use));
      if (unknown.length === 0 || mayAsk === 'no') return unknown;
      if (mayAsk === 'now') return (await question(unknown)) ? [] : unknown;
      const isNew = unknown.some((use) => !offered.has(useKey(use)));
      for (const use of unknown) offered.add(useKey(use));
      if (isNew) void question(unknown).then((isGiven) => isGiven && onAllowed());
      return unknown;
    },
  };
}

/** The question names the host, the file and the values. */
function questionText(uses: readonly ValueUse[]): string {
  const [first] = uses;
  const sent = uses.map(({ reference, receiver }) => {
    const how = [receiver.user === '' ? '' : `user ${receiver.user}`, protectionText(receiver.tls)]
      .filter((part) => part !== '')
      .join(', ');
    return `${referenceText(reference)} to ${receiver.origin}${how === '' ? '' : ` (${how})`}`;
  });
  return `Data source ${first?.dataSource} of ${basename(first?.file ?? '')} wants to send ${sent.join('; ')}. Allow it until the editor is closed?`;
}

/** Converts a use to the protocol. */
export function secretUse({ reference, receiver, dataSource, file }: ValueUse): SecretUse {
  return { value: reference.kind, name: reference.name, ...receiver, dataSource, file };
}
