import { Uri, l10n } from 'vscode';
import { chooseDataSource } from '../choose-data-source.ts';
import { revealRange } from '../reveal-range.ts';
import type { Command } from './command.ts';

/** Opens the configuration of a data source. */
export const openSource: Command = async ({ language }, [given]) => {
  const source = await chooseDataSource(language, given, { title: l10n.t('Go to Data Source') });
  if (source) await revealRange(Uri.parse(source.uri), source.range);
};
