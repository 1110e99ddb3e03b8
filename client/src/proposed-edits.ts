import {
  type CancellationToken,
  type Disposable,
  type Tab,
  type TabGroup,
  TabInputTextDiff,
  TabInputWebview,
  Uri,
  ViewColumn,
  commands,
  l10n,
  window,
  workspace,
} from 'vscode';
import type { GraphEffect } from '../../protocol/graph-effect.ts';
import type { Failure } from '../../protocol/query-results.ts';
import { resultsViewType } from './command-ids.ts';
import { effectSummary, effectTable } from './effect-facts.ts';
import { fileName } from './import-messages.ts';
import { showInformationMessage } from './messages.ts';
import type { ResultsPanel } from './results-panel.ts';

const scheme = 'entity-graph-proposal';

/** An edit of a file that an agent proposes. */
export interface ProposedEdit {
  readonly file: Uri;
  readonly isNew: boolean;
  readonly text: string;
  /** Absent for files of tests. */
  readonly effect?: GraphEffect | { readonly error: Failure } | undefined;
  /** Further facts, each a sentence. */
  readonly facts: readonly string[];
}

/** Edits that wait for a person. */
export interface ProposedEdits extends Disposable {
  /** Shows an edit with its effect, and resolves to whether a person applies it; a closed editor refuses. */
  decide(edit: ProposedEdit, token: CancellationToken): Promise<boolean>;
  /** Answers for an edit that is shown; nothing for others. */
  answer(proposal: unknown, isApplied: boolean): void;
}

export function createProposedEdits(results: Pick<ResultsPanel, 'showFacts'>): ProposedEdits {
  const texts = new Map<string, string>();
  const waiting = new Map<string, (isApplied: boolean) => void>();
  let count = 0;
  const provider = workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: (uri) => texts.get(uri.toString()) ?? '',
  });
  const closed = window.tabGroups.onDidChangeTabs((change) => {
    // One that was split, or moved to another group, is still shown.
    for (const { input } of change.closed)
      if (input instanceof TabInputTextDiff && tabsOf(input.modified).length === 0)
        waiting.get(input.modified.toString())?.(false);
  });

  async function decide(edit: ProposedEdit, token: CancellationToken): Promise<boolean> {
    const { file, isNew, text } = edit;
    // By this name it is YAML, but no entity graph, which has commands.
    const proposal = file.with({ scheme, path: `${file.path}.proposed.yaml`, query: String((count += 1)) });
    const key = proposal.toString();
    // An empty text stands for a file that is not there yet.
    const base = isNew ? proposal.with({ query: `${count} new` }) : file;
    texts.set(key, text);
    const name = fileName(file);
    const decision = new Promise<boolean>((resolve) => waiting.set(key, resolve));
    const cancellation = token.onCancellationRequested(() => waiting.get(key)?.(false));
    try {
      const title = l10n.t('{0}: Proposed Edit', name);
      await commands.executeCommand('vscode.diff', base, proposal, title, {
        preview: false,
        viewColumn: columnOfText(),
      });
      const { summary, table } = effectOf(edit);
      if (table && table.rows.length > 0)
        results.showFacts(l10n.t('Effect of the Proposed Edit of {0}', name), summary, table);
      if (token.isCancellationRequested) return false;
      const [apply, refuse] = [l10n.t('Apply'), l10n.t('Refuse')];
      const question = l10n.t('An agent proposes an edit of {0}.', name);
      const words = [question, summary, ...edit.facts].filter((each) => each !== '').join(' ');
      // A closed message leaves the decision to the buttons above the text.
      void showInformationMessage(words, apply, refuse).then((chosen) => {
        if (chosen !== undefined) waiting.get(key)?.(chosen === apply);
      });
      return await decision;
    } finally {
      cancellation.dispose();
      waiting.delete(key);
      texts.delete(key);
      await closeTab(proposal);
    }
  }

  return {
    decide,
    answer(proposal, isApplied) {
      const shown = window.tabGroups.activeTabGroup.activeTab?.input;
      const uri = proposal instanceof Uri ? proposal : shown instanceof TabInputTextDiff ? shown.modified : undefined;
      if (uri) waiting.get(uri.toString())?.(isApplied);
    },
    dispose() {
      for (const resolve of waiting.values()) resolve(false);
      provider.dispose();
      closed.dispose();
    },
  };
}

function effectOf({ effect }: ProposedEdit) {
  if (!effect) return { summary: '' };
  if ('error' in effect) return { summary: l10n.t('Its effect is not known: {0}', effect.error.message) };
  return { summary: effectSummary(effect), table: effectTable(effect) };
}

/** Not that of the results, which show the effect beside the text. */
function columnOfText(): ViewColumn {
  const { all, activeTabGroup } = window.tabGroups;
  const hasResults = ({ tabs }: TabGroup): boolean =>
    tabs.some(({ input }) => input instanceof TabInputWebview && input.viewType.endsWith(resultsViewType));
  const other = [activeTabGroup, ...all].find((group) => !hasResults(group));
  return other?.viewColumn ?? ViewColumn.Beside;
}

async function closeTab(proposal: Uri): Promise<void> {
  const shown = tabsOf(proposal);
  if (shown.length > 0) await window.tabGroups.close(shown);
}

function tabsOf(proposal: Uri): readonly Tab[] {
  const tabs = window.tabGroups.all.flatMap(({ tabs: each }) => each);
  return tabs.filter(
    ({ input }) => input instanceof TabInputTextDiff && input.modified.toString() === proposal.toString(),
  );
}
