import { l10n } from 'vscode';

/** Translates a text of the server, which marks it for the bundle. @param values of the placeholders `{0}`, `{1}` … */
export function translated(text: string, ...values: readonly string[]): string {
  return l10n.t(text, ...values);
}
