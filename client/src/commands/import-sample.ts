import { l10n, window } from 'vscode';
import { sampleRows } from '../../../protocol/import-request.ts';
import { chooseGraph } from '../active-graph.ts';
import type { Command } from './command.ts';
import { importAndReport } from './import.ts';

/** Imports the first rows of each element, as many as the second argument or the user says. */
export const importSample: Command = async (parts, [file, given]) => {
  const uri = await chooseGraph(file);
  const sample = uri && (typeof given === 'number' ? given : await askForRows());
  if (uri && sample) await importAndReport(parts, uri, { kind: 'build', sample });
};

async function askForRows(): Promise<number | undefined> {
  const answer = await window.showInputBox({
    title: l10n.t('Import a Sample'),
    prompt: l10n.t('Rows of each element. The graph replaces the last one, and is marked as a sample.'),
    value: String(sampleRows),
    validateInput: (text) => (/^[1-9]\d{0,8}$/.test(text.trim()) ? undefined : l10n.t('Enter a number from 1.')),
  });
  return answer === undefined ? undefined : Number(answer);
}
