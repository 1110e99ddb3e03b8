import { l10n } from 'vscode';
import { chooseDataSource } from '../choose-data-source.ts';
import type { Command } from './command.ts';

/** Reads a data source again, and reveals it unless called from its own row. */
export const refreshSource: Command = async ({ language, dataSources }, [given]) => {
  const source = await chooseDataSource(language, given, { title: l10n.t('Refresh Data Source') });
  if (!source) return;
  await dataSources.refresh(source);
  if (given === undefined) await dataSources.reveal({ kind: 'source', source, missingSecrets: [] });
};

/** Reads the list of data sources again. */
export const refreshSources: Command = ({ dataSources }) => Promise.resolve(dataSources.reload());
