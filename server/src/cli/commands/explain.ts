import { UnknownTopic, explainTopic } from '../../operations/format/explain-topic.ts';
import { type Command, UsageError, exitCodes, formatOption } from '../command.ts';
import { docsFolder } from '../program-paths.ts';
import { paint } from '../styled-text.ts';

export const explainCommand: Command = {
  name: 'explain',
  operands: '[TOPIC]',
  summary: 'Explain a field, the code of a problem, or a section of the specification',
  details: ['Without TOPIC, lists what can be explained.'],
  arity: { min: 0, max: 1 },
  options: [formatOption],
  examples: [
    'entity-graph explain key-width',
    'entity-graph explain elements[].startTimestamp',
    'entity-graph explain 8.2',
  ],
  async run({ operands: [topic], terminal, format }) {
    const explanation = await explainTopic(topic, docsFolder()).catch((error: unknown) => {
      throw error instanceof UnknownTopic ? new UsageError(error.message) : error;
    });
    if (format === 'json') terminal.document(JSON.stringify(explanation, null, 2));
    else {
      for (const { title, text } of explanation.items) {
        terminal.result(paint.bold(title));
        for (const line of text.split('\n')) terminal.result(line);
        terminal.result('');
      }
    }
    return exitCodes.fine;
  },
};
