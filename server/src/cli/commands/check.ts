import { resolve } from 'node:path';
import { type CheckedGraph, checkGraphFile } from '../../operations/stored-graphs/check-graph.ts';
import { type Command, exitCodes, formatOption } from '../command.ts';
import { type Line, paint, styled } from '../styled-text.ts';

export const checkCommand: Command = {
  name: 'check',
  operands: 'FILE|EXPORT',
  summary: 'Test an imported graph, or an OCEL 2.0 file of any tool, against all that must hold for it',
  arity: { min: 1, max: 1 },
  options: [formatOption],
  examples: ['entity-graph check incidents.entity.yaml', 'entity-graph check log.sqlite --format json'],
  async run({ operands, projectContext, signal, terminal, format }) {
    const checked = await checkGraphFile(resolve(operands[0] ?? ''), projectContext, signal);
    const failed = checked.results.filter(({ ok }) => !ok).length;
    if (format === 'json') terminal.document(JSON.stringify({ ...checked, failed }, null, 2));
    else for (const line of textLines(checked, failed)) terminal.result(line);
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
