import { expect, test } from 'vitest';
import { capabilities } from '../../src/capabilities/index.ts';
import { operationTexts } from '../../src/client/operations.generated.ts';
import { createSchema } from '../../src/schema.ts';
import { startApp } from '../support/app.ts';
import { findRootField, operationOf } from '../support/request-members.ts';

const fields = [
  'queueImage',
  'queueInpainting',
  'createSong',
  'createAnimation',
  'fillImage',
  'createSpeech',
  'createVideo',
  'createReferenceVideo',
  'createTransitionVideo',
];

/** The example of each field, whose texts ask the sandbox for the fault. */
const creates = createSchema(capabilities).operations.flatMap(({ name, variables }) => {
  const field = /^mutation[^{]*\{\s*(\w+)/m.exec(operationTexts[name])?.[1] ?? '';
  const root = findRootField(field);
  return root && fields.includes(field) ? [[field, { root, variables: withFault(variables) }] as const] : [];
});

function withFault(value: unknown): Readonly<Record<string, unknown>> {
  const text = JSON.stringify(value, (name, member: unknown) =>
    typeof member === 'string' && /^(prompt|promptStart|description|text)$/.test(name)
      ? `${member} fault:contradict-late`
      : member,
  );
  return JSON.parse(text) as Record<string, unknown>; // Of variables.
}

test.each(creates)('%s: a result without a success word or an end time is partial', async (field, create) => {
  await using app = await startApp({
    env: {
      GATEWAY_TASK_PATHS:
        'SPEECH=/ent/v2/tasks/{id},VIDEO=/v1/video/query?id={id},REFERENCE_VIDEO=/v1/videos/{id},TRANSITION_VIDEO=/openapi/v2/video/result/{id}',
    },
    sandbox: { taskSeconds: 0 },
  });
  const { root, variables } = create;
  const query = operationOf(root, variables, '... on Generation { id } ... on GengraphError { message }');
  const made = await app.run<Record<string, { readonly id: string }>, object>(query, variables);
  const { data, errors } = await app.run<object, object>(
    `{ generation(by: { id: "${made.data?.[field]?.id}" }) { status isTerminal assets { url } task { status } } }`,
  );
  expect(errors).toBeUndefined();
  expect(data).toMatchObject({
    generation: {
      status: 'RUNNING',
      isTerminal: false,
      assets: expect.arrayContaining([expect.objectContaining({ url: expect.stringMatching(/^http/) })]),
      task: { status: 'RUNNING' },
    },
  });
});

test('every kind of task is tried', () => {
  expect(creates.map(([field]) => field).toSorted()).toEqual(fields.toSorted());
});
