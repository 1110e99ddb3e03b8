import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type CompletionProposal, completeEntityGraph } from '../../../server/src/language/complete.ts';
import { focusAt } from '../../../server/src/language/cursor/focus.ts';
import { createIncrementalYaml } from '../../../server/src/model/incremental-yaml.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { catalog, sources } from './shop-catalog.ts';

const sample = readFileSync('samples/northwind/northwind.entity.yaml', 'utf8');

describe('completion inside an entry', () => {
  it('offers what reading the whole file offers, wherever the cursor is', () => {
    // A tag makes the text inseparable, so that it is read as a whole; nothing else changes.
    const whole = `${sample}x-all: !!str 1\n`;
    assert.equal(focusAt(whole, 500), undefined);
    const [parts, all] = [sample, whole].map((text) => parseEntityGraph(text, createIncrementalYaml().parse(text)));
    assert.ok(parts && all);
    const short = ({ label, insertText, replace, sortText }: CompletionProposal): unknown => [
      label,
      insertText,
      replace,
      sortText,
    ];
    let focused = 0;
    for (let offset = 0; offset < sample.length; offset += 7) {
      if (focusAt(sample, offset)) focused += 1;
      assert.deepEqual(
        completeEntityGraph({ parsed: parts, sources, catalog }, offset).map(short),
        completeEntityGraph({ parsed: all, sources, catalog }, offset).map(short),
        JSON.stringify(sample.slice(Math.max(0, offset - 40), offset)),
      );
    }
    assert.ok(focused > sample.length / 7 / 2);
  });
});
