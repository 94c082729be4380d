import { z } from 'zod';
import { isOrigin, listOf, plainUrl, toOrigin, whole } from './setting-types.ts';

const places = ['off', 'folder', 's3'] as const;
const encryptions = ['AES256', 'aws:kms'] as const;

const bytes = whole(1024, 2 ** 50);
const originList = listOf('origins such as https://media.example.com', isOrigin, toOrigin);

/** Where the files of results are kept. */
export const fileSettings = {
  PUBLIC_URL: plainUrl().optional(),
  FILES: z.enum(places, { error: `expected one of ${places.join(', ')}` }).default('off'),
  FILES_DIR: z.string().optional(),
  FILES_ADDRESSES: z.enum(['server', 'store'], { error: 'expected server or store' }).default('server'),
  // The longest presigned address lives for seven days.
  FILES_ADDRESS_SECONDS: whole(1, 302_400).default(3600),
  FILES_ORIGINS: originList.optional(),
  FILES_WHEN_FULL: z
    .enum(['remove-oldest', 'refuse'], { error: 'expected remove-oldest or refuse' })
    .default('remove-oldest'),
  FILES_COPIES: whole(1, 1000).default(8),
  FILES_TIMEOUT_SECONDS: whole(1, 86_400).default(300),
  MAX_FILE_BYTES: bytes.default(268_435_456),
  MAX_FILE_BYTES_PER_OWNER: bytes.default(4_294_967_296),
  MAX_FILE_BYTES_IN_ALL: bytes.default(68_719_476_736),
  FILES_S3_ENDPOINT: plainUrl().optional(),
  FILES_S3_REGION: z.string().default('us-east-1'),
  FILES_S3_BUCKET: z
    .string()
    .regex(/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/, { error: 'expected the name of a bucket' })
    .optional(),
  FILES_S3_PREFIX: z
    .string()
    .regex(/^[\w.!*'()-]+(\/[\w.!*'()-]+)*\/?$/, { error: 'expected a prefix such as gengraph/' })
    .transform((text) => text.replace(/\/?$/, '/'))
    .optional(),
  FILES_S3_ACCESS_KEY_ID: z.string().optional(),
  FILES_S3_SECRET_ACCESS_KEY: z.string().optional(),
  FILES_S3_ENCRYPTION: z.enum(encryptions, { error: `expected one of ${encryptions.join(', ')}` }).optional(),
  FILES_S3_KMS_KEY_ID: z.string().optional(),
};

/** Amazon takes 5 GiB in one request. Other stores may take more. */
const maxS3Bytes = 5 * 2 ** 30;

type Settings = Readonly<Record<string, string>>;

/** Combinations that cannot work. One line each. */
export function findFileProblems({
  FILES: place = 'off',
  FILES_DIR: folder,
  FILES_ADDRESSES: addresses,
  DATA_DIR: dataFolder,
  HOST: host,
  PUBLIC_URL: publicUrl,
  ...set
}: Settings): readonly string[] {
  if (place === 'off') return [];
  const { FILES_S3_BUCKET: bucket, FILES_S3_ACCESS_KEY_ID: id, FILES_S3_SECRET_ACCESS_KEY: secret } = set;
  const problems: (string | false)[] = [
    dataFolder === ':memory:' &&
      folder === undefined &&
      `FILES=${place}: expected FILES_DIR, because DATA_DIR is in memory`,
    (host === '0.0.0.0' || host === '::') &&
      publicUrl === undefined &&
      `FILES=${place}: expected PUBLIC_URL, the address of this server for clients, because HOST is no address`,
    place === 's3' &&
      set['FILES_S3_ENDPOINT'] === undefined &&
      Number(set['MAX_FILE_BYTES']) > maxS3Bytes &&
      `MAX_FILE_BYTES=${set['MAX_FILE_BYTES']}: expected at most ${maxS3Bytes} with FILES=s3, the most that Amazon takes in one request`,
    place === 's3' && bucket === undefined && 'FILES=s3: expected FILES_S3_BUCKET',
    (id === undefined) !== (secret === undefined) &&
      'expected both FILES_S3_ACCESS_KEY_ID and FILES_S3_SECRET_ACCESS_KEY, or neither',
    set['FILES_S3_KMS_KEY_ID'] !== undefined &&
      set['FILES_S3_ENCRYPTION'] !== 'aws:kms' &&
      'FILES_S3_KMS_KEY_ID: expected FILES_S3_ENCRYPTION=aws:kms',
    addresses === 'store' && place !== 's3' && 'FILES_ADDRESSES=store: expected FILES=s3',
  ];
  return problems.filter((problem) => problem !== false);
}
