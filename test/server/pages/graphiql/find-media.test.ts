import { expect, test } from 'vitest';
import { findMedia } from '../../../../src/server/pages/graphiql/browser/find-media.ts';

const at = (name: string): string => `https://files.example/${name}`;

function sourcesIn(data: unknown): readonly (readonly [string, string])[] {
  return findMedia({ data }).map(({ type, source }) => [type, source]);
}

test('the files of every family are media, in the order of the result', () => {
  const song = { title: 'Tide', audioUrl: at('a.mp3'), videoUrl: at('a.mp4'), imageUrl: at('a.jpg') };
  const media = findMedia({
    data: {
      images: [{ index: 0, url: at('one'), width: 1024, height: 768 }],
      generation: {
        assets: [
          { kind: 'AUDIO', url: at('x?sig=1') },
          { kind: 'IMAGE', url: at('b.gif') },
        ],
      },
      task: { output: { __typename: 'SpeechClip', url: at('speech') } },
      clip: { __typename: 'Video', url: at('video'), thumbnailUrl: at('thumb.png') },
      songs: [song],
      voices: { edges: [{ node: { name: 'Ava', previewUrl: at('ava.wav') } }] },
    },
  });
  expect(media.map(({ type, source, label }) => [type, source, label])).toEqual([
    ['video', at('video'), 'Video'],
    ['image', at('one'), 'Image 1, 1024 × 768'],
    ['audio', at('speech'), 'Audio'],
    ['video', at('a.mp4'), 'Tide'],
    ['audio', at('a.mp3'), 'Tide'],
    ['audio', at('x?sig=1'), 'Audio'],
    ['image', at('b.gif'), 'Image'],
    ['audio', at('ava.wav'), 'Ava'],
  ]);
  expect(media.map(({ poster }) => poster).filter(Boolean)).toEqual([at('thumb.png'), at('a.jpg')]);
});

test.each([
  'javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html;base64,PHNjcmlwdD4=',
  'data:image/svg+xml;base64,PHN2Zz4=',
  'data:image/png,plain',
  'blob:https://a.example/b',
  'file:///etc/passwd',
  'vbscript:x',
  '//a.example/b.png',
  'b.png',
  '',
  7,
  null,
  { href: 'https://a.example' },
])('%j is no address of media', (url) => {
  expect(sourcesIn({ assets: [{ kind: 'IMAGE', url }] })).toEqual([]);
  expect(sourcesIn({ song: { audioUrl: url, videoUrl: url, imageUrl: url } })).toEqual([]);
});

test('an inline file has a MIME type of its kind, whatever the gateway names', () => {
  const image = (contentType: unknown, base64: unknown = 'iVBORw0KGgo=') =>
    sourcesIn({ assets: [{ kind: 'IMAGE', url: null, base64, contentType }] });
  expect(image('image/webp')).toEqual([['image', 'data:image/webp;base64,iVBORw0KGgo=']]);
  for (const odd of [
    'text/html',
    'image/svg+xml',
    'image/png;x',
    'audio/mpeg',
    'image/png,"><script>',
    null,
    1,
  ])
    expect(image(odd)).toEqual([['image', 'data:image/png;base64,iVBORw0KGgo=']]);
  for (const odd of ['', '<script>', 'a b', 'é', 7, null]) expect(image('image/png', odd)).toEqual([]);
  expect(sourcesIn({ image: { contentType: 'audio/wav', base64: 'UklGRg==' } })).toEqual([
    ['audio', 'data:audio/wav;base64,UklGRg=='],
  ]);
});

test('addresses of anything else are no media, and each file is shown once', () => {
  expect(sourcesIn({ links: { url: at('page.html'), web: at('b.png') }, retrievedUrl: at('c.png') })).toEqual(
    [],
  );
  const file = { kind: 'IMAGE', url: at('a.png') };
  expect(sourcesIn({ one: file, two: [file, file] })).toEqual([['image', at('a.png')]]);
});

test('a large or deep result is read in part', () => {
  const many = Array.from({ length: 200 }, (_, index) => ({ kind: 'IMAGE', url: at(`${index}.png`) }));
  expect(sourcesIn({ many })).toHaveLength(48);
  let deep: unknown = { kind: 'IMAGE', url: at('a.png') };
  for (let depth = 0; depth < 200_000; depth += 1) deep = [deep];
  expect(sourcesIn(deep)).toEqual([]);
  for (const odd of [null, undefined, 'text', 7, [], [null]]) expect(findMedia(odd)).toEqual([]);
});
