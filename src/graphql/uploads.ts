import { InvalidInputError, RequestError } from '../errors.ts';
import type { UploadAddress } from '../files/files.ts';
import { type Context, requireCaller } from './context.ts';
import type { Graph } from './graph.ts';
import { nullable } from './field-options.ts';

function createUploadInput({ builder }: Graph) {
  return builder.inputType('CreateUploadInput', {
    description: 'A file to upload.',
    fields: (t) => ({
      contentType: t.string({ required: true, description: 'MIME type: image, video or audio.' }),
      sizeBytes: t.int({ required: true, description: 'Exact size.' }),
    }),
  });
}

function uploadRef({ builder }: Graph) {
  return builder.objectRef<UploadAddress>('FileUpload').implement({
    description: 'Where to send one file.',
    fields: (t) => ({
      id: t.exposeID('id', { description: 'For inputs that take images. Unused, it expires in a day.' }),
      url: t.expose('url', { type: 'URL', ...nullable('For a PUT of the bytes, without a credential.') }),
      expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When the URL expires.' }),
    }),
  });
}

export function addCreateUpload({ builder, use }: Graph): void {
  const resultRef = builder.errorUnion('CreateUploadResult', {
    description: 'The upload, or an error.',
    types: [use(uploadRef), InvalidInputError],
    resolveType: () => 'FileUpload',
  });
  builder.mutationField('createUpload', (t) =>
    t.field({
      type: resultRef,
      nullable: true,
      description: 'Prepares the upload of a file, for inputs that take images. Not on every server.',
      args: { input: t.arg({ type: use(createUploadInput), required: true }) },
      resolve: (_root, { input }, context) => createUpload(input, context),
    }),
  );
}

interface CreateUploadInput {
  readonly contentType: string;
  readonly sizeBytes: number;
}

/** @throws InvalidInputError, or RequestError if this server keeps no files */
async function createUpload(input: CreateUploadInput, context: Context): Promise<UploadAddress> {
  const { owner } = requireCaller(context);
  const { files } = context.engine;
  if (!files)
    throw new RequestError('BAD_REQUEST', 'This server keeps no files. Send images as URLs or data URIs.');
  const created = await files.createUpload(owner, input);
  if ('id' in created) return created;
  const { member, message } = created;
  throw new InvalidInputError([{ path: ['input', member], message }]);
}
