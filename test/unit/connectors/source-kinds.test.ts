import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { settingsOf } from '../../../client/src/source-kinds/source-settings.ts';
import { createConnector } from '../../../server/src/connectors/create-connector.ts';
import type { ConnectorContext } from '../../../server/src/connectors/connector-context.ts';
import type { Connector } from '../../../server/src/connectors/connector.ts';
import { type SourceKind, sourceKindView } from '../../../server/src/connectors/source-kind.ts';
import { addSourceKind, sourceKind, sourceKinds } from '../../../server/src/connectors/source-kinds.ts';
import { schemaErrors } from '../../../server/src/language/schema/validate-schema.ts';
import type { DataSource } from '../../../server/src/model/data-sources.ts';
import { parseDataSources } from '../../../server/src/model/parse-data-sources.ts';

const pathOf = (path: string): URL => new URL(`../../../${path}`, import.meta.url);
const translations = JSON.parse(readFileSync(pathOf('l10n/bundle.l10n.json'), 'utf8')) as object;

const context: ConnectorContext = {
  folder: '/',
  environment: {},
  readSecret: async () => 'x',
  permitUses: async () => [],
};

/** The client's use of the proposed answers; without proposals, of any text. */
function proposedSettings(kind: SourceKind): Readonly<Record<string, unknown>> {
  const answers = kind.questions.map(({ setting, fallback, placeholder, choices }) => [
    setting,
    fallback ?? placeholder ?? choices?.[0]?.value ?? 'x',
  ]);
  return settingsOf(sourceKindView(kind), Object.fromEntries(answers) as Record<string, string>, 'it');
}

function sourceWith(settings: object): DataSource {
  const [source] = parseDataSources(JSON.stringify({ version: 1, dataSources: { it: settings } })).sources.sources;
  assert.ok(source);
  return source;
}

async function connected(kind: SourceKind, use: (connector: Connector) => void): Promise<void> {
  const connector = await createConnector(sourceWith(proposedSettings(kind)), context);
  try {
    use(connector);
  } finally {
    await connector.close();
  }
}

/** The texts visible to a person. */
function textsOf({ label, description, questions }: SourceKind): readonly string[] {
  return [
    ...[label, description],
    ...questions.flatMap(({ prompt, choices = [], expects }) => [
      prompt,
      ...choices.flatMap((choice) => [choice.label, choice.description ?? '']),
      expects?.message ?? '',
    ]),
  ];
}

/** A row of the table in docs/sources.md. */
function documentedRow(kind: SourceKind): readonly string[] {
  const { name, label, description, dialect, capabilities, docPage } = kind;
  const { abilities } = sourceKindView(kind);
  const yes = (is: boolean): string => (is ? 'yes' : 'no');
  const page = basename(docPage);
  return [
    ...[`\`${name}\``, `${label}: ${description}`, `\`${dialect}\``],
    ...[capabilities.hasRowOrder, capabilities.hasSnapshot, capabilities.buildsInside].map(yes),
    ...[abilities.includes('explore'), abilities.includes('writeRecords')].map(yes),
    page === documentation ? 'this page' : `[${withoutSection(page)}](${page})`,
  ];
}

const withoutSection = (page: string): string => page.replace(/#.*/, '');

const documentation = 'sources.md';

describe('source kinds', () => {
  for (const kind of sourceKinds()) {
    const { name, capabilities } = kind;

    it(`${name} › the connector has the declared dialect and capabilities`, () =>
      connected(kind, (connector) => {
        const { kind: own, dialect, hasRowOrder } = connector;
        assert.deepEqual(
          { own, dialect, hasRowOrder, buildsInside: connector.openBuild !== undefined },
          {
            own: name,
            dialect: kind.dialect,
            hasRowOrder: capabilities.hasRowOrder,
            buildsInside: capabilities.buildsInside,
          },
        );
      }));

    it(`${name} › Add Data Source creates settings that the schema accepts`, () => {
      const dataSources = { it: proposedSettings(kind) };
      assert.deepEqual(schemaErrors('entitySources', { version: 1, dataSources }), []);
    });

    it(`${name} › the schema has the declared settings`, () => {
      const { properties = {} } = (kind.settingsSchema[name] ?? {}) as { properties?: object };
      const named = [
        ...kind.tellingSettings,
        ...(kind.fileSetting ? [kind.fileSetting.name] : []),
        ...kind.questions.map(({ setting }) => setting.replace(/\..*/, '')),
      ];
      assert.deepEqual(
        named.filter((setting) => !(setting in properties)),
        [],
      );
    });

    it(`${name} › the folder is named after the kind, as lint requires`, () => {
      assert.ok(existsSync(pathOf(`server/src/connectors/${name}/source-kind.ts`)));
    });

    it(`${name} › the snippet creates a data source of the kind`, () => {
      assert.deepEqual(
        kind.snippet.lines.filter((line) => line.startsWith('  kind:')),
        [`  kind: ${name}`],
      );
    });

    it(`${name} › every text is translatable`, () => {
      const words = textsOf(kind).filter((text) => /\p{L} \p{Ll}|^\p{Lu}\p{Ll}+$/u.test(text));
      assert.deepEqual(
        words.filter((text) => !(text in translations)),
        [],
      );
    });

    it(`${name} › its doc page exists`, () => {
      assert.ok(existsSync(pathOf(withoutSection(kind.docPage))), kind.docPage);
    });
  }

  it('match the table of docs/sources.md', () => {
    const lines = readFileSync(pathOf(`docs/${documentation}`), 'utf8').split('\n');
    const rows = lines.filter((line) => line.startsWith('| `')).map((line) => line.slice(2, -2).split(' | '));
    assert.deepEqual(rows, sourceKinds().map(documentedRow));
  });

  it('have unique names', () => {
    const [first] = sourceKinds();
    assert.ok(first);
    assert.throws(() => addSourceKind(first), /is a source kind postgresql already/);
    assert.equal(sourceKind('postgresql'), first);
    assert.equal(sourceKind(undefined), undefined);
  });
});
