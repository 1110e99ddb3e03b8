import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createOpeningGate } from '../../../server/src/lsp/documents/opening-gate.ts';

const [one, other] = ['file:///one.entity.yaml', 'file:///other.entity.yaml'];
const large = '# A large file.\n'.repeat(20_000);

describe('createOpeningGate', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  /** Waits for more turns of the event loop than a response needs. */
  async function turns(): Promise<void> {
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  }

  it('holds nothing back for a short document', () => {
    const gate = createOpeningGate();
    gate.opened(one, 'version: 1\n');
    assert.equal(gate.allPassed, undefined);
  });

  it('holds work back until the first problems of all large documents are written', async () => {
    const gate = createOpeningGate();
    gate.opened(one, large);
    gate.opened(other, large);
    let isPassed = false;
    void gate.allPassed?.then(() => (isPassed = true));
    gate.passed(one);
    await turns();
    assert.equal(isPassed, false);
    gate.passed(other);
    assert.equal(isPassed, false);
    await turns();
    assert.equal(isPassed, true);
    assert.equal(gate.allPassed, undefined);
  });

  it('lets work go on when no client asks for problems', async () => {
    const gate = createOpeningGate();
    gate.opened(one, large);
    const passed = gate.allPassed;
    mock.timers.tick(10_000);
    await passed;
    assert.equal(gate.allPassed, undefined);
  });

  it('ignores later problems', async () => {
    const gate = createOpeningGate();
    gate.passed(one);
    gate.opened(one, large);
    await turns();
    assert.notEqual(gate.allPassed, undefined);
    gate.passed(one);
    gate.passed(one);
    await turns();
    assert.equal(gate.allPassed, undefined);
  });
});
