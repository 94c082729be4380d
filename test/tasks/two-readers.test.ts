import { describe, expect, test } from 'vitest';
import {
  GenerationDocument,
  QueueImageDocument,
  TaskDocument,
} from '../../src/client/documents.generated.ts';
import { packId } from '../../src/lib/ids.ts';
import { sharedEngines } from '../support/records.ts';
import { startTwoServers } from '../support/two-servers.ts';

const image = { url: 'http://x/1.png', width: 1, height: 1, content_type: 'image/png' };

describe.each(sharedEngines)('%s', (engine) => {
  test('a late reading on one server does not overwrite the end of a task recorded by another', async () => {
    const { one, other, gateway } = await startTwoServers(engine);
    const creating = one.run(QueueImageDocument, { input: { prompt: 'a fox' } });
    (await gateway.exchange(0)).reply(200, { status: 'IN_QUEUE', request_id: 'r' });
    const { data } = await creating;
    if (data?.queueImage?.__typename !== 'Generation') throw new Error(JSON.stringify(data));
    const { id, task } = data.queueImage;
    const read = { id: task?.id ?? '' };
    const slow = one.run(TaskDocument, read);
    const early = await gateway.exchange(1);
    const quick = other.run(TaskDocument, read);
    (await gateway.exchange(2)).reply(200, { images: [image], seed: 1, prompt: 'a fox' });
    const ended = { status: 'SUCCEEDED', isTerminal: true, output: { images: [{ url: image.url }] } };
    expect((await quick).data?.task).toMatchObject(ended);
    early.reply(200, { status: 'IN_PROGRESS' });
    expect((await slow).data?.task).toMatchObject(ended);
    for (const app of [one, other]) {
      const generation = (await app.run(GenerationDocument, { by: { id } })).data?.generation;
      expect(generation).toMatchObject({ ...ended, output: { __typename: 'ImageSet' } });
    }
    // An ended task is not read again.
    expect((await one.run(TaskDocument, read)).data?.task).toMatchObject(ended);
    expect(gateway.requests).toHaveLength(3);
  });

  test('a task that is read while its create is answered stays the task of its generation', async () => {
    const { one, other, gateway } = await startTwoServers(engine);
    const creating = one.run(QueueImageDocument, { input: { prompt: 'a fox' } });
    const created = await gateway.exchange(0);
    const reading = other.run(TaskDocument, { id: packId('task', ['QUEUED_IMAGE', 'r']) });
    const read = await gateway.exchange(1);
    created.reply(200, { status: 'IN_QUEUE', request_id: 'r' });
    const { data } = await creating;
    if (data?.queueImage?.__typename !== 'Generation') throw new Error(JSON.stringify(data));
    read.reply(200, { images: [image], seed: 1, prompt: 'a fox' });
    expect((await reading).data?.task).toMatchObject({ status: 'SUCCEEDED' });
    const { generation } = (await one.run(GenerationDocument, { by: { id: data.queueImage.id } })).data ?? {};
    expect(generation).toMatchObject({ status: 'SUCCEEDED', output: { __typename: 'ImageSet' } });
    expect(gateway.requests).toHaveLength(2);
  });
});
