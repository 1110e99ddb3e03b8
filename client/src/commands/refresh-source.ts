import { l10n } from 'vscode';
import { chooseDataSource } from '../choose-data-source.ts';
import type { Command } from './command.ts';

/** Reads a data source anew, and shows it unless it was called from where it is shown. */
export const refreshSource: Command = async ({ language, dataSources }, [given]) => {
  const source = await chooseDataSource(language, given, { title: l10n.t('Refresh Data Source') });
  if (!source) return;
  await dataSources.refresh(source);
  if (given === undefined) await dataSources.reveal({ kind: 'source', source, missingSecrets: [] });
};

/** Reads the list of data sources anew. */
export const refreshSources: Command = ({ dataSources }) => Promise.resolve(dataSources.reload());
