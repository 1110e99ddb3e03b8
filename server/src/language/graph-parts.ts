import type { GraphEntry, GraphParts } from '../../../protocol/graph-parts.ts';
import { createLineIndex } from '../model/line-index.ts';
import type { ParsedEntityGraph } from '../model/parse-model.ts';
import type { Located, SourceRange } from '../model/source-range.ts';

/** What a graph has besides data objects, cards and relationships, as it is written. */
export function graphParts({ graph, yaml }: ParsedEntityGraph): GraphParts {
  const lines = createLineIndex(yaml.text);
  const entry = (name: Located<string> | undefined, range: SourceRange): GraphEntry => {
    const written = yaml.text.slice(range.start, range.end);
    return { name: name?.value ?? '', detail: onOneLine(written), range: lines.range(range) };
  };
  const { name, description, dataSource, rules, measures, guards, calendars, accepted } = graph;
  const settings = graph.import;
  return {
    texts: {
      ...(name && { name: name.value }),
      ...(description && { description: description.value }),
      ...(dataSource && { dataSource: dataSource.value }),
    },
    entries: {
      rules: rules.map((rule) => entry(rule.name, rule.range)),
      measures: measures.map((measure) => entry(measure.name, measure.range)),
      guards: guards.map((guard) => entry(guard.element ?? guard.relationship, guard.range)),
      accepted: accepted.map(({ finding, range }) => entry(finding, range)),
      calendars: calendars.map((calendar) => entry(calendar.name, calendar.range)),
      import: settings.range ? [entry(undefined, settings.range)] : [],
    },
  };
}

const longest = 300;

/** Its lines without comments, and without that of its name, which is shown already. */
function onOneLine(text: string): string {
  const line = text
    .split('\n')
    .map((each) => each.trim())
    .filter((each) => each !== '' && !/^(?:#|name:)/.test(each))
    .join(' · ');
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}
