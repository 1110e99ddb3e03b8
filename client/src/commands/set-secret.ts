import { window } from 'vscode';
import type { Command } from './command.ts';

/** Keeps a password or token in VS Code's secret storage. */
export const setSecret: Command = async ({ secrets }, [given]) => {
  const name = typeof given === 'string' ? given : await secrets.chooseName('Set Secret', { allowNew: true });
  if (name === undefined || !(await secrets.set(name))) return;
  void window.showInformationMessage(`Secret "${name}" is set.`);
};
