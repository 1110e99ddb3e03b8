import { resolve } from 'node:path';
import { showImportPlan } from '../../operations/imports/show-plan.ts';
import { readGraphFile } from '../../project/open-project.ts';
import { paint } from '../styled-text.ts';
import { type Command, exitCodes, formatOption } from '../command.ts';

export const planCommand: Command = {
  name: 'plan',
  operands: 'FILE',
  summary: 'Print the statements of an import, step by step, before it runs',
  arity: { min: 1, max: 1 },
  options: [formatOption],
  examples: ['entity-graph plan incidents.entity.yaml', 'entity-graph plan shop.entity.yaml --format json'],
  async run({ operands, projectContext, signal, terminal, format }) {
    const file = await readGraphFile(resolve(operands[0] ?? ''), projectContext);
    const plan = await showImportPlan(file, projectContext, signal);
    if (format === 'json') terminal.document(JSON.stringify(plan, null, 2));
    else {
      for (const { name, phase, parts } of plan.steps) {
        terminal.result(paint.bold(`-- ${phase}: ${name}`));
        for (const { title, text } of parts) {
          terminal.result(paint.dim(`-- ${title}`));
          terminal.document(`${text}\n`);
        }
      }
    }
    return exitCodes.fine;
  },
};
