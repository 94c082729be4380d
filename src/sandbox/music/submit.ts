import { isRecord } from '../../lib/json.ts';
import { requireBearerKey } from '../access/credentials.ts';
import type { Token } from '../access/tokens.ts';
import { invalidRequest } from '../http/errors.ts';
import { getJsonBody, replyJson, type Exchange, type Handler, type Services } from '../http/routes.ts';
import { decodeStrictly } from '../http/validate.ts';
import { openBill } from '../tasks/billing.ts';
import { disturbCreation, findFaults, refuseCreation } from '../tasks/faults.ts';
import { createUuid } from '../tasks/ids.ts';
import { getStudio, recordClip, type Clip } from './clips.ts';
import { coverRequest, songRequest } from './requests.ts';
import { writeSong } from './write-song.ts';

/** Quota units of a song and of a cover, both of its clips together. */
const unitsPerSong = 50_000;

/** `POST /music/submit/music`: a song from a description, or the cover of a clip. */
export const handleSubmit: Handler = (exchange, services) => {
  const token = requireBearerKey(exchange, services);
  const body = getJsonBody(exchange);
  const isCover = isRecord(body) && 'cover_clip_id' in body;
  return isCover
    ? submitCover({ exchange, services, token }, body)
    : submitSong({ exchange, services, token }, body);
};

interface Caller {
  readonly exchange: Exchange;
  readonly services: Services;
  readonly token: Token;
}

function submitSong(caller: Caller, body: unknown): Promise<Response> {
  const request = decodeStrictly(songRequest, body);
  const { gpt_description_prompt: description, make_instrumental: isInstrumental, mv: version } = request;
  return submit(caller, {
    texts: [description],
    sizeBytes: description.length,
    version,
    compose: (seed) => {
      const { title, tags, lyrics } = writeSong(description, { seed, isInstrumental });
      const style = `${tags} ${description}`;
      return {
        title,
        tags,
        lyrics,
        description,
        type: 'gen',
        version,
        recipe: { kind: 'song', seed, style, notesFrom: seed, isInstrumental, tempo: 1, pitch: 1 },
      };
    },
  });
}

function submitCover(caller: Caller, body: unknown): Promise<Response> {
  const request = decodeStrictly(coverRequest, body);
  const { prompt, tags, title, make_instrumental: isInstrumental, mv: version } = request;
  if (!isInstrumental && prompt.trim() === '') {
    throw invalidRequest('prompt: lyrics are required unless make_instrumental is true');
  }
  const original = getStudio(caller.services).requireClip(
    caller.token,
    request.cover_clip_id,
    'cover_clip_id',
  );
  return submit(caller, {
    texts: [prompt, tags, title],
    sizeBytes: prompt.length + tags.length + title.length,
    version,
    compose: (seed) => ({
      title: title.trim() === '' ? `${original.title} (Cover)` : title,
      tags,
      lyrics: isInstrumental ? '' : prompt,
      description: '',
      type: 'cover',
      version,
      recipe: {
        kind: 'song',
        seed,
        style: tags,
        notesFrom: original.recipe.notesFrom,
        isInstrumental,
        tempo: 1,
        pitch: 1,
      },
    }),
  });
}

interface Submission {
  /** What may ask for faults. */
  readonly texts: readonly string[];
  readonly sizeBytes: number;
  readonly version: Clip['version'];
  readonly compose: (
    seed: string,
  ) => Pick<Clip, 'title' | 'tags' | 'lyrics' | 'description' | 'type' | 'version' | 'recipe'>;
}

async function submit({ exchange, services, token }: Caller, submission: Submission): Promise<Response> {
  const charge = openBill(services, { token, models: [submission.version], units: unitsPerSong });
  const faults = findFaults(submission.texts);
  const refused = refuseCreation(faults);
  if (refused) return refused;

  const studio = getStudio(services);
  const taskId = createUuid(services.random);
  const clips = [1, 2].map(() => {
    const id = createUuid(services.random);
    return recordClip(services, {
      id,
      ownerKey: token.key,
      taskId,
      createdAtMs: services.clock(),
      ...submission.compose(id),
    });
  });
  for (const clip of clips) studio.keep(clip);
  studio.tasks.add({ id: taskId, token, faults, work: { clips }, sizeBytes: submission.sizeBytes });
  charge();
  const disturbed = await disturbCreation(exchange, faults);
  return disturbed ?? replyJson(exchange, { code: 'success', message: '', data: taskId });
}
