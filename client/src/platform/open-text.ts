import { window, workspace } from 'vscode';

/** Shows a response in a new editor, as JSON when it parses as JSON. */
export async function openText(content: string): Promise<void> {
  const language = /^\s*[{[]/.test(content) ? 'json' : /^\s*</.test(content) ? 'html' : 'plaintext';
  await window.showTextDocument(await workspace.openTextDocument({ content, language }), { preview: true });
}
