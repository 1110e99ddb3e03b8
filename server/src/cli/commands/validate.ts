import { resolve } from 'node:path';
import { validateNamedQueries } from '../../operations/stored-graphs/named-queries.ts';
import { type ValidatedFile, validateFile } from '../../operations/validation/validate.ts';
import { type Command, exitCodes } from '../command.ts';
import { problemLines, problemsJson, shownPath } from '../print-problems.ts';
import { toSarif } from '../sarif.ts';
import { stdinOption, withInput } from '../stdin-option.ts';
import { type Line, paint, styled } from '../styled-text.ts';

export const validateCommand: Command = {
  name: 'validate',
  operands: 'FILE…',
  summary: 'Check entity graphs, data source files and files of tests',
  takesTests: true,
  arity: { min: 1, max: Infinity },
  options: [
    { name: 'online', help: 'Ask the data source for its tables and columns first' },
    stdinOption,
    { name: 'format', value: 'FORMAT', help: 'How to print the result', choices: ['text', 'json', 'sarif'] },
  ],
  examples: [
    'entity-graph validate samples/incidents/incidents.entity.yaml',
    'entity-graph validate --online --format sarif *.entity.yaml',
    'entity-graph validate --stdin shop.entity.yaml < draft.yaml',
  ],
  async run(invocation) {
    const { operands, options, signal, terminal, format } = invocation;
    const projectContext = await withInput(invocation);
    const online = options['online'] === 'true';
    const files: ValidatedFile[] = [];
    for (const operand of operands) {
      const file = await validateFile(resolve(operand), projectContext, { online, signal });
      const queries = await validateNamedQueries(file.path, projectContext, { signal });
      const notes = queries.note === undefined ? file.notes : [...file.notes, queries.note];
      files.push({ ...file, notes }, ...queries.files);
    }
    for (const file of files)
      for (const note of file.notes) terminal.note(paint.dim(`${shownPath(file.path)}: ${note}`));
    if (format === 'json') {
      const json = files.map((file) => ({ file: file.path, diagnostics: problemsJson(file) }));
      terminal.document(JSON.stringify(json, null, 2));
    } else if (format === 'sarif') terminal.document(JSON.stringify(toSarif(files), null, 2));
    else for (const line of files.flatMap((file) => textLines(file))) terminal.result(line);
    const failed = files.some((file) => file.problems.some((problem) => problem.severity === 'error'));
    return failed ? exitCodes.problems : exitCodes.fine;
  },
};

function textLines(file: ValidatedFile): readonly Line[] {
  if (file.problems.length === 0) return [styled`${shownPath(file.path)}: ${paint.green('no problems')}`];
  return problemLines(file);
}
