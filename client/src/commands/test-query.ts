import { workspace } from 'vscode';
import { chooseGraph } from '../active-graph.ts';
import { chooseQueryTarget } from '../choose-query-target.ts';
import { reportedRequest } from '../reported-request.ts';
import { runQuery } from '../run-query.ts';
import type { Command } from './command.ts';

/** Runs the query of an element or relationship and shows its first rows. */
export const testQuery: Command = async ({ language, results }, [file, given]) => {
  const uri = await chooseGraph(file);
  const target = uri && (await chooseQueryTarget(language, uri, given));
  if (!uri || !target) return;
  const view = await language.request('entityGraph/graphView', { uri: uri.toString() });
  await runQuery(results, {
    title: target.name,
    source: view?.dataSource ?? workspace.asRelativePath(uri),
    uri,
    target: target.kind === 'relationship' ? undefined : target,
    execute: (hands) => reportedRequest(language, 'entityGraph/testQuery', { uri: uri.toString(), target }, hands),
  });
};
