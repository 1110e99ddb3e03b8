import { l10n } from 'vscode';

/** A text of the server in the language of VS Code. The server marks it, which puts it into the bundle. @param values what stands at `{0}` */
export function translated(text: string, ...values: readonly string[]): string {
  return l10n.t(text, ...values);
}
