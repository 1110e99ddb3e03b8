import { type SaveDialogOptions, type Uri, env, l10n, window, workspace } from 'vscode';
import type { GraphLanguage } from './language-client.ts';
import { showErrorMessage } from './messages.ts';
import { sentence } from '../../protocol/sentence.ts';

/** Writes through the language server, which writes atomically and explains failures. */
export type FileRequests = Pick<GraphLanguage, 'request'>;

/**
 * Asks for a path and writes a file; on failure explains it and asks again. Undefined when cancelled.
 * @param refused message for a path that could not be written.
 */
export async function chooseAndSave(
  language: FileRequests,
  options: SaveDialogOptions,
  content: Uint8Array,
  refused: (path: string) => string,
): Promise<Uri | undefined> {
  for (;;) {
    const target = await window.showSaveDialog(options);
    if (!target) return undefined;
    const reason = await saveFile(language, target, content);
    if (reason === undefined) return target;
    const again = l10n.t('Choose Another Place');
    const text = `${refused(workspace.asRelativePath(target))} ${reason}`;
    if ((await showErrorMessage(text, again)) !== again) return undefined;
  }
}

/** The time of a message that stays among the notifications, such as `14:02:11`. */
export function clockText(): string {
  return new Date().toLocaleTimeString(env.language);
}

/** Writes a complete file; undefined, or the reason of the failure. */
export async function saveFile(language: FileRequests, target: Uri, content: Uint8Array): Promise<string | undefined> {
  try {
    // Only VS Code can write to other URI schemes.
    if (target.scheme !== 'file') return void (await workspace.fs.writeFile(target, content));
    const base64 = Buffer.from(content).toString('base64');
    const outcome = await language.request('entityGraph/saveFile', { target: target.toString(), base64 });
    if (outcome.ok) return undefined;
    const { message, remedy } = outcome.error;
    return [sentence(message), remedy].filter((part) => part !== undefined).join(' ');
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
