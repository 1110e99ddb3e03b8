import type { DiagnoseOptions, OperationOptions } from '../connector.ts';
import { redactSecrets, redactedStep } from '../redact-secrets.ts';
import type { ChangeReader, ReadOptions, RecordSource } from './record-source.ts';

/** Redacts secrets in warnings and reports of a source, which may echo the request. */
export function redactedSource(source: RecordSource): RecordSource {
  const shown = (text: string): string => redactSecrets(text, [...source.secrets]);
  const withRedaction = <T extends OperationOptions & Partial<Pick<ReadOptions, 'onWarning'>>>(options: T): T => {
    const { onProgress, onWarning } = options;
    return {
      ...options,
      ...(onProgress && { onProgress: (message: string) => onProgress(shown(message)) }),
      ...(onWarning && { onWarning: (warning: string) => onWarning(shown(warning)) }),
    };
  };
  const { changes, diagnose } = source;
  return {
    ...source,
    async describe(options) {
      const catalog = await source.describe(withRedaction(options));
      const { warnings, undescribed, doubtfulSettings, outdatedBecause } = catalog;
      return {
        ...catalog,
        warnings: warnings.map(shown),
        ...(undescribed && { undescribed: undescribed.map((each) => ({ ...each, reason: shown(each.reason) })) }),
        ...(doubtfulSettings && {
          doubtfulSettings: doubtfulSettings.map((each) => ({ ...each, message: shown(each.message) })),
        }),
        ...(outdatedBecause !== undefined && { outdatedBecause: shown(outdatedBecause) }),
      };
    },
    records: (read, options) => source.records(read, withRedaction(options)),
    ...(diagnose && {
      diagnose: async (options: DiagnoseOptions) =>
        (await diagnose(withRedaction(options))).map((step) => redactedStep(step, [...source.secrets])),
    }),
    changes: changes && redactedChanges(changes, withRedaction),
  };
}

function redactedChanges(changes: ChangeReader, withRedaction: (options: ReadOptions) => ReadOptions): ChangeReader {
  return {
    ...changes,
    async since(read, mark, options) {
      const found = await changes.since(read, mark, withRedaction(options));
      if (!found) return undefined;
      const { gone } = found;
      return {
        ...found,
        keys: (keysOptions) => found.keys(withRedaction(keysOptions)),
        records: (recordsOptions) => found.records(withRedaction(recordsOptions)),
        ...(gone && { gone: (cached, goneOptions) => gone(cached, withRedaction(goneOptions)) }),
      };
    },
    totals: (read, withSum, options) => changes.totals(read, withSum, withRedaction(options)),
  };
}
