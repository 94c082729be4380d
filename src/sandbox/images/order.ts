import { getMediaOrigin, type Exchange, type Services } from '../http/routes.ts';
import type { PictureRecipe } from '../media/recipes.ts';
import type { Faults } from '../tasks/faults.ts';

/** An accepted request for images. */
export interface ImageOrder {
  readonly exchange: Exchange;
  readonly services: Services;
  /** The channel's name of the model. */
  readonly model: string;
  readonly prompt: string;
  readonly recipes: readonly PictureRecipe[];
  /** Whether the reply carries base64 data in place of addresses. */
  readonly isInline: boolean;
  /** Until the addresses of the images expire. */
  readonly lifetimeMs: number;
  readonly faults: Faults;
  /** Charges one image. */
  readonly chargeImage: () => void;
}

export type DeliveredImage = { readonly url: string } | { readonly b64_json: string };

export async function deliverImage(
  { exchange, services, isInline, lifetimeMs }: ImageOrder,
  recipe: PictureRecipe,
): Promise<DeliveredImage> {
  if (!isInline) return { url: getMediaOrigin(exchange) + services.media.publish(recipe, { lifetimeMs }) };
  const bytes = await services.media.make(recipe);
  return { b64_json: Buffer.from(bytes.buffer).toString('base64') };
}

/** The error of an image that `fault:partial` fails. */
export const imageFailure = {
  code: 'OutputImageSensitiveContentDetected',
  message: 'The image was refused by the content policy',
} as const;

/** Whether `fault:partial` fails this image: the second, or the only one. */
export function isFailing({ faults, recipes }: ImageOrder, index: number): boolean {
  return faults.has('partial') && index === Math.min(1, recipes.length - 1);
}
