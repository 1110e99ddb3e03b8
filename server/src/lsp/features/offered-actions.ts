import {
  type CodeAction,
  type Command,
  type Connection,
  ErrorCodes,
  type ExecuteCommandParams,
  ResponseError,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import type { ClientForms } from '../client-forms.ts';
import type { OpenDocument } from '../documents/open-documents.ts';
import type { LanguageServer } from '../language-server.ts';
import type { RequestWork } from '../request-guard.ts';

/** The command that applies the edit of an action, for clients that know actions only as commands. */
export const applyEditCommand = 'entityGraph.applyEdit';

/** Its argument; `incomingRequests` has the shape. */
interface OfferedEdit {
  readonly label: string;
  readonly edit: WorkspaceEdit;
  /** The document and the version for which the edit was made. */
  readonly uri: string;
  readonly version: number;
}

/** Code actions in the form that the client declared: as objects, or as commands; none if it can apply neither. */
export function offeredActions(
  actions: readonly CodeAction[],
  { uri, version }: OpenDocument,
  forms: ClientForms,
): (CodeAction | Command)[] {
  if (forms.codeActionLiterals)
    return forms.preferredCodeActions ? [...actions] : actions.map(({ isPreferred: _, ...action }) => action);
  if (!forms.appliesEdits) return [];
  return actions.flatMap(({ title, edit }): Command[] => {
    if (!edit) return [];
    return [
      { title, command: applyEditCommand, arguments: [{ label: title, edit, uri, version } satisfies OfferedEdit] },
    ];
  });
}

/** What a user sees who chooses an action of an earlier version of the text. */
export function changedSince(title: string): string {
  return `The text has changed since "${title}" was offered. Ask for the actions again.`;
}

/** `workspace/executeCommand` */
export function createOfferedEdits(
  { documents, tell }: LanguageServer,
  connection: Pick<Connection, 'workspace'>,
): RequestWork<ExecuteCommandParams, null | ResponseError<void>> {
  return async ({ command, arguments: args }) => {
    const [offered] = (args ?? []) as readonly OfferedEdit[];
    if (command !== applyEditCommand || !offered)
      return new ResponseError<void>(ErrorCodes.InvalidParams, `There is no command ${command} with these arguments.`);
    const { label, edit, uri, version } = offered;
    if (documents.get(uri)?.version !== version) {
      tell(changedSince(label));
      return null;
    }
    const { applied, failureReason } = await connection.workspace.applyEdit({ label, edit });
    if (!applied)
      tell(`The editor did not apply "${label}"${failureReason === undefined ? '' : `: ${failureReason}`}.`);
    return null;
  };
}
