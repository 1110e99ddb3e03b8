import { resolve } from 'node:path';
import { type FailCondition, parseCondition } from '../../operations/effect/fail-conditions.ts';
import { graphEffect } from '../../operations/effect/graph-effect.ts';
import { readGraphFile } from '../../project/open-project.ts';
import { type Command, type ExitCode, UsageError, exitCodes, listedRows } from '../command.ts';
import { effectProgress } from '../effect-progress.ts';
import { effectSarif } from '../effect-sarif.ts';
import { effectLines, effectMarkdown, isFailed } from '../print-effect.ts';
import { toSarif } from '../sarif.ts';
import { stdinOption, withInput } from '../stdin-option.ts';

export const effectCommand: Command = {
  name: 'effect',
  operands: 'FILE',
  summary: 'Compare what the text of an entity graph makes of the data with what another text makes of it',
  details: ['Publishes nothing. Exits with 1 if a condition of --fail-on is met.'],
  arity: { min: 1, max: 1 },
  options: [
    {
      name: 'base',
      value: 'BASE',
      help: 'The other text: a file, a commit or branch, or last for that of the last import (default: last)',
    },
    stdinOption,
    { name: 'offline', help: 'Contact no data source: use only the rows that the last import has kept' },
    {
      name: 'fail-on',
      value: 'CONDITION',
      repeats: true,
      help: 'Exit with 1 if a number of the result is so, such as "Place Order.events.gone > 2%"',
    },
    { name: 'total', help: 'Do not tell which edit did it, for which each edit is built alone' },
    { name: 'rows', help: `List rows, at most ${listedRows} of each number: their keys and values are printed` },
    {
      name: 'format',
      value: 'FORMAT',
      help: 'How to print the result',
      choices: ['text', 'json', 'markdown', 'sarif'],
    },
  ],
  examples: [
    'entity-graph effect shop.entity.yaml',
    'entity-graph effect shop.entity.yaml --base origin/main --format markdown',
    'entity-graph effect shop.entity.yaml --fail-on "events.gone > 2%" --fail-on "rules.broken > 0"',
  ],
  async run(invocation): Promise<ExitCode> {
    const { operands, options, lists, projectContext, signal, terminal, format } = invocation;
    if (options['base']?.trim() === '')
      throw new UsageError('--base is empty: name a file, a commit or branch, or last.');
    const conditions = (lists['fail-on'] ?? []).map(conditionOf);
    // The base may be the saved text of the same file.
    const file = await readGraphFile(resolve(operands[0] ?? ''), await withInput(invocation));
    const effect = await graphEffect(file, projectContext, {
      base: options['base'] ?? 'last',
      isOffline: options['offline'] === 'true',
      conditions,
      rows: options['rows'] === 'true' ? listedRows : undefined,
      attributes: options['total'] !== 'true',
      signal,
      onProgress: effectProgress(terminal),
    }).finally(() => terminal.endProgress());
    if (format === 'json') terminal.document(JSON.stringify(effect, null, 2));
    else if (format === 'sarif') terminal.document(JSON.stringify(toSarif([effectSarif(effect, file.text)]), null, 2));
    else if (format === 'markdown') terminal.document(effectMarkdown(effect));
    else for (const line of effectLines(effect)) terminal.result(line);
    return effect.conditions?.some(isFailed) ? exitCodes.problems : exitCodes.fine;
  },
};

function conditionOf(text: string): FailCondition {
  const parsed = parseCondition(text);
  if (typeof parsed === 'string') throw new UsageError(parsed);
  return parsed;
}
