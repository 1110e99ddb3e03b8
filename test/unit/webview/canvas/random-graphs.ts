import type { GraphView } from '../../../../protocol/graph-view.ts';
import { type Random, pick } from '../../../support/random.ts';
import { element, graph, relationship } from '../../../webview/graph-views.ts';

const verbs = ['Open', 'Approve', 'Receive', 'Pay', 'Reject for Lack of Documents', 'Ship'];
const entityTypes = ['customer', 'cost centre', 'incident_task'];
const columns = ['id', 'number', 'opened_at', 'a_rather_long_column_name', 'state'];

export function randomElement(random: Random, name: string): GraphView['elements'][number] {
  const some = <T>(value: T): Partial<Record<never, T>> & { value?: T } => (random() < 0.6 ? { value } : {});
  const [dataObject, start, change] = [some('incident_task'), some('opened_at'), some('sys_updated_on')];
  const card = element(name, 1, {
    ...(dataObject.value === undefined ? {} : { dataObject: dataObject.value }),
    ...(start.value === undefined ? {} : { startTimestamp: start.value }),
    ...(change.value === undefined ? {} : { changeTimestamp: change.value }),
    properties: columns.slice(0, Math.floor(random() * 6)),
    ...(random() < 0.2
      ? {
          unconfigured: {
            message: 'x',
            problem: 'Start Timestamp is missing.',
            remedy: 'Choose a column for it, please do.',
          },
        }
      : {}),
  });
  const values = {
    ...card.values,
    ...(random() < 0.25 ? { correlatesWith: [{ entityType: pick(random, entityTypes), key: ['ref'] }] } : {}),
    ...(random() < 0.3 ? { entityType: pick(random, entityTypes) } : {}),
  };
  return { ...card, values };
}

export function randomName(random: Random, taken: readonly string[], suffix = ''): string {
  for (let number = taken.length + 1; ; number += 1) {
    const name = `${pick(random, verbs)} ${number}${suffix}`;
    if (!taken.includes(name)) return name;
  }
}

export function randomRelationship(
  random: Random,
  name: string,
  elements: readonly string[],
  isDraft = random() < 0.3,
): GraphView['relationships'][number] {
  const target = random() < 0.08 ? {} : { target: pick(random, elements) };
  return relationship(name, 1, {
    source: pick(random, elements),
    ...target,
    label: isDraft ? '' : pick(random, ['id = parent_id', 'a_rather_long_column_name = another_long_column_name']),
    ...(isDraft ? { draft: { message: 'x', problem: 'Nothing joins its ends.', remedy: 'Add a mapping.' } } : {}),
    ...(random() < 0.15 ? { crossTable: 'm2m_incident_problem' } : {}),
  });
}

/** Two to fourteen elements, with chains, hubs, loops, parallel relationships, cross tables, drafts and missing ends. */
export function randomGraph(random: Random): GraphView {
  const names: string[] = [];
  for (let count = 2 + Math.floor(random() * 13); count > 0; count -= 1) names.push(randomName(random, names));
  const relationships = Array.from({ length: Math.floor(random() * names.length * 1.6) }, (_, index) =>
    randomRelationship(random, `link ${index}`, names),
  );
  return graph(
    names.map((name) => randomElement(random, name)),
    relationships,
  );
}
