import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ConfigurationTarget, TabInputTextDiff, Uri, WorkspaceEdit, commands, window, workspace } from 'vscode';
import packageJson from '../../package.json';
import { inputSchema } from '../../server/src/mcp/tool.ts';
import { tools } from '../../server/src/mcp/tools.ts';
import { type Lab, openLab, shopGraph } from './lab.ts';
import { answering, pick, press } from './person.ts';
import { startHost } from './service-host.ts';
import { waitFor } from './wait-for.ts';

/** The part of VS Code that agents use; not in the types of the oldest version that is supported. */
interface AgentApi {
  readonly tools: readonly { readonly name: string; readonly inputSchema: unknown }[];
  invokeTool(
    name: string,
    call: { readonly input: object; readonly toolInvocationToken: undefined },
    token?: vscode.CancellationToken,
  ): Promise<{ readonly content: readonly { readonly value: string }[] }>;
}

interface Applied {
  readonly written: boolean;
  readonly hash: string | null;
  readonly edits: readonly { readonly newText: string }[];
  readonly effect: { readonly state: string };
}

const agent = (vscode as unknown as { readonly lm: AgentApi }).lm;
const served = 'mcp_entity_graph_';
const applyTool = 'entity_graph_apply_edit';
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
/** Of three orders, one is left. */
const fewer = { kind: 'set', path: ['elements', 0, 'where'], value: 'amount > 10' };
const proposalScheme = 'entity-graph-proposal';
const asked = /^An agent proposes an edit of shop\.entity\.yaml\./;

async function invoke(name: string, input: object, token?: vscode.CancellationToken): Promise<unknown> {
  const { content } = await agent.invokeTool(name, { input, toolInvocationToken: undefined }, token);
  return JSON.parse(content[0]?.value ?? '') as unknown;
}

const apply = async (input: object, token?: vscode.CancellationToken): Promise<Applied> =>
  (await invoke(applyTool, input, token)) as Applied;

const serverId = `${packageJson.publisher}.${packageJson.name}/Entity Graph`;
const restart = (): Thenable<unknown> => commands.executeCommand('workbench.mcp.restartServer', serverId);
const toolNames = (): readonly string[] =>
  agent.tools.flatMap(({ name }) => (name.startsWith(served) ? [name.slice(served.length)] : []));
const reach = (value: true | undefined): Thenable<void> =>
  workspace.getConfiguration('entityGraph').update('agents.reach', value, ConfigurationTarget.Global);

/** How many processes serve tools with reach. */
async function runningServers(): Promise<number> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
  return lines.filter((line) => /cli\.js\0mcp\0.*\0--allow\0reach/.test(line)).length;
}

const autoSave = (value: string | undefined): Thenable<void> =>
  workspace.getConfiguration('files').update('autoSave', value, ConfigurationTarget.Global);

function isDifference({ input }: vscode.Tab): boolean {
  return input instanceof TabInputTextDiff && input.modified.scheme === proposalScheme;
}

function shownDifference(): TabInputTextDiff | undefined {
  const inputs = window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }): unknown => input));
  return inputs.find(
    (input): input is TabInputTextDiff => input instanceof TabInputTextDiff && input.modified.scheme === proposalScheme,
  );
}

describe('tools for agents in VS Code', () => {
  let lab: Lab;
  const file = 'lab/shop.entity.yaml';

  before(async () => {
    // In a browser, VS Code saves by itself after a second.
    await autoSave('off');
    lab = await openLab();
    await window.showTextDocument(lab.uri('shop.entity.yaml'));
    await answering([], () => commands.executeCommand('entityGraph.import'));
  });
  after(async () => {
    await autoSave(undefined);
    await lab.close();
  });
  beforeEach(() => writeFile(lab.uri('shop.entity.yaml').fsPath, shopGraph));
  afterEach(async () => {
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('are those of a server that VS Code starts, which allows reading only', async () => {
    await commands.executeCommand('workbench.mcp.startServer', serverId);
    await waitFor('the tools are listed', () => toolNames().length > 0);
    const reading = tools.filter(({ needs }) => needs === undefined).map(({ name }) => name);
    assert.deepEqual([...toolNames()].sort(), reading.sort());
    const { items } = (await invoke(`${served}list_graphs`, {})) as { items: { file: string; status: string }[] };
    const shop = items.find((each) => each.file.endsWith('/lab/shop.entity.yaml'));
    assert.equal(shop?.status, 'Imported');
  });

  it('edit with the arguments of apply_edit', () => {
    const tool = tools.find(({ name }) => name === 'apply_edit');
    assert.ok(tool);
    // The effect is always shown.
    const expected = inputSchema({ ...tool, options: {} });
    assert.deepEqual(agent.tools.find(({ name }) => name === applyTool)?.inputSchema, expected);
  });

  it('show an edit with its effect, apply it when a person does, and save it as one step of Undo', async () => {
    const { hash } = (await invoke(`${served}read_graph`, { file })) as { hash: string };
    let answer: Applied | undefined;
    const told = await answering([press(asked, 'Apply')], async () => {
      answer = await apply({ file, baseHash: hash, edits: [fewer] });
    });
    const edited = shopGraph.replace('    properties', '    where: amount > 10\n    properties');
    const written = await lab.text('shop.entity.yaml');
    assert.notEqual(written, shopGraph);
    assert.match(written, /^ {4}where: amount > 10$/m);
    assert.equal(
      written
        .split('\n')
        .filter((line) => !/where/.test(line))
        .join('\n'),
      shopGraph,
      edited,
    );
    assert.deepEqual([answer?.written, answer?.hash], [true, hashOf(written)]);
    assert.equal(answer?.effect.state, 'compared', JSON.stringify(answer?.effect));
    assert.match(told.join('\n'), /The graph differs from that of the last import\./);
    assert.equal(shownDifference(), undefined);
    assert.ok(window.tabGroups.all.some(({ tabs }) => tabs.some(({ label }) => label.startsWith('Effect of'))));
    await window.showTextDocument(lab.uri('shop.entity.yaml'));
    await commands.executeCommand('undo');
    assert.equal(window.activeTextEditor?.document.getText(), shopGraph);
    await window.activeTextEditor?.document.save();
  });

  it('write nothing that a person refuses, closes or leaves to a cancelled agent', async () => {
    const refused = /refused: nothing was written/;
    const input = { file, baseHash: hashOf(shopGraph), edits: [fewer] };
    await answering([press(asked, 'Refuse')], () => assert.rejects(apply(input), refused));
    for (const close of ['entityGraph.refuseProposal', 'workbench.action.closeActiveEditor'])
      await answering([], async () => {
        const answer = assert.rejects(apply(input), refused);
        await waitFor('the difference is shown', () => shownDifference() !== undefined);
        const { original } = shownDifference() as TabInputTextDiff;
        assert.equal(original.toString(), lab.uri('shop.entity.yaml').toString());
        await waitFor('it is in front', () => window.activeTextEditor?.document.uri.scheme === proposalScheme);
        await commands.executeCommand(close);
        await answer;
      });
    await answering([], async () => {
      const answer = assert.rejects(apply(input), refused);
      await waitFor('it is in front', () => window.activeTextEditor?.document.uri.scheme === proposalScheme);
      await commands.executeCommand('workbench.action.splitEditor');
      const differences = () => window.tabGroups.all.flatMap(({ tabs }) => tabs.filter(isDifference));
      await waitFor('it is shown twice', () => differences().length === 2);
      await window.tabGroups.close(differences()[0] as vscode.Tab);
      await waitFor('it is shown once', () => differences().length === 1);
      await waitFor('it is in front there', () => window.activeTextEditor?.document.uri.scheme === proposalScheme);
      await commands.executeCommand('workbench.action.compareEditor.focusSecondarySide');
      await commands.executeCommand('entityGraph.refuseProposal');
      await answer;
    });
    const cancelled = new vscode.CancellationTokenSource();
    await answering([], async () => {
      const answer = assert.rejects(apply(input, cancelled.token), (error: Error) => !refused.test(error.message));
      await waitFor('the difference is shown', () => shownDifference() !== undefined);
      cancelled.cancel();
      await answer;
      await waitFor('it is closed', () => shownDifference() === undefined);
    });
    assert.equal(await lab.text('shop.entity.yaml'), shopGraph);
  });

  it('overwrite no unsaved editor, neither before nor after the question', async () => {
    const input = { file, baseHash: hashOf(shopGraph), edits: [fewer] };
    const typed = async (): Promise<void> => {
      const change = new WorkspaceEdit();
      change.insert(lab.uri('shop.entity.yaml'), new vscode.Position(0, 0), '# typed\n');
      await workspace.applyEdit(change);
    };
    await typed();
    const document = await workspace.openTextDocument(lab.uri('shop.entity.yaml'));
    await answering([], () => assert.rejects(apply(input), /stale-text: .* not saved/));
    await window.showTextDocument(document);
    await commands.executeCommand('workbench.action.files.revert');
    await answering([], async () => {
      const answer = assert.rejects(apply(input), /stale-text: .* not saved/);
      await waitFor('the difference is shown', () => shownDifference() !== undefined);
      await typed();
      await commands.executeCommand('entityGraph.applyProposal', shownDifference()?.modified);
      await answer;
    });
    assert.equal(document.getText(), `# typed\n${shopGraph}`);
    await window.showTextDocument(document);
    await commands.executeCommand('workbench.action.files.revert');
    assert.equal(await lab.text('shop.entity.yaml'), shopGraph);
  });

  it('ask nobody for an edit that does not fit', async () => {
    const baseHash = hashOf(shopGraph);
    await symlink(lab.uri('shop.entity.yaml').fsPath, lab.uri('linked.entity.yaml').fsPath);
    const wrong: readonly (readonly [input: object, words: RegExp])[] = [
      [{ file, baseHash: hashOf('other'), edits: [fewer] }, /stale-text: .* has changed since it was read/],
      [{ file, edits: [fewer] }, /stale-text: .* baseHash is missing/],
      [{ file: 'lab/new.entity.yaml', baseHash, text: shopGraph }, /stale-text: .* does not exist/],
      [{ file, baseHash, edits: [{ kind: 'explode' }] }, /edit-refused/],
      [{ file: '../out.entity.yaml', text: shopGraph }, /is not in the workspace/],
      [{ file: 'lab/entity-sources.yaml', text: 'version: 1\n' }, /is no entity graph or file of tests/],
      [{ file: 'lab/linked.entity.yaml', baseHash, edits: [fewer] }, /is no plain file/],
    ];
    await answering([], async () => {
      for (const [input, words] of wrong) await assert.rejects(apply(input), words, JSON.stringify(input));
      const text = shopGraph.replace('placed_at', 'placed_att');
      const { written, hash } = await apply({ file, baseHash, text });
      assert.deepEqual([written, hash], [false, baseHash]);
    });
    assert.equal(await lab.text('shop.entity.yaml'), shopGraph);
  });

  it('write a new file, and one with errors that are allowed', async () => {
    const text = shopGraph.replace('placed_at', 'placed_att');
    const question = /^An agent proposes an edit of fresh\.entity\.yaml\. .*It has new errors\./;
    let answer: Applied | undefined;
    await answering([press(question, 'Apply')], async () => {
      answer = await apply({ file: join(lab.folder, 'fresh.entity.yaml'), text, allowErrors: true });
    });
    assert.deepEqual([answer?.written, answer?.hash], [true, hashOf(text)]);
    assert.equal(await readFile(Uri.joinPath(lab.uri('fresh.entity.yaml')).fsPath, 'utf8'), text);
  });

  it('reach a data source only where a setting lets them, with values that a person has allowed for its host', async () => {
    const other = await startHost();
    const folder = Uri.joinPath(lab.uri('..'), 'agents-reach');
    const text = (name: string, origin: string, token: string): string =>
      `  ${name}: { kind: rest, baseUrl: "${origin}", auth: { kind: apiKey, header: X-Api-Key, token: "${token}" }, endpoints: [{ name: visits, path: /visits, key: id }] }\n`;
    const own = await startHost();
    const sources = [
      text('own', own.origin, '${secret:agents}'),
      text('foreign', other.origin, '${secret:agents}'),
      text('variable', other.origin, '${env:HOME}'),
    ];
    await mkdir(folder.fsPath, { recursive: true });
    const path = Uri.joinPath(folder, 'entity-sources.yaml').fsPath;
    await writeFile(path, `version: 1\ndataSources:\n${sources.join('')}`);
    /** The answer, or the refusal. */
    const tablesOf = async (source: string): Promise<string> => {
      const input = { source, sources: 'agents-reach/entity-sources.yaml' };
      return JSON.stringify(await invoke(`${served}describe_source`, input).catch(String));
    };
    const refused = /not-allowed|secret-missing/;
    try {
      await commands.executeCommand('entityGraph.setSecret', 'agents', 'key-of-agents');
      await reach(true);
      await restart();
      await waitFor('the tools that reach are there', () => toolNames().includes('test_query'));
      for (const source of ['own', 'foreign', 'variable']) assert.match(await tablesOf(source), refused);
      assert.deepEqual([own.keys, other.keys], [[], []]);
      // A person allows the secret for the first host.
      await answering([pick(/^Data source$/, 'own'), press(/^Let data source "own" send this/, 'Allow')], () =>
        commands.executeCommand('entityGraph.testConnection'),
      );
      own.keys.length = 0;
      await restart();
      assert.match(await tablesOf('own'), /"name":"visits"/);
      assert.ok(own.keys.length > 0 && own.keys.every((key) => key === 'key-of-agents'), own.keys.join());
      for (const source of ['foreign', 'variable']) assert.match(await tablesOf(source), refused);
      assert.deepEqual(other.keys, []);
      assert.deepEqual(await runningServers(), 1);
      // Revoked, the process that knows it ends.
      await answering([pick(/^Manage Allowed Hosts/)], () => commands.executeCommand('entityGraph.manageAllowedHosts'));
      await waitFor('the server has ended', async () => (await runningServers()) === 0);
      await restart();
      own.keys.length = 0;
      assert.match(await tablesOf('own'), refused);
      assert.deepEqual(own.keys, []);
      await reach(undefined);
      await waitFor('the server has ended', async () => (await runningServers()) === 0);
      await restart();
      await waitFor('they only read', () => toolNames().length > 0 && !toolNames().includes('test_query'));
    } finally {
      await reach(undefined);
      await rm(folder.fsPath, { recursive: true, force: true });
      await Promise.all([own.close(), other.close()]);
    }
  });
});
