import { l10n } from 'vscode';
import { chooseGraph } from '../active-graph.ts';
import { chooseQueryTarget } from '../choose-query-target.ts';
import { progressWhenSlow } from '../progress-when-slow.ts';
import { reportedRequest } from '../reported-request.ts';
import { showFailure } from '../show-failure.ts';
import type { Command } from './command.ts';

/** Opens the exact query of an element or relationship. */
export const showQuery: Command = async (parts, [file, given]) => {
  const { language, queries } = parts;
  const uri = await chooseGraph(file);
  const target = uri && (await chooseQueryTarget(language, uri, given));
  if (!uri || !target) return;
  const outcome = await progressWhenSlow(language, l10n.t('Building the query of {0}', target.name), (token, report) =>
    reportedRequest(language, 'entityGraph/showQuery', { uri: uri.toString(), target }, { token, report }),
  );
  if (outcome.ok) await queries.show(uri, target, outcome.value);
  else await showFailure(outcome.error, uri, { again: () => showQuery(parts, [uri, target]) });
};
