import { resolve } from 'node:path';
import { sourcesWithoutSecrets } from '../../operations/sources/sources-without-secrets.ts';
import { readTextFile } from '../../project/read-text-file.ts';
import { type Command, exitCodes, formatOption } from '../command.ts';
import { textTable } from '../text-table.ts';

export const sourcesCommand: Command = {
  name: 'sources',
  operands: 'FILE',
  summary: 'List the data sources of a data sources file, without their secrets',
  arity: { min: 1, max: 1 },
  options: [formatOption],
  examples: ['entity-graph sources entity-sources.yaml'],
  async run({ operands, terminal, format }) {
    const shown = sourcesWithoutSecrets(await readTextFile(resolve(operands[0] ?? '')));
    if (format === 'json') {
      terminal.document(JSON.stringify(shown, null, 2));
      return exitCodes.fine;
    }
    if (shown.unreadable !== undefined) terminal.note(shown.unreadable);
    const rows = Object.entries(shown.dataSources).map(([name, { kind, ...settings }]) => [
      ...[name, String(kind)],
      Object.entries(settings)
        .map(([setting, value]) => `${setting}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
        .join(', '),
    ]);
    for (const line of textTable(['Data Source', 'Kind', 'Settings'], rows)) terminal.result(line);
    return exitCodes.fine;
  },
};
