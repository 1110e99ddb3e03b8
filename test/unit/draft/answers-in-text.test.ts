import assert from 'node:assert/strict';
import type { DraftAnswer, DraftRole } from '../../../protocol/first-draft.ts';
import { answersInText } from '../../../server/src/draft/answers-in-text.ts';

describe('answers of a draft in an edited text', () => {
  const answer = (role: DraftRole, ...columns: string[]): DraftAnswer => ({ dataObject: 'loans', role, columns });
  const answers = [answer('case', 'Case'), answer('activity', 'Step'), answer('time', 'At')];
  const text = (fields: string, dataObject = 'loans'): string =>
    `dataSource: loans\nelements:\n  - { activityName: Update, dataObject: ${dataObject}, ${fields} }\n`;
  const cases: readonly (readonly [string, string, readonly DraftRole[]])[] = [
    ['all', text('key: Case, startTimestamp: At, activityColumn: Step'), ['case', 'activity', 'time']],
    ['a computed time of the column', text(`startTimestamp: { expression: 'strptime("At", 1)' }`), ['time']],
    ['not another column', text('key: Other, startTimestamp: Later, activityColumn: Step'), ['activity']],
    ['not a longer key', text('key: [Case, Other], activityColumn: Step'), ['activity']],
    ['none of another data object', text('key: Case, startTimestamp: At', 'other'), []],
    ['none of a text that cannot be read', '{[', []],
  ];
  for (const [title, given, roles] of cases) {
    it(`are ${title}`, () =>
      assert.deepEqual(
        answersInText(given, answers).map(({ role }) => role),
        roles,
      ));
  }
  it('are keys of master data, too', () => {
    const key = answer('key', 'Id');
    const entities = 'dataSource: loans\nentities:\n  - { entityType: loan, dataObject: loans, key: Id }\n';
    assert.deepEqual(answersInText(entities, [key, answer('key', 'No')]), [key]);
  });
});
