import { noEnd } from '../../analysis/event-place.ts';
import { duckdb } from '../../dialects/duckdb.ts';
import type { EntityElement } from '../../model/entity-graph.ts';
import { type AlikeLabels, type UsedLabel, alikeLabels } from '../../model/alike-labels.ts';
import { counted } from '../counted.ts';
import type { FindingSearch, FoundFinding, SearchedGraph } from '../finding-kind.ts';
import { countOf, quoted } from '../finding-texts.ts';
import { groupBy } from '../group-by.ts';
import { stepTable } from '../step-tables.ts';

const { quote } = duckdb.literals;

/** From this share of the events of both labels on, it is a warning. */
const leastShare = 0.005;

/** Activities whose names differ only in case, blanks, a typing error or their language. */
export const nearEqualLabels: FindingSearch = {
  kind: 'near-equal-labels',
  async find(graph) {
    const { store, options } = graph;
    const labels = await readLabels(graph);
    const events = new Map(labels.map((label) => [label.label, label.events]));
    const alike = groupBy(alikeLabels(labels), ({ usual }) => usual);
    const elements = await store.query(
      `SELECT activity, element, count(*) AS events FROM event AS v WHERE ${noEnd('v')} GROUP BY ALL ORDER BY events DESC`,
      options,
    );
    return alike.map((variants) => {
      const [{ usual }] = variants;
      const names = variants.map(({ variant }) => variant);
      const count = names.reduce((sum, name) => sum + (events.get(name) ?? 0), 0);
      const of = count + (events.get(usual) ?? 0);
      const row = elements.find(({ activity }) => names.includes(String(activity)));
      const element = row ? String(row['element']) : null;
      const column = element === null ? undefined : graph.element(element)?.activityColumn?.value;
      return {
        kind: 'near-equal-labels',
        ...counted('events', count, of, leastShare),
        element,
        column: column ?? null,
        message: `${names.map(quoted).join(', ')} ${names.length === 1 ? 'is' : 'are'} nearly the same as ${quoted(usual)}${whyText(variants)}: ${countOf(count, of, 'event')} ${count === 1 ? 'has' : 'have'} ${names.length === 1 ? 'this name' : 'these names'}, and an activity of ${count === 1 ? 'its' : 'their'} own on the map.`,
        ...mendedNames({ names, usual }, elements, graph),
        flagged: `SELECT id FROM event WHERE activity IN (${names.map((name) => quote(name)).join(', ')})`,
      };
    });
  },
};

/** Completes "nearly the same as …". */
function whyText(variants: readonly AlikeLabels[]): string {
  if (variants.every(({ why }) => why === 'case and blanks')) return ', but for case and blanks';
  return variants.every(({ why }) => why === 'language') ? ' in another language' : '';
}

/** What to write at each element with one of the names. */
function mendedNames(
  { names, usual }: { readonly names: readonly string[]; readonly usual: string },
  elements: readonly Readonly<Record<string, unknown>>[],
  { graph, element: elementNamed }: SearchedGraph,
): Pick<FoundFinding, 'remedy' | 'hint'> {
  const named = groupBy(
    elements
      .map((row) => ({ label: String(row['activity']), element: String(row['element']) }))
      .filter(({ label }) => names.includes(label)),
    ({ element }) => element,
  );
  const isOfElement = graph.elements.some(({ activityName }) => activityName?.value === usual);
  const others: { readonly element: string; readonly text?: string; readonly name: string }[] = [];
  const sentences = named.map((labels) => {
    const [{ element: name }] = labels;
    const element = elementNamed(name);
    const renames = element?.activityColumn ? labels.flatMap(({ label }) => textsOf(label, element)) : [];
    if (renames.length > 0) {
      others.push(...renames.map((text) => ({ element: name, text, name: usual })));
      const entries = renames.map((text) => `${JSON.stringify(text)}: ${JSON.stringify(usual)}`);
      return `Write activityNames: { ${entries.join(', ')} } at ${quoted(name)}.`;
    }
    // Two elements have two names.
    if (isOfElement)
      return `Give ${quoted(name)} an activityName that tells both apart, or read the rows of both by one element.`;
    others.push({ element: name, name: usual });
    return `Write activityName: ${JSON.stringify(usual)} at ${quoted(name)}.`;
  });
  return { remedy: sentences.join(' '), ...(others.length > 0 && { hint: { kind: 'names', names: others } }) };
}

/** The texts of the activity column that become a label. */
function textsOf(label: string, { activityNames }: EntityElement): readonly string[] {
  const renames = activityNames?.renames ?? [];
  const renamed = renames.filter(({ name }) => name.value === label).map(({ text }) => text.value);
  return renames.some(({ text }) => text.value === label) ? renamed : [...renamed, label];
}

async function readLabels({ store, options }: SearchedGraph): Promise<readonly UsedLabel[]> {
  const counts = await store.query(
    `SELECT activity, count(*) AS events FROM event AS v WHERE ${noEnd('v')} GROUP BY activity ORDER BY events DESC, activity`,
    options,
  );
  const steps = await store.query(
    `SELECT source_activity, target_activity, count(*) AS steps FROM ${stepTable} GROUP BY ALL`,
    options,
  );
  const neighbours = new Map<string, Map<string, number>>();
  const add = (label: string, neighbour: string, count: number): void => {
    const known = neighbours.get(label) ?? new Map<string, number>();
    known.set(neighbour, (known.get(neighbour) ?? 0) + count);
    neighbours.set(label, known);
  };
  for (const row of steps) {
    const [source, target] = [String(row['source_activity']), String(row['target_activity'])];
    add(source, `>${target}`, Number(row['steps']));
    add(target, `<${source}`, Number(row['steps']));
  }
  return counts.map((row) => {
    const label = String(row['activity']);
    return { label, events: Number(row['events']), neighbours: neighbours.get(label) ?? new Map<string, number>() };
  });
}
