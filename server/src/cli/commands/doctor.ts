import { diagnoseSource } from '../../operations/sources/diagnose-source.ts';
import { type Command, type OptionSpec, exitCodes, formatOption } from '../command.ts';
import { paint, styled } from '../styled-text.ts';
import { chosenSources, sourcesOption } from '../sources-option.ts';

const strictOption: OptionSpec = { name: 'strict', help: 'Exit with 1 for warnings too' };

export const doctorCommand: Command = {
  name: 'doctor',
  operands: 'SOURCE',
  summary: 'Find out why a data source cannot be used: settings, network, credentials, permissions',
  arity: { min: 1, max: 1 },
  details: ['Exits with 1 when something was found that makes imports fail.'],
  options: [sourcesOption, strictOption, formatOption],
  examples: [
    'entity-graph doctor shop',
    'entity-graph doctor files --sources samples/incidents/entity-sources.yaml',
    'entity-graph doctor itsm --strict',
  ],
  async run(invocation) {
    const { operands, options, projectContext, signal, terminal, format } = invocation;
    const sourcesFile = await chosenSources(invocation);
    const diagnosis = await diagnoseSource(sourcesFile, operands[0] ?? '', projectContext, { signal });
    const { checks } = diagnosis;
    if (format === 'json') terminal.document(JSON.stringify(diagnosis, null, 2));
    else {
      const { green, yellow, red } = paint;
      const words = { ok: green('ok'), warning: yellow('warning'), failed: red('failed') } as const;
      for (const { name, state, message, remedy } of checks) {
        terminal.result(styled`${name}: ${words[state]}. ${message}`);
        if (remedy !== undefined) terminal.result(`  ${remedy}`);
      }
    }
    const isWrong = checks.some(
      ({ state }) => state === 'failed' || (options['strict'] === 'true' && state === 'warning'),
    );
    return isWrong ? exitCodes.problems : exitCodes.fine;
  },
};
