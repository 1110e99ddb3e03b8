import { resolve } from 'node:path';
import { Document, isMap, isSeq, visit } from 'yaml';
import { writtenSchema } from '../../model/written-yaml.ts';
import { judgeGraph } from '../../operations/stored-graphs/judge-graph.ts';
import { evaluateSourceExpectations } from '../../operations/sources/evaluate-source-expectations.ts';
import type { JudgedGraph } from '../../operations/stored-graphs/judge-graph.ts';
import { suggestGraphRules } from '../../operations/stored-graphs/suggest-graph-rules.ts';
import { escapeControls } from '../../../../protocol/printable-text.ts';
import { measureFailsBuild } from '../../../../protocol/measure-outcome.ts';
import { defaultViolations, failsBuild, shareText } from '../../../../protocol/rule-outcome.ts';
import type { RuleSuggestion } from '../../../../protocol/rule-suggestions.ts';
import { type Command, type Invocation, UsageError, countOption, exitCodes } from '../command.ts';
import { toJunit } from '../junit.ts';
import { measureLines, measureProblems } from '../print-measures.ts';
import { ruleJunitSuite, ruleLines, ruleMarkdown, ruleProblems } from '../print-rules.ts';
import { toSarif } from '../sarif.ts';

export const rulesCommand: Command = {
  name: 'rules',
  operands: 'FILE',
  summary: 'Judge an imported graph by the rules of the entity graph, and measure it',
  details: [
    'Exits with 1 if a rule or expectation of severity error is broken, the target of a measure of severity error is missed, or one of them cannot be judged.',
  ],
  arity: { min: 1, max: 1 },
  options: [
    { name: 'suggest', help: 'Print rules that the imported graph keeps for at least 95 %, as YAML or JSON' },
    {
      name: 'source',
      help: 'Ask the data sources whether their rows are as `expect` says, without an import',
    },
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
    'entity-graph rules incidents.entity.yaml --source',
    'entity-graph rules incidents.entity.yaml --suggest',
    'entity-graph rules incidents.entity.yaml --format markdown',
  ],
  async run(invocation) {
    const { operands, projectContext, signal, terminal, format } = invocation;
    if (
      invocation.options['source'] === 'true' &&
      (invocation.options['suggest'] ?? invocation.options['limit']) !== undefined
    )
      throw new UsageError('--source goes neither with --suggest nor with --limit.');
    if (invocation.options['suggest'] === 'true') {
      const suggestions = await suggestGraphRules(resolve(operands[0] ?? ''), projectContext, signal);
      terminal.document(
        format === 'json' ? JSON.stringify(suggestions, null, 2) : suggestedText(suggestions).trimEnd(),
      );
      return exitCodes.fine;
    }
    const judged = await judgedBy(invocation);
    const { file, results, measures } = judged;
    if (format === 'json') terminal.document(JSON.stringify([...results, ...measures], null, 2));
    else if (format === 'sarif') {
      const problems = [...ruleProblems(judged), ...measureProblems(judged)];
      terminal.document(JSON.stringify(toSarif([{ ...file, problems }]), null, 2));
    } else if (format === 'junit') terminal.document(toJunit([ruleJunitSuite(judged)]).trimEnd());
    else if (format === 'markdown') terminal.document(ruleMarkdown(judged).trimEnd());
    else for (const line of [...ruleLines(judged), ...measureLines(judged)]) terminal.result(line);
    const fails = results.some(failsBuild) || measures.some(measureFailsBuild);
    return fails ? exitCodes.problems : exitCodes.fine;
  },
};

function judgedBy(invocation: Invocation): Promise<JudgedGraph> {
  const { operands, projectContext, signal, terminal } = invocation;
  const path = resolve(operands[0] ?? '');
  if (invocation.options['source'] === 'true') {
    const onProgress = (label: string): void => terminal.progress(label, undefined);
    return evaluateSourceExpectations(path, projectContext, { onProgress, signal }).finally(() =>
      terminal.endProgress(),
    );
  }
  const limit = countOption(invocation, 'limit') ?? defaultViolations;
  return judgeGraph(path, projectContext, { limit, signal });
}

/** Suggested rules as they stand in a file, each with its numbers as a comment. Names of the data stay on one line. */
function suggestedText(suggestions: readonly RuleSuggestion[]): string {
  if (suggestions.length === 0) return '# No rule beyond those of the file holds for 95 % of at least 20 entities.\n';
  const document = new Document({ rules: suggestions.map(({ rule }) => rule) }, writtenSchema);
  const list: unknown = document.get('rules');
  if (!isSeq(list)) return '';
  for (const [index, entry] of list.items.entries()) {
    const suggestion = suggestions[index];
    if (!isMap(entry) || !suggestion) continue;
    const { share, broken, concerned } = suggestion;
    entry.commentBefore = ` ${shareText(share)} kept: ${broken.toLocaleString('en')} of ${concerned.toLocaleString('en')} broken`;
    visit(entry, (_, node, path) => {
      if (isMap(node) && path.length > 0) node.flow = true;
    });
  }
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && escapeControls(node.value) !== node.value) node.type = 'QUOTE_DOUBLE';
    },
  });
  const text = document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER });
  // The library writes some of these as they are, within double quotes.
  return text.replaceAll(
    /[\x7f-\x9f\u2028\u2029\p{Bidi_Control}]/gu,
    (character) => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
