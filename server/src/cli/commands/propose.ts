import { resolve } from 'node:path';
import { createLineIndex } from '../../model/line-index.ts';
import { type ProposedChange, type Proposal, proposeEdit } from '../../operations/proposals/propose-edit.ts';
import { type Command, UsageError, exitCodes, formatOption } from '../command.ts';
import { effectLines } from '../print-effect.ts';
import { failureLines } from '../print-failure.ts';
import { problemLines, problemsJson } from '../print-problems.ts';
import { testReportJson, testReportLines } from '../print-tests.ts';
import type { Terminal } from '../terminal.ts';

export const proposeCommand: Command = {
  name: 'propose',
  operands: 'FILE',
  summary: 'Say what the text on stdin, or edits of what FILE means, would change: problems, tests and effect',
  takesTests: true,
  details: ['Writes nothing. Exits with 1 if there are errors that the saved text does not have.'],
  arity: { min: 1, max: 1 },
  options: [
    { name: 'edits', help: 'stdin has a JSON list of edits, such as [{"kind":"set","path":["name"],"value":"Shop"}]' },
    { name: 'effect', help: 'Also compare the graphs, from the rows that the last import has kept' },
    { name: 'online', help: 'With --effect: read rows that are not kept from their data sources' },
    formatOption,
  ],
  examples: [
    'entity-graph propose shop.entity.yaml < draft.yaml',
    'entity-graph propose shop.entity.yaml --edits --effect --format json < edits.json',
  ],
  async run({ operands, options, signal, terminal, format, projectContext, readInput }) {
    const change = readChange(await readInput(), options['edits'] === 'true');
    const withEffect = options['effect'] === 'true';
    const isOffline = options['online'] !== 'true';
    const path = resolve(operands[0] ?? '');
    const proposal = await proposeEdit(path, change, projectContext, { signal, withEffect, isOffline });
    if (format === 'json') terminal.document(JSON.stringify(proposalJson(proposal, change), null, 2));
    else tell(proposal, terminal);
    return proposal.hasNewErrors ? exitCodes.problems : exitCodes.fine;
  },
};

/** Throws `UsageError`. */
function readChange(input: string, areEdits: boolean): ProposedChange {
  if (!areEdits) return { text: input };
  try {
    return { edits: JSON.parse(input) as unknown };
  } catch {
    throw new UsageError('--edits takes a JSON list on stdin.');
  }
}

/** A caller that gave the text knows it. */
function proposalJson(proposal: Proposal, change: ProposedChange): unknown {
  const { file, text, saved, edits, validated, hasNewErrors, tests, effect } = proposal;
  const lines = createLineIndex(saved ?? '');
  return {
    file,
    ...('edits' in change && { text }),
    edits: edits.map(({ range, newText }) => ({ range: lines.range(range), newText })),
    diagnostics: problemsJson(validated),
    hasNewErrors,
    tests: tests.map(testReportJson),
    effect,
  };
}

function tell({ saved = '', edits, validated, tests, effect }: Proposal, { result }: Terminal): void {
  for (const { range, newText } of edits) {
    for (const line of linesOf(saved.slice(range.start, range.end))) result(`- ${line}`);
    for (const line of linesOf(newText)) result(`+ ${line}`);
  }
  for (const line of problemLines(validated)) result(line);
  for (const line of tests.flatMap(testReportLines)) result(line);
  if (effect) for (const line of 'error' in effect ? failureLines(effect.error) : effectLines(effect)) result(line);
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\r?\n$/u, '').split(/\r?\n/u);
}
