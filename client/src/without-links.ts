/**
 * Removes link syntax from a text of a notification or an input box, where VS Code renders `[text](address)`, even as a
 * command link. Data of sources, files and hosts is shown unchanged; an invisible character separates the brackets.
 */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', ']\u200B(');
}
