import { window, workspace } from 'vscode';

/** Shows a text that was answered in an editor of its own, as JSON where it looks like that. */
export async function openText(content: string): Promise<void> {
  const language = /^\s*[{[]/.test(content) ? 'json' : /^\s*</.test(content) ? 'html' : 'plaintext';
  await window.showTextDocument(await workspace.openTextDocument({ content, language }), { preview: true });
}
