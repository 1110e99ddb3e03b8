import { l10n, workspace } from 'vscode';

/** Message of views in an untrusted workspace; undefined in a trusted one. */
export function restrictedMessage(): string {
  return workspace.isTrusted
    ? ''
    : l10n.t('This workspace is not trusted: queries and imports are off. Files can be edited, drawn and checked.');
}
