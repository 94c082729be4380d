import { type Context, requireCaller } from '../../graphql/context.ts';
import { decodeVoicePage, type VoicePage } from './wire.ts';

/** GET /videoa/v1/general/presets-voices; through a short cache per owner, since a catalogue changes slowly. */
export async function readVoicePage(
  context: Context,
  page: { readonly number: number; readonly size: number },
): Promise<VoicePage> {
  const { kernel, requestId } = context;
  const caller = requireCaller(context);
  const key = `voices:${caller.owner}:${page.size}:${page.number}`;
  const cached = kernel.pages.get(key);
  // Only pages of this capability have keys of this form.
  if (cached) return (await cached) as VoicePage;
  const read = kernel.gateway
    .read({
      path: '/videoa/v1/general/presets-voices',
      query: { pageNum: page.number, pageSize: page.size },
      caller,
      requestId,
    })
    .then(decodeVoicePage);
  kernel.pages.set(key, read);
  try {
    return await read;
  } catch (error) {
    // A failure is nobody's page.
    kernel.pages.delete(key);
    throw error;
  }
}
