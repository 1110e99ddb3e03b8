import { type Memento, Uri, workspace } from 'vscode';
import type { DraftAnswer, DraftColumn, DraftRole } from '../../protocol/first-draft.ts';
import type { DraftChoicesView } from '../../protocol/event-graph.ts';
import type { DraftedFile } from './draft-of-file.ts';
import type { GraphLanguage } from './language-client.ts';
import { translated } from './translated-text.ts';

/** The draft that a graph was written from. */
export interface DraftOfGraph {
  /** URI of the data file. */
  readonly file: string;
  readonly sourcesUri: string;
  readonly dataSource: string;
  readonly text: string;
  readonly chosen: readonly DraftColumn[];
  readonly answers: readonly DraftAnswer[];
  /** The answers of earlier drafts, the last one at the end. */
  readonly before: readonly (readonly DraftAnswer[])[];
  readonly isDismissed?: boolean;
}

/** The drafts of graphs of data files, kept with the workspace. */
export interface DraftChoices {
  /** Undefined of a graph without a draft. */
  of(graph: Uri): DraftOfGraph | undefined;
  keep(graph: Uri, draft: DraftOfGraph | undefined): Promise<void>;
  /** What a page shows: the choices that its text still has. Null without any, and once they were dismissed. */
  view(graph: Uri): Promise<DraftChoicesView | null>;
}

export function createDraftChoices(language: GraphLanguage, kept: Memento): DraftChoices {
  const keyOf = (graph: Uri): string => `draft of ${graph.toString()}`;
  const choices: DraftChoices = {
    of: (graph) => kept.get<DraftOfGraph>(keyOf(graph)),
    async keep(graph, draft) {
      await kept.update(keyOf(graph), draft);
    },
    async view(graph) {
      const draft = choices.of(graph);
      if (!draft || draft.isDismissed === true) return null;
      const decisions = await decisionsIn(await textOf(graph), draft, language);
      if (decisions.length === 0) return null;
      const columns = new Map<string, readonly string[]>();
      for (const { dataObject } of decisions) {
        if (!columns.has(dataObject)) columns.set(dataObject, await columnsOf(language, draft, dataObject));
      }
      return {
        file: workspace.asRelativePath(Uri.parse(draft.file)),
        canUndo: draft.before.length > 0,
        choices: decisions.map(({ dataObject, role, columns: used, reasons }) => ({
          dataObject,
          role,
          columns: used,
          reason: reasons.map(({ text, values }) => translated(text, ...values)).join(', '),
          others: columns.get(dataObject)?.filter((name) => name !== used.join(', ')) ?? [],
        })),
      };
    },
  };
  return choices;
}

/** Roles of which a person can choose another column. */
const changeable = ['case', 'activity', 'time', 'key'] as const satisfies readonly DraftRole[];

/** A draft as it is kept. */
export function draftToKeep(
  file: Uri,
  drafted: DraftedFile & { readonly answers: readonly DraftAnswer[] },
  before: DraftOfGraph['before'] = [],
): DraftOfGraph {
  const { sources, dataSource, text, chosen, answers } = drafted;
  return { file: file.toString(), sourcesUri: sources.uri, dataSource, text, chosen, answers, before };
}

/** The decisions that can be changed, without those that the text has otherwise by now. */
async function decisionsIn(
  text: string | undefined,
  draft: DraftOfGraph,
  language: GraphLanguage,
): Promise<readonly DraftColumn[]> {
  if (text === undefined) return [];
  const all = changeable.flatMap((role) => draft.chosen.filter((each) => each.role === role));
  if (text === draft.text) return all;
  const answers = all.map(({ dataObject, role, columns }) => ({ dataObject, role, columns: [...columns] }));
  const held = await language.request('entityGraph/answersInText', { text, answers });
  const keyOf = ({ dataObject, role, columns }: DraftAnswer): string => JSON.stringify([dataObject, role, columns]);
  const keys = new Set(held.map(keyOf));
  return all.filter((_, index) => keys.has(keyOf(answers[index]!)));
}

/** The text of a graph, also unsaved; undefined of one that cannot be read. */
export async function textOf(graph: Uri): Promise<string | undefined> {
  try {
    return (await workspace.openTextDocument(graph)).getText();
  } catch {
    return undefined;
  }
}

/** None of a data source that cannot be read: the choices are shown all the same. */
async function columnsOf(
  language: GraphLanguage,
  { sourcesUri, dataSource }: DraftOfGraph,
  dataObject: string,
): Promise<readonly string[]> {
  const outcome = await language.request('entityGraph/sourceColumns', { uri: sourcesUri, dataSource, dataObject });
  return outcome.ok ? outcome.value.map(({ name }) => name) : [];
}
