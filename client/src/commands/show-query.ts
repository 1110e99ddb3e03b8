import { l10n } from 'vscode';
import { chooseGraph } from '../active-graph.ts';
import { chooseQueryTarget } from '../choose-query-target.ts';
import { progressWhenSlow } from '../progress-when-slow.ts';
import { showFailure } from '../show-failure.ts';
import type { Command } from './command.ts';

/** Opens the exact query of an element or relationship. */
export const showQuery: Command = async ({ language, queries }, [file, given]) => {
  const uri = await chooseGraph(file);
  const target = uri && (await chooseQueryTarget(language, uri, given));
  if (!uri || !target) return;
  const outcome = await progressWhenSlow(language, l10n.t('Building the query of {0}', target.name), (token) =>
    language.request('entityGraph/showQuery', { uri: uri.toString(), target }, token),
  );
  if (outcome.ok) await queries.show(uri, target, outcome.value);
  else await showFailure(outcome.error, uri);
};
