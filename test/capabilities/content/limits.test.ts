import { describe, expect, test } from 'vitest';
import {
  GenerateContentDocument,
  type GenerateContentInput,
} from '../../../src/client/documents.generated.ts';
import { startAnswering } from '../../support/answering-gateway.ts';
import { make, plain, reply } from '../../support/content.ts';

function withPart(part: GenerateContentInput['contents'][number]['parts'][number]): GenerateContentInput {
  return { ...plain, contents: [{ parts: [part] }] };
}

describe('generateContent rejects', () => {
  const withData = (data: string) => withPart({ inlineData: { mimeType: 'image/png', data } });
  const withType = (mimeType: string) => withPart({ inlineData: { mimeType, data: 'AAAA' } });
  const dataPath = 'contents.0.parts.0.inlineData.data';
  const typePath = 'contents.0.parts.0.inlineData.mimeType';

  test.each([
    ['an empty model', { ...plain, model: '' }, 'model', { ...plain, model: 'm' }],
    ['a model that is .', { ...plain, model: '.' }, 'model', { ...plain, model: '...' }],
    ['a model that is ..', { ...plain, model: '..' }, 'model', { ...plain, model: '.a' }],
    ['a model with /', { ...plain, model: '../x' }, 'model', { ...plain, model: '%2e%2e' }],
    ['a model with \\', { ...plain, model: 'a\\b' }, 'model', { ...plain, model: 'a?b#c' }],
    ['a model with half a character', { ...plain, model: '\ud800' }, 'model', plain],
    [
      'a model of 201 characters',
      { ...plain, model: 'm'.repeat(201) },
      'model',
      { ...plain, model: 'm'.repeat(200) },
    ],
    ['no contents', { ...plain, contents: [] }, 'contents', plain],
    [
      'a turn without parts',
      { ...plain, contents: [{ parts: [] }] },
      'contents.0.parts',
      withPart({ text: '' }),
    ],
    ['an empty file', withData(''), dataPath, withData('AA')],
    ['a data URI', withData('data:image/png;base64,AAAA'), dataPath, withData('AAAA')],
    ['base64 with a space', withData('AAA AAAA'), dataPath, withData('A-_/+AA=')],
    ['base64 one digit too long', withData('AAAAA'), dataPath, withData('AAAAAA==')],
    ['padding alone', withData('=='), dataPath, withData('AAA=')],
    ['a type without subtype', withType('image'), typePath, withType('audio/L16;rate=24000')],
    ['a type of two lines', withType('image/png\nx'), typePath, withType('image/svg+xml')],
    [
      'tools together with URL context',
      { ...plain, urlContext: true, extra: { tools: [] } },
      'extra.tools',
      { ...plain, urlContext: true, extra: { toolConfig: {} } },
    ],
    ['contents in extra', { ...plain, extra: { contents: [] } }, 'extra.contents', { ...plain, extra: {} }],
    ['a model in extra', { ...plain, extra: { model: 'x' } }, 'extra.model', { ...plain, extra: null }],
    ['stream in extra', { ...plain, extra: { stream: true } }, 'extra.stream', plain],
    ['an extra that is no object', { ...plain, urlContext: true, extra: 'tools' }, 'extra', plain],
  ] satisfies [string, GenerateContentInput, string, GenerateContentInput][])(
    '%s and accepts the nearest valid value',
    async (_name, bad, path, good) => {
      await using gateway = await startAnswering(reply);
      const { data } = await gateway.app.run(GenerateContentDocument, { input: bad });
      expect(data?.generateContent).toMatchObject({
        __typename: 'InvalidInputError',
        issues: [{ path: ['input', ...path.split('.')] }],
      });
      expect(gateway.requests).toEqual([]);
      expect(await make(gateway.app, good)).toMatchObject({ __typename: 'Generation' });
    },
  );

  test('with all problems at once', async () => {
    await using gateway = await startAnswering(reply);
    const { data } = await gateway.app.run(GenerateContentDocument, {
      input: {
        model: 'a/b',
        contents: [{ parts: [] }, { parts: [{ text: '' }, { inlineData: { mimeType: '', data: '?' } }] }],
        urlContext: true,
        extra: { tools: [], contents: 1 },
      },
    });
    if (data?.generateContent?.__typename !== 'InvalidInputError') throw new Error(JSON.stringify(data));
    expect(data.generateContent.issues.map(({ path }) => path.slice(1).join('.'))).toEqual([
      'contents.0.parts',
      'contents.1.parts.1.inlineData.data',
      'contents.1.parts.1.inlineData.mimeType',
      'extra.contents',
      'extra.tools',
      'model',
    ]);
    // Also true of a name that is too long.
    expect(data.generateContent.issues.at(-1)?.message).toBe(
      'Must be 1 to 200 printable ASCII characters without space, / and \\, and not "." or "..".',
    );
    expect(gateway.requests).toEqual([]);
  });
});
