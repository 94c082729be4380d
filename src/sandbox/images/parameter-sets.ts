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
  | { readonly set: 'B'; readonly request: SetBRequest };

/** Decodes a request by the parameter set of its model. Refuses (400) what that set does not allow. */
export function decodeImageRequest(body: unknown): ImageRequest {
  const family = chooseFamily(isRecord(body) ? body : {});
  return family === undefined
    ? { set: 'A', request: decodeStrictly(setARequest, body) }
    : { set: 'B', request: decodeStrictly(setBRequests[family], body) };
}

const modelsOfSetA = /seedream|doubao/i;
const families: readonly (readonly [RegExp, SetBFamily])[] = [
  [/gpt-image/i, 'A'],
  [/dall-e-2/i, 'B'],
  [/dall-e-3/i, 'C'],
];

/**
 * The family of set B, or undefined for set A. Chooses by the model's name, or by the members of the request if the model
 * is unknown.
 */
function chooseFamily(body: Readonly<Record<string, unknown>>): SetBFamily | undefined {
  const { model, size } = body;
  if (typeof model === 'string') {
    if (modelsOfSetA.test(model)) return undefined;
    const known = families.find(([name]) => name.test(model));
    if (known) return known[1];
  }
  const ownMembers = ['sequential_image_generation', 'watermark', 'stream'];
  const isSetA = ownMembers.some((name) => Object.hasOwn(body, name)) || isSizeOfSetAOnly(size);
  return isSetA ? undefined : 'any';
}

function isSizeOfSetAOnly(size: unknown): boolean {
  if (typeof size !== 'string' || sizesOfSetB.includes(size)) return false;
  const pixels = parsePixels(size);
  return isResolution(size) || (pixels !== undefined && isLarge(pixels));
}
