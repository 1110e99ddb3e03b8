import { type QuickPickItem, QuickPickItemKind, Selection, type Uri, commands, l10n, window, workspace } from 'vscode';
import type { Outcome } from '../../../protocol/query-results.ts';
import type { RuleSuggestion, SuggestedRule, SuggestionKind } from '../../../protocol/rule-suggestions.ts';
import { shareText } from '../../../protocol/rule-outcome.ts';
import { chooseGraph } from '../active-graph.ts';
import { showInformationMessage } from '../messages.ts';
import { progressWhenSlow } from '../progress-when-slow.ts';
import { showFailure } from '../show-failure.ts';
import type { Command } from './command.ts';

/** Suggests rules that the imported graph keeps, and writes the chosen ones into its file. */
export const suggestRules: Command = async ({ language, writer }, [file]) => {
  const uri = await chooseGraph(file);
  if (!uri) return;
  const params = { uri: uri.toString(), question: 'suggestRules', params: {} } as const;
  const outcome = await progressWhenSlow(
    language,
    l10n.t('Looking for rules'),
    // The type of the request does not depend on its `question`, so the result is cast.
    async (token, report) => {
      report(l10n.t('Reading the imported graph'));
      return (await language.request('entityGraph/eventGraph', params, token)) as Outcome<readonly RuleSuggestion[]>;
    },
  );
  if (!outcome.ok) {
    if (outcome.error.code !== 'cancelled') await showFailure(outcome.error, uri);
    return;
  }
  const rules = await chooseRules(outcome.value);
  if (rules && rules.length > 0) await insert(uri, rules);

  async function insert(target: Uri, added: readonly SuggestedRule[]): Promise<void> {
    const document = await workspace.openTextDocument(target);
    const intent = { kind: 'addRules', rules: added } as const;
    const written = await writer.write(document, () =>
      language.request('entityGraph/edit', { uri: target.toString(), intent }),
    );
    if (!written.ok) return showFailure(written.error, target);
    const editor = await window.showTextDocument(document);
    const at = document.positionAt(document.getText().lastIndexOf(added[0]?.name ?? ''));
    editor.selection = new Selection(at, at);
    await commands.executeCommand('revealLine', { lineNumber: at.line, at: 'center' });
  }
};

interface RuleItem extends QuickPickItem {
  readonly rule?: SuggestedRule;
}

async function chooseRules(suggestions: readonly RuleSuggestion[]): Promise<readonly SuggestedRule[] | undefined> {
  if (suggestions.length === 0) {
    void showInformationMessage(l10n.t('No rule beyond those of the file holds for 95 % of at least 20 entities.'));
    return undefined;
  }
  const titles: Readonly<Record<SuggestionKind, string>> = {
    activity: l10n.t('How often'),
    order: l10n.t('In which order'),
    deadline: l10n.t('How soon'),
    relationship: l10n.t('How many'),
  };
  const items = (Object.keys(titles) as SuggestionKind[]).flatMap((kind): readonly RuleItem[] => {
    const ofKind = suggestions.filter((each) => each.kind === kind);
    if (ofKind.length === 0) return [];
    return [{ label: titles[kind], kind: QuickPickItemKind.Separator }, ...ofKind.map(itemOf)];
  });
  const chosen = await window.showQuickPick(items, {
    title: l10n.t('Suggest Rules'),
    placeHolder: l10n.t('Rules that the imported graph keeps: choose the rules that must hold'),
    canPickMany: true,
    matchOnDescription: true,
  });
  return chosen?.flatMap(({ rule }) => rule ?? []);
}

function itemOf({ rule, concerned, broken, share }: RuleSuggestion): RuleItem {
  return {
    label: rule.name,
    description: rule.each.entityType,
    detail: l10n.t(
      '{0} kept: {1} of {2} broken',
      shareText(share),
      broken.toLocaleString(),
      concerned.toLocaleString(),
    ),
    rule,
  };
}
