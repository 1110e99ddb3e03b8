import { Uri, l10n } from 'vscode';
import type { DataSourceView } from '../../../protocol/requests/source-requests.ts';
import type { Outcome } from '../../../protocol/query-results.ts';
import type { Diagnosis } from '../../../protocol/diagnosis.ts';
import { chooseDataSource } from '../choose-data-source.ts';
import { progressWhenSlow } from '../progress-when-slow.ts';
import { reportedRequest } from '../reported-request.ts';
import { showFailure } from '../show-failure.ts';
import type { ClientParts, Command } from './command.ts';
import { showErrorMessage, showInformationMessage } from '../messages.ts';

/** Tests a data source, and reports in one sentence whether it is usable. */
export const testConnection: Command = async (parts, [given]) => {
  const source = await chooseDataSource(parts.language, given);
  const outcome = source && (await diagnose(parts, source));
  if (!outcome) return;
  if (!outcome.ok)
    return showFailure(outcome.error, Uri.parse(source.uri), { again: () => testConnection(parts, [given]) });
  const { checks, objects = 0, durationMs } = outcome.value;
  parts.dataSources.reload();
  const details = l10n.t('Show Details');
  const failed = checks.find(({ state }) => state === 'failed');
  const warnings = checks.filter(({ state }) => state === 'warning').length;
  const chosen = failed
    ? await showErrorMessage(`${source.name}: ${[failed.message, failed.remedy].filter(Boolean).join(' ')}`, details)
    : await showInformationMessage(
        [
          l10n.t('{0} can be used: {1} data objects, {2} ms.', source.name, objects, Math.round(durationMs)),
          ...(warnings > 0 ? [l10n.t('{0} warnings.', warnings)] : []),
        ].join(' '),
        details,
      );
  if (chosen === details) parts.diagnosis.show(source, outcome.value);
};

/** Diagnoses a data source step by step, and shows findings and remedies. */
export const diagnoseSource: Command = async (parts, [given]) => {
  const source = await chooseDataSource(parts.language, given);
  const outcome = source && (await diagnose(parts, source));
  if (!outcome) return;
  if (!outcome.ok)
    return showFailure(outcome.error, Uri.parse(source.uri), { again: () => diagnoseSource(parts, [given]) });
  parts.dataSources.reload();
  parts.diagnosis.show(source, outcome.value);
};

function diagnose({ language }: ClientParts, { uri, name }: DataSourceView): Promise<Outcome<Diagnosis>> {
  return Promise.resolve(
    progressWhenSlow(language, l10n.t('Testing {0}', name), (token, report) =>
      reportedRequest(language, 'entityGraph/diagnoseSource', { uri, dataSource: name }, { token, report }),
    ),
  );
}
