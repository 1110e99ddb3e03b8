import { window } from 'vscode';
import type { Command } from './command.ts';

/** Removes a password or token from VS Code's secret storage. */
export const forgetSecret: Command = async ({ secrets }, [given]) => {
  const name = typeof given === 'string' ? given : await secrets.chooseName('Forget Secret', { allowNew: false });
  if (name === undefined) return;
  await secrets.forget(name);
  void window.showInformationMessage(`Secret "${name}" is forgotten.`);
};
