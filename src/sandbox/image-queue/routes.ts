import { lazyRoutes } from '../http/lazy-routes.ts';

const request = '/hostb/:model_name/requests/:id';

export const imageQueueRoutes = lazyRoutes(
  () => import('./queue.ts'),
  [
    ['POST', '/hostb/flux-lora', 'queueImages'],
    ['POST', '/hostb/flux-lora/inpainting', 'queueInpainting'],
    ['GET', request, 'readResult'],
    ['GET', `${request}/status`, 'readStatus'],
    ['PUT', `${request}/cancel`, 'cancelRequest'],
    ['POST', `${request}/cancel`, 'cancelRequest'],
  ],
);
