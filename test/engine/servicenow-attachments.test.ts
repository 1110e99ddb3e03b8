import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { draftOf } from '../../server/src/files/write-atomic.ts';
import {
  downloadAttachment,
  listAttachments,
  uploadAttachment,
} from '../../server/src/operations/platform/attachment-actions.ts';
import type { ServiceNowClient } from '../../server/src/connectors/servicenow/api/client.ts';
import { recordWriter } from '../../server/src/connectors/servicenow/writes/record-writer.ts';
import type { Fault } from '../simulator/faults.ts';
import { insertRecord } from '../simulator/instance.ts';
import type { Simulator } from '../simulator/simulator.ts';
import { endedProcess } from '../support/ended-process.ts';
import { withClient } from '../support/servicenow-source.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

const few = { incidents: 3 };

/** Passes a client, an empty folder and the key of a record to `use`. */
async function withFolder(
  use: (place: {
    readonly client: ServiceNowClient;
    readonly simulator: Simulator;
    readonly folder: string;
    readonly id: string;
  }) => Promise<void>,
  files: Readonly<Record<string, string | Buffer>> = {},
): Promise<void> {
  const folder = await folderWith(files);
  try {
    await withClient(few, async (client, simulator) => {
      const id = simulator.instance.data.get('incident')?.[0]?.['sys_id'] ?? '';
      await use({ client, simulator, folder, id });
    });
  } finally {
    await removeFolder(folder);
  }
}

const digest = (bytes: Buffer): string => `${bytes.length} ${createHash('sha256').update(bytes).digest('hex')}`;

/** Larger than the limit for reading into memory before sending. */
const large = Buffer.alloc(17 * 1024 * 1024, 'attachment ');

/** One row per refusal after the body was read. */
const refusals: readonly Fault[] = [{ kind: 'semaphore' }, { kind: 'accepted-empty' }];

describe('ServiceNow attachments › uploads', () => {
  for (const asForm of [false, true]) {
    for (const fault of refusals) {
      it(`a large file is sent again from its start after ${fault.kind}${asForm ? ', as a form' : ''}`, async () => {
        await withFolder(
          async ({ client, simulator, folder, id }) => {
            simulator.failNext(fault, { on: ({ method }) => method === 'POST' });
            const action = { kind: 'upload attachment', table: 'incident', id, asForm } as const;
            const done = await uploadAttachment(
              recordWriter(client),
              { ...action, file: join(folder, 'large.bin') },
              {},
            );
            const posts = simulator.requests.filter(({ method }) => method === 'POST');
            const [first, second] = posts.map(({ body }) => body.length);
            assert.deepEqual([posts.length, second], [2, first]);
            const target = join(folder, 'saved.bin');
            await downloadAttachment(
              recordWriter(client),
              { kind: 'download attachment', attachment: done.id ?? '', target },
              {},
            );
            assert.equal(digest(await readFile(target)), digest(large));
          },
          { 'large.bin': large },
        );
      });
    }
  }

  it('a partially stored file is reported', async () => {
    await withFolder(
      async ({ client, simulator, folder, id }) => {
        const body = JSON.stringify({ result: { sys_id: 'a'.repeat(32), size_bytes: '2' } });
        simulator.failNext({ kind: 'answer', body });
        const action = { kind: 'upload attachment', table: 'incident', id, file: join(folder, 'a.txt') } as const;
        await assert.rejects(uploadAttachment(recordWriter(client), action, {}), {
          code: 'source-incomplete',
          message: `The instance says that it has 2 of 5 bytes of a.txt of ${id}, as attachment ${'a'.repeat(32)}.`,
        });
      },
      { 'a.txt': 'whole' },
    );
  });
});

describe('ServiceNow attachments › lists', () => {
  it('every page is requested in order, even after a short page', async () => {
    await withFolder(async ({ client, simulator, id }) => {
      const { instance } = simulator;
      const ids = Array.from({ length: 2005 }, (_, index) => String(index).padStart(32, '0'));
      for (const sys_id of [...ids].reverse()) {
        const values = { table_name: 'incident', table_sys_id: id, file_name: 'a' };
        Object.assign(insertRecord(instance, 'sys_attachment', values), { sys_id });
      }
      // The second page is empty, because the user may read none of its records.
      instance.settings.mayRead = (table, { sys_id = '' }) =>
        table !== 'sys_attachment' || Number(sys_id) < 1000 || Number(sys_id) >= 2000;
      const { body, summary } = await listAttachments(
        recordWriter(client),
        { kind: 'list attachments', table: 'incident', id },
        {},
      );
      const listed = JSON.parse(body ?? '[]') as readonly Record<string, string>[];
      assert.deepEqual(
        listed.map((meta) => meta['sys_id']),
        ids.filter((_, index) => index < 1000 || index >= 2000),
      );
      assert.equal(summary, '1005 attachments.');
      const offsets = simulator.requests.map(({ parameters }) => parameters.get('sysparm_offset'));
      assert.deepEqual(offsets, ['0', '0', '1000']);
    });
  });

  it('no attachment is missed while others are deleted', async () => {
    await withFolder(async ({ client, simulator, id }) => {
      const ids = Array.from({ length: 1500 }, (_, index) => String(index).padStart(32, '0'));
      for (const sys_id of ids) {
        const values = { table_name: 'incident', table_sys_id: id, file_name: 'a' };
        Object.assign(insertRecord(simulator.instance, 'sys_attachment', values), { sys_id });
      }
      simulator.onRequest = () => {
        if (simulator.requests.length === 2) simulator.instance.data.get('sys_attachment')?.splice(0, 10);
      };
      const { summary } = await listAttachments(
        recordWriter(client),
        { kind: 'list attachments', table: 'incident', id },
        {},
      );
      assert.equal(summary, '1500 attachments.');
    });
  });

  it('without a total, pages are requested until one is empty', async () => {
    await withFolder(async ({ client, simulator, id }) => {
      const result = [{ sys_id: '1' }];
      simulator.failNext({ kind: 'uncounted', body: JSON.stringify({ result }) });
      simulator.failNext({ kind: 'uncounted', body: JSON.stringify({ result: [] }) });
      const { summary } = await listAttachments(
        recordWriter(client),
        { kind: 'list attachments', table: 'incident', id },
        {},
      );
      assert.deepEqual([summary, simulator.requests.length], ['1 attachment.', 2]);
    });
  });
});

/** One row per response instead of the file: the message, and the number of requests. */
const noFiles: readonly (readonly [fault: Fault, said: RegExp, requests: number])[] = [
  [{ kind: 'hibernating' }, /The instance is hibernating/, 1],
  [{ kind: 'login-page' }, /answers GET .* with a login page/, 1],
  [{ kind: 'accepted-empty' }, /accepted the request but did not run it/, 4],
  [{ kind: 'semaphore' }, /The instance is busy/, 4],
  [{ kind: 'status', status: 503 }, /not available at the moment \(status 503\)/, 4],
  [{ kind: 'redirect', location: 'https://login.example/' }, /redirects GET/, 1],
  [{ kind: 'no-metadata' }, /answers GET .* with something else than the attachment/, 1],
  [{ kind: 'short-file' }, /ended after 9 of 14 bytes/, 1],
];

describe('ServiceNow attachments › downloads', () => {
  const content = 'the attachment';
  async function withAttachment(
    use: (place: {
      readonly simulator: Simulator;
      readonly save: () => ReturnType<typeof downloadAttachment>;
      readonly folder: string;
      readonly saved: () => Promise<readonly (readonly [string, string])[]>;
    }) => Promise<void>,
  ): Promise<void> {
    await withFolder(
      async ({ client, simulator, folder, id }) => {
        const file = { table: 'incident', recordId: id, fileName: 'a.txt', contentType: 'text/plain' };
        const { sys_id: attachment = '' } = await client.attachments.upload({ ...file, content: Buffer.from(content) });
        simulator.requests.length = 0;
        const target = join(folder, 'kept.txt');
        const save = () =>
          downloadAttachment(
            recordWriter(client),
            { kind: 'download attachment', attachment, target, overwrite: true },
            {},
          );
        const saved = async () =>
          Promise.all(
            (await readdir(folder)).map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const),
          );
        await use({ simulator, save, saved, folder });
      },
      { 'kept.txt': 'before' },
    );
  }

  for (const [fault, said, requests] of noFiles) {
    it(`the existing file is kept after ${Object.values(fault).join(' ')}`, async () => {
      await withAttachment(async ({ simulator, save, saved }) => {
        simulator.failNext(fault, { times: 10 });
        await assert.rejects(save(), said);
        assert.deepEqual([simulator.requests.length, await saved()], [requests, [['kept.txt', 'before']]]);
      });
    });
  }

  for (const fault of [{ kind: 'accepted-empty' }, { kind: 'semaphore' }, { kind: 'status', status: 503 }] as const) {
    it(`are restarted after ${Object.values(fault).join(' ')}`, async () => {
      await withAttachment(async ({ simulator, save, saved }) => {
        simulator.failNext(fault);
        await save();
        assert.deepEqual([simulator.requests.length, await saved()], [2, [['kept.txt', content]]]);
      });
    });
  }

  it('concurrent downloads to one path do not interfere with one another', async () => {
    await withAttachment(async ({ save, saved, folder }) => {
      const draft = async (file: string): Promise<string> => basename(await draftOf(join(folder, file)));
      const ofDead = async (file: string): Promise<string> =>
        (await draft(file)).replace(`-${process.pid}.`, `-${endedProcess}.`);
      const others = [await draft('kept.txt'), 'kept.txt.tmp', await ofDead('other.txt')];
      for (const name of [...others, await ofDead('kept.txt')]) await writeFile(join(folder, name), 'other');
      await Promise.all([save(), save(), save()]);
      assert.deepEqual(
        new Map(await saved()),
        new Map([['kept.txt', content], ...others.map((name) => [name, 'other'] as const)]),
      );
    });
  });

  it('may exceed the announced size, as encrypted files do', async () => {
    await withAttachment(async ({ simulator, save, saved }) => {
      const [meta] = simulator.instance.data.get('sys_attachment') ?? [];
      if (meta) meta['size_bytes'] = '0';
      await save();
      assert.deepEqual(await saved(), [['kept.txt', content]]);
    });
  });
});
