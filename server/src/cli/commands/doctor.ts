import { examineSource } from '../../operations/examine-source.ts';
import { type Command, exitCodes, formatOption } from '../command.ts';
import { chosenSources, sourcesOption } from '../sources-option.ts';

export const doctorCommand: Command = {
  name: 'doctor',
  operands: 'SOURCE',
  summary: 'Find out what keeps a data source from being used: settings, network, credentials, permissions',
  arity: { min: 1, max: 1 },
  options: [sourcesOption, formatOption],
  examples: ['entity-graph doctor shop', 'entity-graph doctor files --sources samples/incidents/entity-sources.yaml'],
  async run(invocation) {
    const { operands, surroundings, signal, terminal, format } = invocation;
    const sourcesFile = await chosenSources(invocation);
    const report = await examineSource(sourcesFile, operands[0] ?? '', surroundings, signal);
    const { checks } = report;
    if (format === 'json') terminal.result(JSON.stringify(report, null, 2));
    else {
      const { green, yellow, red } = terminal.paint;
      const words = { ok: green('ok'), warning: yellow('warning'), failed: red('failed') } as const;
      for (const { name, state, message, remedy } of checks) {
        terminal.result(`${name}: ${words[state]}. ${message}`);
        if (remedy !== undefined) terminal.result(`  ${remedy}`);
      }
    }
    return checks.some(({ state }) => state === 'failed') ? exitCodes.problems : exitCodes.fine;
  },
};
