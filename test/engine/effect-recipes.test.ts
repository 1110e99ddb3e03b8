import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { projectRoot } from '../support/doc-pages.ts';
import { csvSources, graphText } from '../support/import-text.ts';
import { cliPath } from '../support/run-cli.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

const graph = graphText(
  '  - { activityName: Place, dataObject: orders, key: id, entityType: order, startTimestamp: at }\n',
);
const edited = graph.replace('startTimestamp: at', 'startTimestamp: at, where: amount > 4');

interface Comment {
  readonly id: number;
  readonly body: string;
}

/** Stand-ins of the services' clients: they keep comments in a file, as the services do. */
const clients = {
  gh: `#!/bin/bash
case "$1 $2" in
  'api --paginate') jq -r "$5" "$COMMENTS" ;;
  'api -X') jq --arg id "\${4##*/}" --rawfile body "\${6#body=@}" 'map(if (.id | tostring) == $id then .body = $body else . end)' "$COMMENTS" > "$COMMENTS.new" && mv "$COMMENTS.new" "$COMMENTS" ;;
  'pr comment') jq --rawfile body "$5" '. + [{id: (length + 1), body: $body}]' "$COMMENTS" > "$COMMENTS.new" && mv "$COMMENTS.new" "$COMMENTS" ;;
  *) exit 9 ;;
esac
`,
  curl: `#!/bin/bash
case "$*" in
  *'-X PUT'*) jq --arg id "\${@: -1}" --rawfile body effect.md '($id | split("/") | last) as $n | map(if (.id | tostring) == $n then .body = $body else . end)' "$COMMENTS" > "$COMMENTS.new" && mv "$COMMENTS.new" "$COMMENTS" ;;
  *'-X POST'*) jq --rawfile body effect.md '. + [{id: (length + 1), body: $body}]' "$COMMENTS" > "$COMMENTS.new" && mv "$COMMENTS.new" "$COMMENTS" ;;
  *) cat "$COMMENTS" ;;
esac
`,
  'entity-graph': `#!/bin/bash\nexec '${process.execPath}' '${cliPath}' "$@"\n`,
} as const;

/** The scripts of docs/effect.md, by service. */
async function recipes(): Promise<Readonly<Record<'GitHub' | 'GitLab' | 'Azure DevOps', string>>> {
  const page = await readFile(join(projectRoot, 'docs/effect.md'), 'utf8');
  const block = (service: string): unknown => {
    const [, text = ''] =
      new RegExp(`\\*\\*${service}\\*\\*[^\`]*(?:\`[^\`]+\`[^\`]*)*?\\n\`\`\`yaml\\n([^]*?)\`\`\``).exec(page) ?? [];
    return parse(text);
  };
  const [github] = block('GitHub') as [{ run: string }];
  const { effect } = block('GitLab') as { effect: { script: string[] } };
  const [azure] = block('Azure DevOps') as [{ bash: string }];
  return { GitHub: github.run, GitLab: effect.script.join('\n'), 'Azure DevOps': azure.bash };
}

describe('recipes for pull requests', () => {
  let folder = '';
  const git = (place: string, ...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', '-C', join(folder, place), ...args], {
      encoding: 'utf8',
      stdio: 'pipe',
    });

  before(async () => {
    folder = await folderWith({
      'origin/entity-sources.yaml': csvSources(),
      'origin/orders.csv': 'id,at,amount\n"secret-1",2024-01-02,5\n"secret-2",2024-01-03,3\n',
      'origin/shop.entity.yaml': graph,
      'origin/old-name.entity.yaml': graph.replaceAll('Place', 'Order'),
      'origin/gone.entity.yaml': graph.replaceAll('Place', 'Leave'),
      'origin/.gitignore': '.entity-graph/\n',
    });
    git('origin', 'init', '-q', '-b', 'main');
    git('origin', 'add', '.');
    git('origin', 'commit', '-qm', 'One');
    git('.', 'clone', '-q', join(folder, 'origin'), 'clone');
    git('clone', 'checkout', '-qb', 'edit');
    git('clone', 'mv', 'old-name.entity.yaml', 'new-name.entity.yaml');
    git('clone', 'rm', '-q', 'gone.entity.yaml');
    await writeFile(join(folder, 'clone/shop.entity.yaml'), edited);
    await writeFile(
      join(folder, 'clone/new-name.entity.yaml'),
      graph.replaceAll('Place', 'Order').replace('at }', 'at, where: amount > 100 }'),
    );
    await writeFile(join(folder, 'clone/added.entity.yaml'), graph.replaceAll('Place', 'Add'));
    git('clone', 'add', '.');
    git('clone', 'commit', '-qm', 'Two');
    // The branch goes on meanwhile; that is no edit of the pull request.
    await writeFile(join(folder, 'origin/shop.entity.yaml'), graph.replace('at }', 'at, where: amount > 1000 }'));
    git('origin', 'commit', '-qam', 'Three');
    git('clone', 'fetch', '-q', 'origin');
    await mkdir(join(folder, 'bin'));
    for (const [name, script] of Object.entries(clients)) {
      await writeFile(join(folder, 'bin', name), script);
      await chmod(join(folder, 'bin', name), 0o755);
    }
  });

  after(() => removeFolder(folder));

  /** Runs a script as a build server does. */
  async function run(script: string, place: string): Promise<{ readonly code: number; readonly output: string }> {
    const environment = {
      ...process.env,
      PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`,
      NO_COLOR: '1',
      COMMENTS: join(folder, 'comments.json'),
      GITHUB_BASE_REF: 'main',
      GITHUB_REPOSITORY: 'owner/repository',
      NUMBER: '7',
      CI_MERGE_REQUEST_DIFF_BASE_SHA:
        place === 'clone' ? git(place, 'merge-base', 'origin/main', 'HEAD').trim() : 'f00',
      CI_API_V4_URL: 'https://gitlab.example/api/v4',
      CI_PROJECT_ID: '1',
      CI_MERGE_REQUEST_IID: '7',
      EFFECT_TOKEN: 'token',
      SYSTEM_PULLREQUEST_TARGETBRANCH: 'refs/heads/main',
      AGENT_TEMPDIRECTORY: folder,
    };
    const options = { cwd: join(folder, place), env: environment };
    return promisify(execFile)('bash', ['-e', '-c', script], options).then(
      ({ stdout }) => ({ code: 0, output: stdout }),
      (error: { code: number; stdout: string; stderr: string }) => ({
        code: error.code,
        output: error.stdout + error.stderr,
      }),
    );
  }

  const comments = async (): Promise<readonly Comment[]> =>
    JSON.parse(await readFile(join(folder, 'comments.json'), 'utf8')) as Comment[];

  function expectComment(body: string): void {
    const [marker = ''] = body.split('\n');
    assert.equal(marker, '<!-- entity-graph ci: . -->');
    assert.match(
      body,
      /### Effect on shop\.entity\.yaml\n\nCompared with shop\.entity\.yaml of \S+ \([0-9a-f]{10}\)\.\n/,
    );
    assert.match(body, /\n\| Place \| 2 \| 1 \| 1 \|\n/);
    assert.match(body, /### Effect on new-name\.entity\.yaml\n\nCompared with old-name\.entity\.yaml of /);
    assert.match(body, /\n\| Order \| 2 \| 0 \| 2 \|\n/);
    assert.match(body, /### Effect on added\.entity\.yaml[^]*?The base does not have this graph/);
    assert.match(body, /\n\* gone\.entity\.yaml is gone\n/);
    assert.match(body, /\n\| Place · where \(new\) \| entities: 1 gone; /);
    assert.doesNotMatch(body, /secret-/);
  }

  for (const service of ['GitHub', 'GitLab'] as const) {
    it(`${service}: one comment, which the next run replaces`, async () => {
      const script = (await recipes())[service];
      await writeFile(join(folder, 'comments.json'), JSON.stringify([{ id: 1, body: 'Looks good' }]));
      for (const round of [1, 2]) {
        const { code, output } = await run(script, 'clone');
        assert.equal(code, 0, output);
        const all = await comments();
        assert.deepEqual(all.map(({ id }) => id), [1, 2], `round ${round}`); // prettier-ignore
        expectComment(all[1]?.body ?? '');
      }
      await rm(join(folder, 'clone/effect.md'));
    });
  }

  it('Azure DevOps: the summary of the run', async () => {
    const { code, output } = await run((await recipes())['Azure DevOps'], 'clone');
    assert.equal(code, 0, output);
    const path = join(folder, 'effect.md');
    assert.ok(output.endsWith(`##vso[task.uploadsummary]${path}\n`), output);
    expectComment(await readFile(path, 'utf8'));
    await rm(path);
  });

  it('fail and write nothing in a shallow clone, and say what to fetch', async () => {
    git('.', 'clone', '-q', '--depth', '1', '--branch', 'edit', `file://${join(folder, 'clone')}`, 'shallow');
    await rename(join(folder, 'comments.json'), join(folder, 'kept.json'));
    await writeFile(join(folder, 'comments.json'), '[]');
    for (const script of Object.values(await recipes())) {
      const { code, output } = await run(script, 'shallow');
      assert.equal(code, 1, output);
      assert.match(output, /There is no commit \S+ in .*fetch-depth: 0 fetches all/s);
    }
    assert.deepEqual(await comments(), []);
  });
});
