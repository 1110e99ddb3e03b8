import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import packageJson from '../../package.json';
import { defaultPreviewRows } from '../../protocol/preview-limits.ts';
import type { SourceAbility } from '../../protocol/source-kinds.ts';
import { sourceKinds } from '../../server/src/connectors/source-kinds.ts';
import { validateEntityGraph } from '../../server/src/language/validation/validate-graph.ts';
import { tools } from '../../server/src/mcp/tools.ts';
import { parseDataSources } from '../../server/src/model/parse-data-sources.ts';
import { projectRoot } from '../support/doc-pages.ts';

/**
 * Commands that only read, edit, draw and check files, or store secrets. Every other command connects, runs or imports.
 */
const harmless = new Set([
  ...['openCanvas', 'openCanvasToSide', 'reopenAsText', 'openText', 'openEntities', 'refreshEntities'],
  ...['newEntity', 'reset', 'delete', 'copyConfiguration', 'exportConfiguration', 'importConfiguration'],
  ...[
    'addDataSource',
    'openSource',
    'refreshSources',
    'setSecret',
    'forgetSecret',
    'manageAllowedHosts',
    'cancelImport',
  ],
  ...['copyQuery', 'openQueryAsFile', 'openSample', 'openWalkthrough', 'showLog'],
]);

const { commands, menus } = packageJson.contributes;
const entries: readonly (readonly [string, { readonly command: string; readonly when?: string }])[] = Object.entries(
  menus,
).flatMap(([menu, all]) => all.map((entry) => [menu, entry] as const));
/** A condition without its parentheses. */
const topLevel = (when: string): string => when.replaceAll(/\([^()]*\)/g, '()');
const isHarmless = (command: string): boolean => harmless.has(command.replace('entityGraph.', ''));

describe('words', () => {
  it('call the file an entity graph, neither an entity nor a configuration', () => {
    const graphAsEntity =
      /\b(?:New|Delete|Import|Export|Copy) (?:Entity(?! (?:Graph|Type))|Configuration)|\b[Cc]onfigurations?\b/;
    const all = ['package.nls.json', 'l10n/bundle.l10n.json'].flatMap((path) =>
      Object.values(
        JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')) as Readonly<Record<string, string>>,
      ),
    );
    assert.ok(all.length > 1000);
    assert.deepEqual(
      all.filter((text) => graphAsEntity.test(text)),
      [],
    );
  });
});

describe('commands in package.json', () => {
  it('are classified as harmless or not', () => {
    const all = new Set(commands.map(({ command }) => command.replace('entityGraph.', '')));
    assert.deepEqual(
      [...harmless].filter((command) => !all.has(command)),
      [],
    );
  });

  it('are in the palette, under one category', () => {
    const hidden = menus.commandPalette.filter(({ when }) => when === 'false');
    assert.deepEqual(hidden, []);
    assert.deepEqual([...new Set(commands.map(({ category }) => category))], ['%category%']);
  });

  it('open, import and query a graph also with results or SQL in front', () => {
    const conditionOf = (name: string) =>
      menus.commandPalette.find(({ command }) => command === `entityGraph.${name}`)?.when;
    const trusted = ['import', 'testQuery', 'showQuery', 'openEventGraph', 'exportGraph'];
    assert.deepEqual(
      trusted.map(conditionOf),
      trusted.map(() => 'isWorkspaceTrusted'),
    );
    for (const name of ['openCanvas', 'openCanvasToSide'])
      assert.equal(conditionOf(name), 'activeCustomEditorId != entityGraph.canvas');
  });

  it('appear once in each state of the palette', () => {
    const names = menus.commandPalette.map(({ command }) => command);
    assert.deepEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      [],
    );
  });

  it('are enabled in an untrusted workspace only when harmless', () => {
    const offered = entries.filter(
      ([, { command, when = '' }]) =>
        !isHarmless(command) && !topLevel(when).split(' && ').includes('isWorkspaceTrusted'),
    );
    assert.deepEqual(
      offered.map(([menu, { command }]) => `${menu}: ${command}`),
      [],
    );
    const inPalette = new Set(menus.commandPalette.map(({ command }) => command));
    const unlisted = commands.filter(({ command }) => !isHarmless(command) && !inPalette.has(command));
    assert.deepEqual(
      unlisted.map(({ command }) => command),
      [],
    );
  });

  /** The commands in the menu of a row with this context value. */
  const offeredFor = (viewItem: string): ReadonlySet<string> =>
    new Set(
      menus['view/item/context'].flatMap(({ command, when }) => {
        const pattern = /viewItem =~ \/(.*?)\/(?= |$)/.exec(when)?.[1];
        return pattern !== undefined && new RegExp(pattern).test(viewItem) ? [command.replace('entityGraph.', '')] : [];
      }),
    );
  const able: readonly (readonly [row: string, ability: SourceAbility, offered: readonly string[]])[] = [
    ['source', 'explore', ['openApiExplorer']],
    ['source secret', 'signIn', ['signIn']],
    ['source', 'writeRecords', ['stageRows', 'callEndpoint']],
    ['object', 'explore', []],
    [
      'object',
      'writeRecords',
      ['createRecord', 'updateRecord', 'deleteRecord', 'updateRecords', 'deleteRecords', 'attachments'],
    ],
  ];
  for (const [row, ability, expected] of able) {
    it(`of a row "${row}" with the capability ${ability}: ${expected.join(', ')}`, () => {
      const others = offeredFor(row);
      assert.ok(others.size > 0);
      const offered = [...offeredFor(`${row} ${ability}`)].filter((command) => !others.has(command));
      assert.deepEqual(offered.toSorted(), [...expected].toSorted());
    });
  }

  it('are in the palette only while a data source has the capability that they need', () => {
    const needed = able.flatMap(([, ability, offered]) => offered.map((command) => [command, ability] as const));
    for (const [command, ability] of needed) {
      const entry = menus.commandPalette.find((each) => each.command === `entityGraph.${command}`);
      assert.match(entry?.when ?? '', new RegExp(`\\bentityGraph\\.sources\\.${ability}$`), command);
    }
  });

  it('do not name source kinds in their conditions', () => {
    const names = sourceKinds().map(({ name }) => name);
    // Extensions of files are no kinds.
    const withoutFiles = (when = ''): string => when.replaceAll(/resourceFilename =~ \/.*?\/i?(?=$| |\))/g, '');
    const naming = entries.filter(([, { when }]) =>
      names.some((name) => new RegExp(`\\b${name}\\b`).test(withoutFiles(when))),
    );
    assert.deepEqual(naming, []);
  });

  it('offer a process map for the files that can be a graph of their own, and for no settings', () => {
    const [{ when = '' } = {}] = menus['explorer/context'].filter(({ command }) =>
      command.endsWith('processMapOfFile'),
    );
    const [wanted, unwanted] = [...when.matchAll(/resourceFilename =~ \/(.*?)\/i/g)].map(
      ([, pattern = '']) => new RegExp(pattern, 'i'),
    );
    assert.ok(wanted && unwanted);
    const isOffered = (file: string): boolean => wanted.test(file) && !unwanted.test(file);
    const endings = sourceKinds().flatMap(({ wholeFiles }) => wholeFiles?.endings ?? []);
    assert.deepEqual(
      endings.filter((ending) => !isOffered(`Loan cases.${ending}`)),
      [],
    );
    const settings = [
      'package.json',
      'tsconfig.base.json',
      'entity-sources.json',
      'a.entity.json',
      '~$loans.xlsx',
      'a.txt',
    ];
    assert.deepEqual(settings.filter(isOffered), []);
  });

  it('have parentheses around alternatives, as && binds tighter', () => {
    const mixed = entries.filter(([, { when = '' }]) => /\|\|.*&&|&&.*\|\|/.test(topLevel(when)));
    assert.deepEqual(mixed, []);
  });
});

describe('settings in package.json', () => {
  it('entityGraph.previewRows has the default of the command line', () => {
    const { default: rows } = packageJson.contributes.configuration.properties['entityGraph.previewRows'];
    assert.equal(rows, defaultPreviewRows);
  });
});

describe('skills in package.json', () => {
  for (const { path } of packageJson.contributes.chatSkills) {
    it(`${path} has the name of its folder, an example that reads well, and tools that exist`, () => {
      const text = readFileSync(join(projectRoot, path), 'utf8');
      const [, name] = /^---\nname: (.+)\ndescription: .{50,1024}\n---\n/u.exec(text) ?? [];
      assert.equal(name, basename(dirname(path)));
      const [, example = ''] = /```yaml\n([^]*?)```/u.exec(text) ?? [];
      const { sources } = parseDataSources('version: 1\ndataSources:\n  shop: { kind: csv, path: "*.csv" }\n');
      assert.deepEqual(validateEntityGraph({ text: example, sources }), []);
      const named = [...text.matchAll(/`([a-z]+_[a-z]+)`/gu)].map(([, tool]) => tool);
      assert.ok(named.length > 8);
      for (const tool of named)
        assert.ok(
          tools.some((each) => each.name === tool),
          tool,
        );
    });
  }
});

describe('walkthrough in package.json', () => {
  const steps = packageJson.contributes.walkthroughs.flatMap((walkthrough) => walkthrough.steps);
  const isCommand = (id: string): boolean => commands.some(({ command }) => command === id);

  for (const { id, media, completionEvents } of steps) {
    it(`has pictures for "${id}", and a completion event`, () => {
      const path = Object.values(media).find((value) => /\.(svg|md)$/.test(value)) ?? '';
      assert.ok(existsSync(new URL(`../../${path}`, import.meta.url)), path);
      const unknown = completionEvents.filter((event) => {
        const [, kind, what = ''] = /^(\w+):(.*)$/.exec(event) ?? [];
        return kind === 'onCommand' ? !isCommand(what) : kind !== 'onContext';
      });
      assert.deepEqual(unknown, []);
    });
  }

  it('has pictures with theme colours as attributes, the only form VS Code supports', () => {
    const pictures = steps.flatMap(({ media }) => ('svg' in media && media.svg !== undefined ? [media.svg] : []));
    assert.equal(pictures.length, 8);
    for (const path of pictures) {
      const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
      assert.doesNotMatch(text, / style=|<style|(fill|stroke)="#/, path);
    }
  });
});
