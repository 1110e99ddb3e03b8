import type { DraftAnswer } from '../../../protocol/first-draft.ts';
import { type EntityElement, type EntitySource } from '../model/entity-graph.ts';
import { parseEntityGraph } from '../model/parse-model.ts';

/** The answers of a draft that an edited text still has. */
export function answersInText(text: string, answers: readonly DraftAnswer[]): readonly DraftAnswer[] {
  const { elements, entities } = parseEntityGraph(text).graph;
  const isOf = ({ dataObject }: EntitySource, answer: DraftAnswer): boolean => dataObject?.value === answer.dataObject;
  return answers.filter(
    (answer) =>
      elements.some((element) => isOf(element, answer) && elementHas(element, answer)) ||
      (answer.role === 'key' && entities.some((entry) => isOf(entry, answer) && hasKey(entry, answer))),
  );
}

function elementHas(element: EntityElement, answer: DraftAnswer): boolean {
  const [column = ''] = answer.columns;
  switch (answer.role) {
    case 'case':
    case 'key':
      return hasKey(element, answer);
    case 'activity':
      return element.activityColumn?.value === column;
    case 'time':
      return element.startTimestamp?.value === column || element.startExpression?.value.includes(column) === true;
    default:
      return false;
  }
}

function hasKey({ key }: Pick<EntitySource, 'key'>, { columns }: DraftAnswer): boolean {
  return key?.map(({ value }) => value).join('\n') === columns.join('\n');
}
