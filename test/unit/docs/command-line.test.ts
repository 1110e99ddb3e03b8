import assert from 'node:assert/strict';
import type { Tokens } from 'marked';
import { commonOptions } from '../../../server/src/cli/command.ts';
import { commands } from '../../../server/src/cli/commands/index.ts';
import { docPages, semanticsSections } from '../../support/doc-pages.ts';

const pages = docPages();
const sections = semanticsSections();
const contract = sections.find(({ title }) => title === '15.1 Contract')?.text ?? '';
const table = sections
  .find(({ title }) => title === '15.2 Commands')
  ?.tokens.find((token): token is Tokens.Table => token.type === 'table');

describe('docs/semantics/store.md › command line', () => {
  it('lists every command with its operands, and no other', () => {
    const listed = (table?.rows ?? []).flatMap(([cell]) =>
      [...(cell?.text ?? '').matchAll(/`([^`]+)`/g)].map(([, usage]) => usage),
    );
    const usages = commands.map(({ name, operands }) => `${name} ${operands}`);
    assert.deepEqual(listed.toSorted(), usages.toSorted());
  });

  for (const { name, options } of commands) {
    it(`lists the options of ${name}`, () => {
      const row = table?.rows.find(([cell]) => new RegExp(`\`${name} `).test(cell?.text ?? ''));
      // The actions on an instance have a page of their own.
      const more = name === 'servicenow' ? (pages.get('docs/servicenow.md') ?? '') : '';
      const text = [contract, ...(row ?? []).map((cell) => cell.text), more].join('\n');
      const all = [...options, ...commonOptions].map((option) => `--${option.name}`);
      assert.deepEqual(
        all.filter((option) => !new RegExp(`${option}(?![\\w-])`).test(text)),
        [],
      );
    });
  }
});
