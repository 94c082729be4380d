import { getOrigin, type Exchange, type Services } from '../http/routes.ts';
import type { PictureRecipe } from '../media/recipes.ts';
import type { Faults } from '../tasks/faults.ts';

/** An admitted request for images, and the images that come of it. */
export interface ImageOrder {
  readonly exchange: Exchange;
  readonly services: Services;
  /** What the channel calls the model. */
  readonly model: string;
  readonly prompt: string;
  readonly recipes: readonly PictureRecipe[];
  /** Whether the reply carries the images themselves. */
  readonly isInline: boolean;
  /** How long the addresses of the images can be fetched. */
  readonly lifetimeMs: number;
  readonly faults: Faults;
  /** Debits the price of one image. */
  readonly chargeImage: () => void;
}

/** An image as a reply carries it. */
export type DeliveredImage = { readonly url: string } | { readonly b64_json: string };

export async function deliverImage(
  { exchange, services, isInline, lifetimeMs }: ImageOrder,
  recipe: PictureRecipe,
): Promise<DeliveredImage> {
  if (!isInline) return { url: getOrigin(exchange) + services.media.publish(recipe, { lifetimeMs }) };
  const bytes = await services.media.make(recipe);
  return { b64_json: Buffer.from(bytes.buffer).toString('base64') };
}

/** What is said of an image that `fault:partial` asks to fail. */
export const imageFailure = {
  code: 'OutputImageSensitiveContentDetected',
  message: 'The image was refused by the content policy',
} as const;

/** The image that `fault:partial` makes fail: the second, or the only one. */
export function isFailing({ faults, recipes }: ImageOrder, index: number): boolean {
  return faults.has('partial') && index === Math.min(1, recipes.length - 1);
}
