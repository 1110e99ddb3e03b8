import { chooseDataSource } from '../choose-data-source.ts';
import type { Command } from './command.ts';

/** Opens the panel in which requests to a source are put together and sent. */
export const openApiExplorer: Command = async ({ language, explorer }, [given]) => {
  const source = await chooseDataSource(language, given, { ability: 'explore' });
  if (source) await explorer.open(source);
};
