import { l10n, workspace } from 'vscode';

/** What views say in a workspace that is not trusted; nothing in one that is. */
export function restrictedMessage(): string {
  return workspace.isTrusted
    ? ''
    : l10n.t('This workspace is not trusted: queries and imports are off. Files can be edited, drawn and checked.');
}
