import { resolve } from 'node:path';
import { type CheckedGraph, checkGraphFile } from '../../operations/stored-graphs/check-graph.ts';
import { findGraphFindings } from '../../operations/stored-graphs/find-graph-findings.ts';
import { type Command, exitCodes, formatOption } from '../command.ts';
import { findingLines } from './findings.ts';
import { type Line, paint, styled } from '../styled-text.ts';

export const checkCommand: Command = {
  name: 'check',
  operands: 'FILE|EXPORT',
  summary: 'Test an imported graph, or an OCEL 2.0 file of any tool, against all that must hold for it',
  arity: { min: 1, max: 1 },
  options: [formatOption, { name: 'data', help: 'List what is odd in the data of an imported graph, too' }],
  examples: ['entity-graph check incidents.entity.yaml --data', 'entity-graph check log.sqlite --format json'],
  async run({ operands, projectContext, signal, terminal, format, options }) {
    const path = resolve(operands[0] ?? '');
    const checked = await checkGraphFile(path, projectContext, signal);
    const failed = checked.results.filter(({ ok }) => !ok).length;
    const found =
      options['data'] === 'true' ? (await findGraphFindings(path, projectContext, signal)).answer : undefined;
    if (format === 'json') terminal.document(JSON.stringify({ ...checked, failed, data: found }, null, 2));
    else {
      const lines = [...textLines(checked, failed), ...(found ? findingLines(found) : [])];
      for (const line of lines) terminal.result(line);
    }
    return failed > 0 ? exitCodes.problems : exitCodes.fine;
  },
};

function textLines({ file, results }: CheckedGraph, failed: number): readonly Line[] {
  const lines = results.map(({ name, ok, violations, examples }) => {
    if (ok && violations === 0) return styled`${paint.green('holds')}  ${name}`;
    const more = violations > examples.length ? ' …' : '';
    const found = `${violations}, such as ${examples.join('; ')}${more}`;
    return ok
      ? styled`${paint.yellow('note')}   ${name}, except ${found}`
      : styled`${paint.red('FAILS')}  ${name}: ${found}`;
  });
  const end =
    failed === 0
      ? paint.green(`All ${results.length} points hold.`)
      : paint.red(`${failed} of ${results.length} points fail.`);
  return [file, ...lines, end];
}
