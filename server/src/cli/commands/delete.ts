import { resolve } from 'node:path';
import { deleteGraph, deletedPaths } from '../../operations/delete-graph.ts';
import { readGraphFile } from '../../project/open-project.ts';
import { type Command, UsageError, formatOption } from '../command.ts';
import { printOutcomes } from '../print-outcomes.ts';

export const deleteCommand: Command = {
  name: 'delete',
  operands: 'FILE',
  summary: 'Delete an entity graph with its state and its imported graphs',
  arity: { min: 1, max: 1 },
  options: [{ name: 'yes', help: 'Really delete; without it, nothing is touched' }, formatOption],
  examples: ['entity-graph delete incidents.entity.yaml --yes'],
  async run(invocation) {
    const { operands, options, surroundings } = invocation;
    const file = resolve(operands[0] ?? '');
    await readGraphFile(file, surroundings);
    if (options['yes'] !== 'true') {
      const paths = await deletedPaths(file, surroundings);
      throw new UsageError(`--yes is needed to delete ${paths.join(', ')}.`);
    }
    return printOutcomes(await deleteGraph(file, surroundings), invocation);
  },
};
