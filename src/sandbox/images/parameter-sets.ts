import { isRecord } from '../../lib/json.ts';
import { decodeStrictly } from '../http/validate.ts';
import {
  setARequest,
  setBRequests,
  sizesOfSetB,
  type SetARequest,
  type SetBFamily,
  type SetBRequest,
} from './requests.ts';
import { isLarge, isResolution, parsePixels } from './sizes.ts';

export type ImageRequest =
  | { readonly set: 'A'; readonly request: SetARequest }
  | { readonly set: 'B'; readonly family: SetBFamily; readonly request: SetBRequest };

/** Decodes a request by the parameter set of its model. Refuses (400) what that set does not allow. */
export function decodeImageRequest(body: unknown): ImageRequest {
  const set = chooseSet(isRecord(body) ? body : {});
  if (set === 'A') return { set, request: decodeStrictly(setARequest, body) };
  return { set: 'B', family: set.family, request: decodeStrictly(setBRequests[set.family], body) };
}

type ParameterSet = 'A' | { readonly family: SetBFamily };

const modelsOfSetA = /seedream|doubao/i;
const families: readonly (readonly [RegExp, SetBFamily])[] = [
  [/gpt-image/i, 'A'],
  [/dall-e-2/i, 'B'],
  [/dall-e-3/i, 'C'],
];

/** Chooses by the model's name, or by the members of the request if the model is unknown. */
function chooseSet(body: Readonly<Record<string, unknown>>): ParameterSet {
  const { model, size } = body;
  if (typeof model === 'string') {
    if (modelsOfSetA.test(model)) return 'A';
    const known = families.find(([name]) => name.test(model));
    if (known) return { family: known[1] };
  }
  const ownMembers = ['sequential_image_generation', 'watermark', 'stream'];
  const isSetA = ownMembers.some((name) => Object.hasOwn(body, name)) || isSizeOfSetAOnly(size);
  return isSetA ? 'A' : { family: 'any' };
}

function isSizeOfSetAOnly(size: unknown): boolean {
  if (typeof size !== 'string' || sizesOfSetB.includes(size)) return false;
  const pixels = parsePixels(size);
  return isResolution(size) || (pixels !== undefined && isLarge(pixels));
}
