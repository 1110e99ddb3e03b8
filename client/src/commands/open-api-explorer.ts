import { chooseDataSource } from '../choose-data-source.ts';
import type { Command } from './command.ts';

/** Opens the API explorer of a source. */
export const openApiExplorer: Command = async ({ language, explorer }, [given]) => {
  const source = await chooseDataSource(language, given, { ability: 'explore' });
  if (source) await explorer.open(source);
};
