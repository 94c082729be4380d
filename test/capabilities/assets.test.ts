import { expect, test } from 'vitest';
import { CreateSongDocument } from '../../src/client/documents.generated.ts';
import { startApp } from '../support/app.ts';
import { musicTask, startFakeMusic } from '../support/fake-music.ts';

const files = (name: string) => ({ audio_url: `http://127.0.0.1/${name}.mp3`, title: `Song ${name}` });
const cover = (name: string) => ({ image_large_url: `http://127.0.0.1/${name}.jpg` });

test('the files of a song with several clips say which clip they belong to, and its title', async () => {
  const clips = [
    { id: 'a', ...files('a'), ...cover('a'), video_url: 'http://127.0.0.1/a.mp4' },
    { id: 'b', ...files('b') },
    { id: 'c', ...files('c'), ...cover('c') },
  ];
  const music = await startFakeMusic({
    answer: (ids) => ({
      body: { code: 'success', data: ids.map((id) => musicTask(id, 'SUCCESS', { data: clips })) },
    }),
  });
  await using app = await startApp({ gatewayUrl: music.url });
  const { data } = await app.run(CreateSongDocument, { input: { description: 'x', model: 'SONG_V5' } });
  if (data?.createSong?.__typename !== 'Generation') throw new Error('no song');
  const read = await app.run(
    'query ($by: GenerationSelector!) { generation(by: $by) { task { status } assets { role index title url } } }',
    { by: { id: data.createSong.id } },
  );
  const asset = (role: string, index: number, file: string, title = `Song ${file[0]}`) => ({
    role,
    index,
    title,
    url: `http://127.0.0.1/${file}`,
  });
  expect(read).toMatchObject({
    data: {
      generation: {
        assets: [
          asset('PRIMARY', 0, 'a.mp3'),
          asset('MUSIC_VIDEO', 0, 'a.mp4'),
          asset('COVER', 0, 'a.jpg'),
          asset('PRIMARY', 1, 'b.mp3'),
          asset('PRIMARY', 2, 'c.mp3'),
          asset('COVER', 2, 'c.jpg'),
        ],
      },
    },
  });
});
