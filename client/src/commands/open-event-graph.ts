import { window } from 'vscode';
import { chooseGraph } from '../active-graph.ts';
import type { Command } from './command.ts';

/** Opens the event graph view of a file (process map, timelines, distributions), with `map` or the number of a rule as second argument at that. */
export const openEventGraph: Command = async ({ eventGraphs }, [file, place]) => {
  const uri = await chooseGraph(file);
  if (!uri) return;
  if (typeof place === 'number') eventGraphs.open(uri, { tab: 'rules', rule: place });
  else eventGraphs.open(uri, place === 'map' ? { tab: place } : {});
};

/** Opens an SQL console on the imported graph of a file. */
export const openSqlConsole: Command = async ({ sqlConsole }, [file]) => {
  const uri = await chooseGraph(file);
  if (uri) await sqlConsole.open(uri);
};

/** Runs the statement at the cursor of an SQL console. */
export const runSql: Command = async ({ sqlConsole }) => {
  const editor = window.activeTextEditor;
  if (editor) await sqlConsole.run(editor.document);
};
