/**
 * A text for a notification, or below an input field, without links: VS Code makes one of `[text](address)` there, also of one that runs
 * a command. What sources, files and hosts say is shown as it is; an invisible sign keeps the two brackets apart.
 */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', ']\u200B(');
}
