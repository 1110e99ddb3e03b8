import { l10n } from 'vscode';
import { chooseGraph } from '../active-graph.ts';
import { fileName } from '../import-messages.ts';
import { progressWhenSlow } from '../progress-when-slow.ts';
import { reportedRequest } from '../reported-request.ts';
import { showFailure } from '../show-failure.ts';
import type { Command } from './command.ts';

/** Opens every statement of an import of a graph. */
export const showPlan: Command = async ({ language, queries }, [file]) => {
  const uri = await chooseGraph(file);
  if (!uri) return;
  const outcome = await progressWhenSlow(
    language,
    l10n.t('Planning the import of {0}', fileName(uri)),
    (token, report) => reportedRequest(language, 'entityGraph/importPlan', { uri: uri.toString() }, { token, report }),
  );
  if (!outcome.ok) return showFailure(outcome.error, uri);
  const steps = outcome.value.steps.flatMap(({ name, phase, parts }) =>
    parts.map((part) => ({ ...part, role: 'wrap' as const, title: `${phase}: ${name}. ${part.title}` })),
  );
  await queries.show(uri, { kind: 'plan', name: l10n.t('Import plan of {0}', fileName(uri)) }, { steps });
};
