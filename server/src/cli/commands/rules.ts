import { resolve } from 'node:path';
import { judgeGraph } from '../../operations/stored-graphs/judge-graph.ts';
import { suggestGraphRules } from '../../operations/stored-graphs/suggest-graph-rules.ts';
import { defaultViolations, failsBuild } from '../../../../protocol/rule-outcome.ts';
import { type Command, countOption, exitCodes } from '../command.ts';
import { toJunit } from '../junit.ts';
import { ruleJunitSuite, ruleLines, ruleMarkdown, ruleProblems } from '../print-rules.ts';
import { suggestedText } from '../print-suggestions.ts';
import { toSarif } from '../sarif.ts';

export const rulesCommand: Command = {
  name: 'rules',
  operands: 'FILE',
  summary: 'Judge an imported graph by the rules of the entity graph',
  details: ['Exits with 1 if a rule of severity error is broken, or a rule cannot be judged.'],
  arity: { min: 1, max: 1 },
  options: [
    { name: 'suggest', help: 'Print rules that the imported graph keeps for at least 95 %, as YAML or JSON' },
    { name: 'limit', value: 'N', help: `How many violations of a rule are listed (default: ${defaultViolations})` },
    {
      name: 'format',
      value: 'FORMAT',
      help: 'How to print the result',
      choices: ['text', 'json', 'sarif', 'junit', 'markdown'],
    },
  ],
  examples: [
    'entity-graph rules incidents.entity.yaml',
    'entity-graph rules incidents.entity.yaml --suggest',
    'entity-graph rules incidents.entity.yaml --format markdown',
  ],
  async run(invocation) {
    const { operands, projectContext, signal, terminal, format } = invocation;
    if (invocation.options['suggest'] === 'true') {
      const suggestions = await suggestGraphRules(resolve(operands[0] ?? ''), projectContext, signal);
      terminal.result(format === 'json' ? JSON.stringify(suggestions, null, 2) : suggestedText(suggestions).trimEnd());
      return exitCodes.fine;
    }
    const limit = countOption(invocation, 'limit') ?? defaultViolations;
    const judged = await judgeGraph(resolve(operands[0] ?? ''), projectContext, { limit, signal });
    const { file, results } = judged;
    if (format === 'json') terminal.result(JSON.stringify(results, null, 2));
    else if (format === 'sarif') {
      const problems = ruleProblems(judged);
      terminal.result(JSON.stringify(toSarif([{ ...file, problems }]), null, 2));
    } else if (format === 'junit') terminal.result(toJunit([ruleJunitSuite(judged)]).trimEnd());
    else if (format === 'markdown') terminal.result(ruleMarkdown(judged).trimEnd());
    else for (const line of ruleLines(judged, terminal.paint)) terminal.result(line);
    return results.some(failsBuild) ? exitCodes.problems : exitCodes.fine;
  },
};
