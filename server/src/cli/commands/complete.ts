import { resolve } from 'node:path';
import { completeAt } from '../../operations/validation/complete-at.ts';
import { type Command, type Invocation, UsageError, exitCodes, formatOption, requiredOption } from '../command.ts';
import { stdinOption, withInput } from '../stdin-option.ts';
import { paint, styled } from '../styled-text.ts';

export const completeCommand: Command = {
  name: 'complete',
  operands: 'FILE',
  summary: 'List what may stand at a place of an entity graph or file of tests, as editors offer it',
  takesTests: true,
  arity: { min: 1, max: 1 },
  options: [
    { name: 'line', value: 'N', help: 'The line, from 0 as in the ranges of problems' },
    { name: 'character', value: 'N', help: 'The character of the line, from 0' },
    stdinOption,
    formatOption,
  ],
  examples: ['entity-graph complete shop.entity.yaml --line 6 --character 17'],
  async run(invocation) {
    const { operands, signal, terminal, format } = invocation;
    const place = { line: placeOption(invocation, 'line'), character: placeOption(invocation, 'character') };
    const completion = await completeAt(resolve(operands[0] ?? ''), place, await withInput(invocation), signal);
    if (format === 'json') terminal.document(JSON.stringify(completion, null, 2));
    else {
      for (const { label, detail } of completion.items)
        terminal.result(detail === undefined ? label : styled`${label}  ${paint.dim(detail)}`);
      if (completion.isIncomplete) terminal.note('There are more.');
    }
    return exitCodes.fine;
  },
};

/** Throws `UsageError`. */
function placeOption(invocation: Invocation, name: string): number {
  const value = requiredOption(invocation, name);
  if (!/^\d{1,9}$/.test(value)) throw new UsageError(`--${name} takes a whole number of at least 0, not "${value}".`);
  return Number(value);
}
